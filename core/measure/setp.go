//go:build !first

package measure

var infoSetP = Info{
	Name:  "SetP",
	Title: "set precision",
	Brief: "The share of all retrieved documents that are relevant, without regard to order.",
	Group: Sets,
	Aliases: []Alias{
		{"trec_eval", "set_P", ""}, {"ir_measures", "SetRelP", "relative=True"}, {"trec_eval", "set_relative_P",
			"relative=True"},
	},
	Params: []Param{
		relevance,
		{Name: "relative", Kind: KindBool,
			Doc: "divide by the largest number that could have been relevant, min(n, R)"},
		judgedOnly,
	},
	Formula: "SetP = |relevant documents retrieved| / n, n the documents retrieved; with relative: / min(n, R); 0 " +
		"if the divisor is 0",
	High:      1,
	Reference: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7",
	Example: Example{
		Measure: "SetP", Ranked: []float64{1, 0, 1, 0}, Value: 0.5,
		Working: "2 of 4",
	},
	Notes: []string{"ranx and scikit-learn call it precision, without a cutoff."},
	open:  openScan,
	least: always,
	unfold: func(u *unfolder) {
		u.count(0, u.m.isRel)
		if u.m.Float("relative") != 0 {
			u.over(float64(min(len(u.list), u.t.relevant(u.m.rel))),
				"retrieved or relevant documents, whichever is less")
		} else {
			u.over(float64(len(u.list)), byRetrieved)
		}
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		if m.Float("relative") != 0 {
			n = min(n, t.relevant(m.rel))
		}
		if n == 0 {
			return 0
		}
		return float64(m.found(hits, 0)) / float64(n)
	},
}
