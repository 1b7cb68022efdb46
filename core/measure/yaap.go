//go:build !first

package measure

import "math"

var infoYaap = Info{
	Name:  "yaap",
	Title: "yet another average precision",
	Brief: "Average precision on a logarithmic scale, smoothed so that extremes do not dominate the mean " +
		"over queries.",
	Group:   Binary,
	Params:  []Param{relevance, judgedOnly},
	Formula: "yaap = ln((1 + S) / (1 + R - S)), with S the sum of the precisions at the relevant documents found",
	Low:     math.Inf(-1), High: math.Inf(1),
	Reference: "S. Robertson, On smoothing average precision, ECIR 2012, LNCS 7224, 158-169",
	Example: Example{
		Measure: "yaap", Ranked: []float64{1, 0, 1}, Judged: []float64{1, 0, 1}, Value: 0.6931471805599453,
		Working: "S = 1 + 2/3, R = 2: ln(2.6667 / 1.3333) = ln 2",
	},
	better: betterRelevant,
	open:   openScan,
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		s := m.sumPrecision(hits)
		return ln((1 + s) / (1 + float64(t.relevant(m.rel)) - s))
	},
}
