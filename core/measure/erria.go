//go:build !first

package measure

var infoERRIA = Info{
	Name:  "ERR_IA",
	Title: "intent-aware expected reciprocal rank",
	Brief: "Reciprocal rank over sub-topics, each of which counts half as much every time it reappears, as a " +
		"share of the best imaginable.",
	Group:   Diverse,
	Aliases: []Alias{{"ndeval", "ERR-IA", ""}},
	Params:  []Param{relevance, judgedOnly, cutoff},
	Formula: "ERR_IA@k = (sum over ranks i <= k of g(i) / i) / (A sum over i <= k of (1/2)^(i-1) / i); g and A as " +
		"in alpha_DCG with alpha = 1/2",
	High: 1,
	Reference: "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, Expected reciprocal rank for graded relevance, " +
		"CIKM 2009, section 7",
	Example: Example{
		Measure: "ERR_IA@2", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: (1 +
			1.5/2) / (2 * (1 + 0.5/2)),
		Working: "gains 1 and 1.5: (1 + 1.5/2) / (2 x (1 + 0.5/2))",
	},
	Notes:  []string{"At cutoff 1 ndeval forgets to normalise and gives A times this value.", noSubtopics},
	better: betterSubtopics,
	spread: spreadNovelty(alphaHalf, byRank, false),
	unfold: func(u *unfolder) { u.novelty(0.5, byRank, false) },
	score: func(m Measure, t *Topic) float64 {
		return m.independent(t, 0.5, byRank)
	},
}

func alphaHalf(*Measure) float64 { return 0.5 }
