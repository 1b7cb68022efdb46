//go:build !first

package measure

var infoSetR = Info{
	Name:      "SetR",
	Title:     "set recall",
	Brief:     "The share of all relevant documents that were retrieved at all.",
	Group:     Sets,
	Aliases:   []Alias{{"trec_eval", "set_recall", ""}},
	Params:    []Param{relevance},
	Formula:   "SetR = |relevant documents retrieved| / R; 0 if R = 0",
	High:      1,
	Reference: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7",
	Example: Example{
		Measure: "SetR", Ranked: []float64{1, 0, 1}, Judged: []float64{1, 0, 1, 1, 1}, Value: 0.5,
		Working: "2 of 4",
	},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		u.count(0, u.m.isRel)
		u.over(float64(u.t.relevant(u.m.rel)), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, 0)) / float64(r)
	},
}
