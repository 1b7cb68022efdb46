//go:build !first

package measure

var infoRprecMultAvgJG = Info{
	Name:    "Rprec_mult_avgjg",
	Title:   "precision at a multiple of R, averaged over judgment groups",
	Brief:   "Precision at a multiple of each user's number of relevant documents, averaged over the users.",
	Group:   Grouped,
	Aliases: []Alias{{"trec_eval", "Rprec_mult_avgjg", ""}},
	Params: []Param{
		relevance, judgedOnly,
		{Name: "of", Kind: KindFloat, At: true, Required: true, Min: 0, Max: 1e6,
			Doc: "multiple of R"},
	},
	Formula: "Rprec_mult_avgjg@x = mean over the groups that judged the query of Rprec_mult@x with the " +
		"group's judgments",
	High:      1,
	Reference: "trec_eval, measure Rprec_mult_avgjg",
	Example: Example{
		Measure: "Rprec_mult_avgjg@1.0", Ranked: []float64{1, 1, 1}, Subtopics: exampleGroups(), Value: (1.0/2 +
			2.0/3) / 2,
		Working: "first user: R = 2, one of two; second: R = 3, two of three: (1/2 + 2/3) / 2",
	},
	Notes:  []string{noGroups},
	better: betterSubtopics,
	spread: spreadRprecGroups,
	unfold: func(u *unfolder) {
		u.groups(func(rank, _, relevant int) float64 {
			c := u.m.multiple(relevant)
			if rank > c {
				return 0
			}
			return 1 / float64(c)
		})
	},
	score: func(m Measure, t *Topic) float64 {
		return m.overGroups(t, func(hits []Hit, r int) float64 {
			c := m.multiple(r)
			if c == 0 {
				return 0
			}
			return float64(m.found(hits, c)) / float64(c)
		})
	},
}
