package measure

import "math"

var infoIDCG = Info{
	Name:    "IDCG",
	Title:   "ideal discounted cumulative gain",
	Brief:   "The largest discounted cumulative gain that any ranking could reach for the query.",
	Group:   Graded,
	Aliases: []Alias{{"trec_eval", "ideal_dcg", ""}},
	Params:  []Param{paramDCG, paramGains, paramBase, cutoff},
	Formula: "IDCG@k = sum over i <= k of g(i) / log2(i + 1), g the positive gains of the judged documents in " +
		"descending order",
	High: math.Inf(1),
	Reference: "K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), " +
		"2002, 422-446",
	Example: Example{
		Measure: "IDCG@3", Ranked: []float64{1, 0, 3}, Value: 3 + 1/1.5849625007211562,
		Working: "3/log2(2) + 1/log2(3)",
	},
	unfold: func(u *unfolder) {
		unfoldConstant(u)
		u.Ideal = u.m.idealParts(u.t)
	},
	score: func(m Measure, t *Topic) float64 { return m.idealDCG(t) },
}
