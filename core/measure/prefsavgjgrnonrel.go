//go:build !first

package measure

var infoPrefsAvgJGRnonrel = Info{
	Name:  "prefs_avgjg_Rnonrel",
	Title: "preferences fulfilled with R non-relevant documents",
	Brief: "prefs_avgjg as if every user had judged as many documents not relevant (level 0) as relevant.",
	Group: Preferring,
	Aliases: []Alias{
		{"trec_eval", "prefs_avgjg_Rnonrel", ""}, {"trec_eval", "prefs_avgjg_Rnonrel_ret", "over='retrieved'"},
	},
	Params: []Param{paramOver("judged", "retrieved")},
	Formula: "prefs_avgjg_Rnonrel = mean over groups of (preferences fulfilled / preferences), where with R relevant " +
		"and N non-relevant documents " +
		"R - N non-relevant ones are added below all others if N < R, and only the first R of them in the ranking " +
		"are kept if N > R",
	High:      1,
	Reference: "trec_eval, measure prefs_avgjg_Rnonrel",
	Example: Example{
		Measure: "prefs_avgjg_Rnonrel", Ranked: []float64{1, 1, 1}, Preferences: examplePreferences(), Value: (5.0/5 +
			10.0/11) / 2,
		Working: "the first user has R = 2 and N = 1, so that 2 preferences are added to 3 of 3; the second R = 3 " +
			"and N = 0: 9 to 1 of 2: (5/5 + 10/11) / 2",
	},
	Notes: []string{
		"As trec_eval has it: where N > R and the group has one subgroup, the non-relevant documents kept are " +
			"compared with all non-relevant ones, themselves included, and over='retrieved' " +
			"keeps as many as there are relevant documents retrieved where the group has one subgroup, as judged " +
			"where it has several.",
		"Where a group has nothing to compare trec_eval divides 0 by 0, which makes the whole query 0; here that " +
			"group alone counts 0.",
		tiesPreferred, noPreferences,
	},
	better: betterPreferred,
	spread: spreadRnonrel,
	score: preferring(func(m Measure, p *Preferences) float64 {
		over := overJudged
		if m.Float("over") != 0 {
			over = overRetrieved
		}
		sum := 0.0
		for i := range p.tallies {
			if ful, poss := p.tallies[i].asManyNonRelevant(p, over); poss > 0 {
				sum += float64(ful) / float64(poss)
			}
		}
		return sum / float64(len(p.tallies))
	}),
}
