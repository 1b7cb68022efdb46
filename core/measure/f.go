//go:build !first

package measure

var infoF = Info{
	Name:  "F",
	Title: "F measure at a cutoff",
	Brief: "The weighted harmonic mean of precision and recall at rank k.",
	Group: Binary,
	Aliases: []Alias{
		{"ranx", "f1", ""}, {"", "F1", ""}, {"", "F-measure", ""}, {"", "F2", "beta=2"}, {"", "F05", "beta=0.5"},
	},
	Params: []Param{
		{Name: "beta", Kind: KindFloat, Default: 1, Min: 0, Max: 1e6,
			Doc: "how many times more important recall is than precision"},
		relevance, judgedOnly, cutoffRequired,
	},
	Formula:   "F@k = (1 + beta^2) P@k R@k / (beta^2 P@k + R@k); 0 if no relevant document is found",
	High:      1,
	Reference: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7",
	Example: Example{
		Measure: "F@5", Ranked: []float64{1, 0, 1, 0, 1}, Judged: []float64{1, 1, 1, 1, 0, 0}, Value: 2.0 / 3,
		Working: "P = 3/5, R = 3/4: 2 x 0.6 x 0.75 / (0.6 + 0.75)",
	},
	Notes:  []string{"Here beta is van Rijsbergen's; SetF follows trec_eval, whose parameter is beta squared."},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		u.count(u.m.cut, u.m.isRel)
		u.overF(u.m.cut, float64(u.m.Float("beta")*u.m.Float("beta")))
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		return fMeasure(m.found(hits, m.cut), m.cut, t.relevant(m.rel), float64(m.Float("beta")*m.Float("beta")))
	},
}

// fMeasure returns (1+x)·P·R / (x·P + R) with P = found/size and R = found/relevant, or 0 if found is 0.
func fMeasure(found, size, relevant int, x float64) float64 {
	if found == 0 {
		return 0
	}
	p := float64(found) / float64(size)
	r := float64(found) / float64(relevant)
	return (x + 1) * p * r / (float64(x*p) + r)
}

// overF sets the divisor of an F measure: (1+x)·P·R/(x·P + R) with P = f/size and R = f/relevant is f·(1+x)/(x·relevant
// + size).
func (u *unfolder) overF(size int, x float64) {
	r := float64(u.t.relevant(u.m.rel))
	u.over((float64(x*r)+float64(size))/(1+x), "(beta x relevant + looked at) / (1 + beta)")
}
