//go:build !first

package measure

import "math"

var infoNumPrefsFul = Info{
	Name:  "NumPrefsFul",
	Title: "number of preferences fulfilled",
	Brief: "How many preferences the ranking fulfils.",
	Group: Preferring,
	Aliases: []Alias{
		{"trec_eval", "prefs_num_prefs_ful", ""}, {"trec_eval", "prefs_num_prefs_ful_ret", "over='retrieved'"},
	},
	Params: []Param{paramOver("judged", "retrieved")},
	Formula: "NumPrefsFul = number of preferences whose preferred document ranks higher, or is the only one " +
		"retrieved; the summary is the sum",
	High:      math.Inf(1),
	Sum:       true,
	Reference: "trec_eval, measure prefs_num_prefs_ful",
	Example: Example{
		Measure: "NumPrefsFul", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: 4,
		Working: "1 > 2, 1 > 3 and 2 > 3 of the first user, 2 > 4 of the second",
	},
	Notes:  []string{tiesPreferred, noPreferences},
	better: betterPreferred,
	spread: spreadPreferred,
	score: preferring(func(m Measure, p *Preferences) float64 {
		n := 0
		for i := range p.tallies {
			ful, _ := p.tallies[i].fulfilled(overJudged)
			if m.Float("over") != 0 {
				ful, _ = p.tallies[i].fulfilled(overRetrieved)
			}
			n += ful
		}
		return float64(n)
	}),
}
