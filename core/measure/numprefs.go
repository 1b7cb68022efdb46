//go:build !first

package measure

import "math"

var infoNumPrefs = Info{
	Name:      "NumPrefs",
	Title:     "number of preferences",
	Brief:     "The number of preferences, whatever was retrieved.",
	Group:     Preferring,
	Aliases:   []Alias{{"trec_eval", "prefs_num_prefs_poss", ""}},
	Formula:   "NumPrefs = number of preferences of all groups; the summary is the sum",
	High:      math.Inf(1),
	Sum:       true,
	Reference: "trec_eval, measure prefs_num_prefs_poss",
	Example: Example{
		Measure: "NumPrefs", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: 5,
		Working: "three of the first user, two of the second",
	},
	Notes:  []string{noPreferences},
	unfold: unfoldConstant,
	score: preferring(func(_ Measure, p *Preferences) float64 {
		n := 0
		for i := range p.tallies {
			_, poss := p.tallies[i].fulfilled(overJudged)
			n += poss
		}
		return float64(n)
	}),
}
