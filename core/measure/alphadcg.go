//go:build !first

package measure

var infoAlphaDCG = Info{
	Name:  "alpha_DCG",
	Title: "alpha discounted cumulative gain",
	Brief: "Discounted cumulative gain in which a sub-topic counts less each time it reappears, as a share of " +
		"the best imaginable.",
	Group:   Diverse,
	Aliases: []Alias{{"ir_measures", "α_DCG", ""}, {"ndeval", "alpha-DCG", ""}},
	Params:  []Param{paramAlpha, relevance, judgedOnly, cutoff},
	Formula: "alpha_DCG@k = (sum over ranks i <= k of g(i) / log2(i + 1)) / (A sum over i <= k of (1 - " +
		"alpha)^(i-1) / log2(i + 1)); g(i) = sum over the sub-topics of the document of (1 - alpha)^n, n the " +
		"documents above it on that sub-topic; A the sub-topics with a relevant document",
	High: 1,
	Reference: "C. L. A. Clarke, M. Kolla, G. V. Cormack, O. Vechtomova, A. Ashkan, S. Büttcher and I. MacKinnon, " +
		"Novelty and diversity in information retrieval evaluation, SIGIR 2008",
	Example: Example{
		Measure: "alpha_DCG@2", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: (1 +
			1.5/1.5849625007211562) / (2 * (1 + 0.5/1.5849625007211562)),
		Working: "gains 1 and 1/2 + 1: (1 + 1.5/1.5850) / (2 x (1 + 0.5/1.5850))",
	},
	Notes: []string{"At cutoff 1 ndeval forgets to normalise and gives A times this value: a document relevant to " +
		"both of two sub-topics scores 2 at rank 1.", "Without a cutoff, k is the length of the list.", noSubtopics},
	better: betterSubtopics,
	spread: spreadNovelty(alphaParam, byLog, false),
	unfold: func(u *unfolder) { u.novelty(u.m.Float("alpha"), byLog, false) },
	score: func(m Measure, t *Topic) float64 {
		return m.independent(t, m.Float("alpha"), byLog)
	},
}
