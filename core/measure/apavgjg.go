//go:build !first

package measure

var infoAPAvgJG = Info{
	Name:    "AP_avgjg",
	Title:   "average precision, averaged over judgment groups",
	Brief:   "Average precision with the judgments of every user alone, averaged over the users.",
	Group:   Grouped,
	Aliases: []Alias{{"trec_eval", "map_avgjg", ""}},
	Params:  []Param{relevance, judgedOnly},
	Formula: "AP_avgjg = mean over the groups that judged the query of AP with the group's judgments; 0 for a " +
		"group without a relevant document",
	High:      1,
	Reference: "trec_eval, measure map_avgjg",
	Example: Example{
		Measure: "AP_avgjg", Ranked: []float64{1, 1, 1}, Subtopics: exampleGroups(), Value: (5.0/6 + 2.0/3) / 2,
		Working: "first user: (1 + 2/3) / 2; second, of three relevant documents: (1 + 2/2) / 3; their mean",
	},
	Notes:  []string{"AP_IA is the same without the groups that have no relevant document.", noGroups},
	better: betterSubtopics,
	spread: spreadAPGroups,
	unfold: func(u *unfolder) {
		u.groups(func(rank, n, relevant int) float64 { return float64(n) / float64(rank) / float64(relevant) })
	},
	score: func(m Measure, t *Topic) float64 {
		return m.overGroups(t, func(hits []Hit, r int) float64 {
			if r == 0 {
				return 0
			}
			return m.sumPrecision(hits) / float64(r)
		})
	},
}
