//go:build !first || lessons

package measure

import "math"

var infoDCG = Info{
	Name:  "DCG",
	Title: "discounted cumulative gain",
	Brief: "The gain of the documents found, discounted by the logarithm of their rank, not normalised.",
	Group: Graded,
	Aliases: []Alias{{"trec_eval", "dcg", ""}, {"ranx", "dcg", ""}, {"ranx", "dcg_burges", "dcg='exp-log2'"},
		{"sklearn", "dcg_score", ""}},
	Params:  []Param{paramDCG, paramGains, paramBase, judgedOnly, cutoff},
	Formula: "DCG@k = sum over ranks i <= k of gain(i) / log2(i + 1)",
	High:    math.Inf(1),
	Reference: "K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), " +
		"2002, 422-446",
	Example: Example{
		Measure: "DCG@3", Ranked: []float64{1, 0, 3}, Value: 2.5,
		Working: "1/log2(2) + 3/log2(4)",
	},
	Notes: []string{"Values of different queries are not comparable: a query with more relevant documents can " +
		"reach more."},
	better: betterGain,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) { u.discounted() },
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		return m.dcg(hits)
	},
}
