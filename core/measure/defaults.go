package measure

// Defaults returns the notations of the default measures. The first one is tested.
func Defaults() []string { return []string{"nDCG@10", "AP", "RR", "R@20", "Judged@10"} }

// DiverseDefaults returns the defaults for subtopic judgments: first three that use subtopics.
func DiverseDefaults() []string {
	return append([]string{"alpha_nDCG@10", "ERR_IA@10", "STREC@10"}, Defaults()...)
}

// PreferenceDefaults returns the defaults for preferences: first three that use preferences, then measures of
// binary relevance.
func PreferenceDefaults() []string {
	return []string{"prefs_simp", "prefs_pair", "prefs_avgjg", "AP", "RR", "P@10", "Judged@10"}
}
