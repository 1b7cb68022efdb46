//go:build !first

package measure

var infoNumQ = Info{
	Name:      "NumQ",
	Title:     "number of queries",
	Brief:     "The number of queries that count.",
	Group:     Counting,
	Aliases:   []Alias{{"trec_eval", "num_q", ""}},
	Formula:   "NumQ = 1 for every query; the summary is the sum",
	Low:       1,
	High:      1,
	Sum:       true,
	Reference: "trec_eval, measure num_q",
	Example:   Example{Measure: "NumQ", Ranked: []float64{1, 0}, Value: 1, Working: "one query"},
	Notes: []string{
		"ir_measures counts the queries of the run, trec_eval -c those of the qrels; here the policy for missing " +
			"queries decides.",
	},
	unfold: unfoldConstant,
	score:  func(m Measure, t *Topic) float64 { return 1 },
}
