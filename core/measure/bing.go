//go:build !first

package measure

var infoBinG = Info{
	Name:   "binG",
	Title:  "binary G",
	Brief:  "Every relevant document counts less with each non-relevant document above it.",
	Group:  Binary,
	Params: []Param{relevance, judgedOnly},
	Formula: "binG = (1/R) sum over relevant documents found of 1 / log2(2 + number of documents above it that are " +
		"not relevant); 0 if R = 0",
	High:      1,
	Reference: "C. Buckley, the experimental measure binG in trec_eval, 2008",
	Example: Example{
		Measure: "binG", Ranked: []float64{1, 0, 0, 1}, Judged: []float64{1, 0, 0, 1}, Value: 0.75,
		Working: "1/log2(2) at rank 1, 1/log2(4) at rank 4: (1 + 1/2) / 2",
	},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		n := 0
		u.each(0, func(p *Part) bool {
			if u.m.isRel(p.Grade) {
				n++
				above := p.Rank - n
				p.Term, p.Work = 1/log2Rank(int32(1+above)), "1 / "+logOf(1+above)
			}
			return true
		})
		u.over(float64(u.t.relevant(u.m.rel)), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		sum, n := 0.0, int32(0)
		for _, h := range hits {
			if m.isRel(h.Grade) {
				n++
				sum += 1 / log2Rank(1+h.Rank-n)
			}
		}
		return sum / float64(r)
	},
}
