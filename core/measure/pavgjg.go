//go:build !first

package measure

var infoPAvgJG = Info{
	Name:      "P_avgjg",
	Title:     "precision, averaged over judgment groups",
	Brief:     "The share of the first k documents that a user finds relevant, averaged over the users.",
	Group:     Grouped,
	Aliases:   []Alias{{"trec_eval", "P_avgjg", ""}},
	Params:    []Param{relevance, judgedOnly, cutoffRequired},
	Formula:   "P_avgjg@k = mean over the groups that judged the query of P@k with the group's judgments",
	High:      1,
	Reference: "trec_eval, measure P_avgjg",
	Example: Example{
		Measure: "P_avgjg@3", Ranked: []float64{1, 1, 1}, Subtopics: exampleGroups(), Value: 2.0 / 3,
		Working: "two of three for the first user, and for the second: (2/3 + 2/3) / 2",
	},
	Notes:  []string{noGroups},
	better: betterSubtopics,
	spread: spreadPGroups,
	unfold: func(u *unfolder) {
		u.groups(func(rank, _, _ int) float64 {
			if rank > u.m.cut {
				return 0
			}
			return 1 / float64(u.m.cut)
		})
	},
	score: func(m Measure, t *Topic) float64 {
		return m.overGroups(t, func(hits []Hit,
			_ int) float64 {
			return float64(m.found(hits, m.cut)) / float64(m.cut)
		})
	},
}
