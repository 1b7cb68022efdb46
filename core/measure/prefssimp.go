//go:build !first

package measure

var infoPrefsSimp = Info{
	Name:  "prefs_simp",
	Title: "preferences fulfilled",
	Brief: "The share of all preferences that the ranking fulfils: the preferred document ranks higher.",
	Group: Preferring,
	Aliases: []Alias{
		{"trec_eval", "prefs_simp", ""}, {"trec_eval", "prefs_simp_imp", "over='implied'"}, {"trec_eval",
			"prefs_simp_ret", "over='retrieved'"},
	},
	Params: []Param{paramOver(overAll...)},
	Formula: "prefs_simp = preferences fulfilled / preferences, over all groups; a preference of which neither " +
		"document is retrieved is not fulfilled",
	High: 1,
	Reference: "B. Carterette and P. N. Bennett, Evaluation measures for preference judgments, SIGIR 2008; " +
		"trec_eval, measure prefs_simp",
	Example: Example{
		Measure: "prefs_simp", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: 0.8,
		Working: "1 > 2, 1 > 3 and 2 > 3 hold, of 2 > 1 and 2 > 4 the second: 4 / 5",
	},
	Notes: []string{
		"Preferences that contradict each other all count, so that not every query can score 1.",
		tiesPreferred, noPreferences,
	},
	better: betterPreferred,
	spread: spreadPreferred,
	score: preferring(func(m Measure, p *Preferences) float64 {
		ful, poss, over := 0, 0, int(m.Float("over"))
		for i := range p.tallies {
			f, n := p.tallies[i].fulfilled(over)
			ful += f
			poss += n
		}
		if poss == 0 {
			return 0
		}
		return float64(ful) / float64(poss)
	}),
}
