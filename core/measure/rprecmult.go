//go:build !first

package measure

var infoRprecMult = Info{
	Name:    "Rprec_mult",
	Title:   "precision at a multiple of R",
	Brief:   "Precision at a multiple of R, the number of relevant documents.",
	Group:   Binary,
	Aliases: []Alias{{"trec_eval", "Rprec_mult", ""}},
	Params: []Param{
		relevance, judgedOnly,
		{Name: "of", Kind: KindFloat, At: true, Required: true, Min: 0, Max: 1e6,
			Doc: "multiple of R"},
	},
	Formula:   "Rprec_mult@x = P@c with c = floor(x R + 0.9); 0 if c = 0",
	High:      1,
	Reference: "trec_eval, measure Rprec_mult",
	Example: Example{
		Measure: "Rprec_mult@2.0", Ranked: []float64{1, 0, 1, 0, 1}, Judged: []float64{1, 0, 1, 0}, Value: 0.5,
		Working: "R = 2, so 4 ranks: 2 / 4",
	},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		c := u.m.multiple(u.t.relevant(u.m.rel))
		if c > 0 {
			u.count(c, u.m.isRel)
		}
		u.over(float64(c), "ranks looked at")
	},
	score: func(m Measure, t *Topic) float64 {
		c := m.multiple(t.relevant(m.rel))
		if c == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, c)) / float64(c)
	},
}

// multiple returns the cutoff: the multiple of r relevant documents.
func (m *Measure) multiple(r int) int { return int(float64(m.Float("of")*float64(r)) + 0.9) }
