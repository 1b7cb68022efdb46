package measure

// Defaults returns the notations of what is measured where nobody asks for anything else; the first one is what is
// tested.
func Defaults() []string { return []string{"nDCG@10", "AP", "RR", "R@20", "Judged@10"} }

// DiverseDefaults are those of judgments for sub-topics: three that look at sub-topics come first.
func DiverseDefaults() []string {
	return append([]string{"alpha_nDCG@10", "ERR_IA@10", "STREC@10"}, Defaults()...)
}

// PreferenceDefaults are those of preferences: three of preferences, and then only such as make do with "relevant or
// not".
func PreferenceDefaults() []string {
	return []string{"prefs_simp", "prefs_pair", "prefs_avgjg", "AP", "RR", "P@10", "Judged@10"}
}
