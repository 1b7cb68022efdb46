//go:build !first

package measure

var infoNERRIA = Info{
	Name:  "nERR_IA",
	Title: "intent-aware normalised expected reciprocal rank",
	Brief: "Reciprocal rank over sub-topics, each of which counts half as much every time it reappears, as a " +
		"share of that of an ideal ranking.",
	Group:   Diverse,
	Aliases: []Alias{{"ndeval", "nERR-IA", ""}},
	Params:  []Param{relevance, judgedOnly, cutoff},
	Formula: "nERR_IA@k = (sum over ranks i <= k of g(i) / i) / (the same for the ideal ranking); g and the ideal " +
		"ranking as in alpha_nDCG with alpha = 1/2",
	High: 1.582,
	Reference: "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected reciprocal rank for graded relevance, " +
		"CIKM 2009, section 7",
	Example: Example{
		Measure: "nERR_IA@2", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: (1 + 1.5/2) / (2 +
			0.5/2),
		Working: "gains 1 and 1.5; the ideal 2 and 1/2: 1.75 / 2.25",
	},
	Notes: []string{"The greedy ideal need not be the best ranking, so values slightly above 1 are possible.",
		noSubtopics},
	better: betterSubtopics,
	spread: spreadNovelty(alphaHalf, byRank, true),
	unfold: func(u *unfolder) { u.novelty(0.5, byRank, true) },
	score: func(m Measure, t *Topic) float64 {
		return m.normalised(t, 0.5, byRank)
	},
}
