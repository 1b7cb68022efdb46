//go:build !first

package measure

var infoSetAP = Info{
	Name:  "SetAP",
	Title: "set average precision",
	Brief: "Set precision times set recall: average precision without regard to the order of the " +
		"retrieved documents.",
	Group:     Sets,
	Aliases:   []Alias{{"trec_eval", "set_map", ""}},
	Params:    []Param{relevance, judgedOnly},
	Formula:   "SetAP = SetP x SetR; 0 if either divisor is 0",
	High:      1,
	Reference: "trec_eval, measure set_map",
	Example: Example{
		Measure: "SetAP", Ranked: []float64{1, 0}, Judged: []float64{1, 0, 1}, Value: 0.25,
		Working: "1/2 x 1/2",
	},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		u.count(0, u.m.isRel)
		hits, n := u.t.list(u.m.judged)
		if f := u.m.found(hits, 0); f > 0 {
			u.over(float64(n)*float64(u.t.relevant(u.m.rel))/float64(f), "retrieved x relevant / relevant retrieved")
		}
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		r := t.relevant(m.rel)
		if n == 0 || r == 0 {
			return 0
		}
		f := float64(m.found(hits, 0))
		return float64(f*f) / (float64(n) * float64(r))
	},
}
