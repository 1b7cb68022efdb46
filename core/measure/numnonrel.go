//go:build !first

package measure

import "math"

var infoNumNonRelJudgedRet = Info{
	Name:      "NumNonRelJudgedRet",
	Title:     "number of non-relevant documents retrieved",
	Brief:     "How many of the retrieved documents were judged and found not relevant.",
	Group:     Counting,
	Aliases:   []Alias{{"trec_eval", "num_nonrel_judged_ret", ""}},
	Params:    []Param{relevance},
	Formula:   "NumNonRelJudgedRet = |documents retrieved with a grade from 0 to rel - 1|; the summary is the sum",
	High:      math.Inf(1),
	Sum:       true,
	Lower:     true,
	Reference: "trec_eval, measure num_nonrel_judged_ret",
	Example: Example{
		Measure: "NumNonRelJudgedRet", Ranked: []float64{1, 0, Unjudged, -1, 0}, Value: 2,
		Working: "ranks 2 and 5; rank 3 has no judgment and a negative grade means not judged",
	},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		u.count(0, func(g float64) bool { return g >= 0 && g < u.m.rel })
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		n := 0
		for _, h := range hits {
			if h.Grade >= 0 && h.Grade < m.rel {
				n++
			}
		}
		return float64(n)
	},
}
