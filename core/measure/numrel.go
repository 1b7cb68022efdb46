//go:build !first

package measure

import "math"

var infoNumRel = Info{
	Name:      "NumRel",
	Title:     "number of relevant documents",
	Brief:     "How many relevant documents the qrels hold, found or not.",
	Group:     Counting,
	Aliases:   []Alias{{"trec_eval", "num_rel", ""}},
	Params:    []Param{relevance},
	Formula:   "NumRel = R; the summary is the sum",
	High:      math.Inf(1),
	Sum:       true,
	Reference: "trec_eval, measure num_rel",
	Example: Example{
		Measure: "NumRel", Ranked: []float64{1}, Judged: []float64{1, 0, 2}, Value: 2,
		Working: "two of the three judged documents have a grade of 1 or more",
	},
	Notes: []string{"ir_measures counts a query that the run lacks as 0; trec_eval -c and Rankbox count its " +
		"relevant documents."},
	open:   openScan,
	least:  always,
	unfold: unfoldConstant,
	score:  func(m Measure, t *Topic) float64 { return float64(t.relevant(m.rel)) },
}
