//go:build !first

package measure

import "math"

var infoNumRet = Info{
	Name:  "NumRet",
	Title: "number of documents retrieved",
	Brief: "How many documents were retrieved, or with a level, how many relevant ones.",
	Group: Counting,
	Aliases: []Alias{{"trec_eval", "num_ret", ""}, {"ir_measures", "NumRelRet", "rel=1"},
		{"trec_eval", "num_rel_ret", "rel=1"}, {"ranx", "hits", "rel=1"}},
	Params: []Param{
		{Name: "rel", Kind: KindInt, Decimal: true, Optional: true, Min: -1e6, Max: 1e6,
			Doc: "count only documents with at least this grade; default all"},
	},
	Formula:   "NumRet = n; NumRet(rel=g) = |documents retrieved with a grade of at least g|; the summary is the sum",
	High:      math.Inf(1),
	Sum:       true,
	Reference: "trec_eval, measures num_ret and num_rel_ret",
	Example: Example{
		Measure: "NumRet(rel=1)", Ranked: []float64{1, 0, Unjudged, 2}, Value: 2,
		Working: "ranks 1 and 4",
	},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		if u.m.rel == noLevel {
			u.count(0, func(float64) bool { return true })
		} else {
			u.count(0, u.m.isRel)
		}
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		if m.rel == noLevel {
			return float64(n)
		}
		return float64(m.found(hits, 0))
	},
}
