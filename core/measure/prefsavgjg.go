//go:build !first

package measure

var infoPrefsAvgJG = Info{
	Name:  "prefs_avgjg",
	Title: "preferences fulfilled, averaged over groups",
	Brief: "The share of each user's preferences that the ranking fulfils, averaged over users.",
	Group: Preferring,
	Aliases: []Alias{
		{"trec_eval", "prefs_avgjg", ""}, {"trec_eval", "prefs_avgjg_imp", "over='implied'"}, {"trec_eval",
			"prefs_avgjg_ret", "over='retrieved'"},
	},
	Params:    []Param{paramOver(overAll...)},
	Formula:   "prefs_avgjg = mean over groups of (preferences fulfilled / preferences); 0 for a group that has none",
	High:      1,
	Reference: "trec_eval, measure prefs_avgjg",
	Example: Example{
		Measure: "prefs_avgjg", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: 0.75,
		Working: "the first user's 3 / 3, the second user's 1 / 2: their mean",
	},
	Notes: []string{"Unlike in prefs_simp, a user with many preferences does not outweigh one with few.",
		tiesPreferred, noPreferences},
	better: betterPreferred,
	spread: spreadPreferred,
	score: preferring(func(m Measure, p *Preferences) float64 {
		sum, over := 0.0, int(m.Float("over"))
		for i := range p.tallies {
			if ful, poss := p.tallies[i].fulfilled(over); poss > 0 {
				sum += float64(ful) / float64(poss)
			}
		}
		return sum / float64(len(p.tallies))
	}),
}
