//go:build !first

package measure

var infoSetF = Info{
	Name:    "SetF",
	Title:   "set F measure",
	Brief:   "The weighted harmonic mean of set precision and set recall.",
	Group:   Sets,
	Aliases: []Alias{{"trec_eval", "set_F", ""}},
	Params: []Param{
		relevance,
		{Name: "beta", Kind: KindFloat, Default: 1, Min: 0, Max: 1e6,
			Doc: "weight of recall, in trec_eval's formula: van Rijsbergen's beta squared"},
		judgedOnly,
	},
	Formula:   "SetF = (1 + beta) P R / (beta P + R), P = SetP, R = SetR; 0 if nothing relevant is found",
	High:      1,
	Reference: "trec_eval, measure set_F; C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979",
	Example: Example{
		Measure: "SetF", Ranked: []float64{1, 0}, Judged: []float64{1, 0, 1}, Value: 0.5,
		Working: "P = 1/2 and R = 1/2",
	},
	Notes: []string{
		"trec_eval and with it ir_measures do not square beta: SetF(beta=0.5) there is the F measure with beta = " +
			"0.7071. F@k here squares it.",
		"ranx and scikit-learn call it f1, without a cutoff.",
	},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		u.count(0, u.m.isRel)
		u.overF(len(u.list), u.m.Float("beta"))
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		return fMeasure(m.found(hits, 0), n, t.relevant(m.rel), m.Float("beta"))
	},
}
