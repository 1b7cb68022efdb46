//go:build !first

package measure

var infoAlphaNDCG = Info{
	Name:  "alpha_nDCG",
	Title: "alpha normalised discounted cumulative gain",
	Brief: "Discounted cumulative gain in which a sub-topic counts less each time it reappears, as a share of " +
		"that of an ideal ranking.",
	Group:   Diverse,
	Aliases: []Alias{{"ir_measures", "α_nDCG", ""}, {"ndeval", "alpha-nDCG", ""}},
	Params:  []Param{paramAlpha, relevance, judgedOnly, cutoff},
	Formula: "alpha_nDCG@k = (sum over ranks i <= k of g(i) / log2(i + 1)) / (the same for the ideal ranking, " +
		"which takes the document of the largest g at every rank); g as in alpha_DCG",
	High: 1.582,
	Reference: "C. L. A. Clarke, M. Kolla, G. V. Cormack, O. Vechtomova, A. Ashkan, S. Büttcher and I. MacKinnon, " +
		"Novelty and diversity in information retrieval evaluation, SIGIR 2008",
	Example: Example{
		Measure: "alpha_nDCG@2", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: (1 +
			1.5/1.5849625007211562) / (2 + 0.5/1.5849625007211562),
		Working: "gains 1 and 1.5; the ideal takes the third document first, gains 2 and 1/2: (1 + 1.5/1.5850) / (2 " +
			"+ 0.5/1.5850)",
	},
	Notes: []string{"The greedy ideal need not be the best ranking, so values slightly above 1 are possible.",
		noSubtopics},
	better: betterSubtopics,
	spread: spreadNovelty(alphaParam, byLog, true),
	unfold: func(u *unfolder) { u.novelty(u.m.Float("alpha"), byLog, true) },
	score: func(m Measure, t *Topic) float64 {
		return m.normalised(t, m.Float("alpha"), byLog)
	},
}
