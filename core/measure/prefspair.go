//go:build !first

package measure

var infoPrefsPair = Info{
	Name:  "prefs_pair",
	Title: "preferences fulfilled by pair",
	Brief: "For every pair of documents, the share of preferences that the ranking fulfils, averaged over pairs.",
	Group: Preferring,
	Aliases: []Alias{
		{"trec_eval", "prefs_pair", ""}, {"trec_eval", "prefs_pair_imp", "over='implied'"}, {"trec_eval",
			"prefs_pair_ret", "over='retrieved'"},
	},
	Params: []Param{paramOver(overAll...)},
	Formula: "prefs_pair = mean over pairs of documents that some group has a preference about of (groups whose " +
		"preference is fulfilled / groups with a preference)",
	High: 1,
	Reference: "B. Carterette and P. N. Bennett, Evaluation measures for preference judgments, SIGIR 2008; " +
		"trec_eval, measure prefs_pair",
	Example: Example{
		Measure: "prefs_pair", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: 0.875,
		Working: "1 and 2: one of two users; 1 and 3, 2 and 3, 2 and 4: all: (1/2 + 1 + 1 + 1) / 4",
	},
	Notes:  []string{"The same as prefs_simp if no pair is judged by two groups.", tiesPreferred, noPreferences},
	better: betterPreferred,
	spread: spreadPreferred,
	score: preferring(func(m Measure, p *Preferences) float64 {
		sum, pairs := p.pairs(int(m.Float("over")))
		if pairs == 0 {
			return 0
		}
		return sum / float64(pairs)
	}),
}
