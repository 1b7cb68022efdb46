//go:build !first

package measure

var infoBpref = Info{
	Name:    "Bpref",
	Title:   "binary preference",
	Brief:   "How many judged non-relevant documents rank above each relevant one, ignoring unjudged documents.",
	Group:   Pooling,
	Aliases: []Alias{{"ir_measures", "BPref", ""}, {"trec_eval", "bpref", ""}, {"ranx", "bpref", ""}},
	Params:  []Param{relevance},
	Formula: "Bpref = (1/R) sum over relevant documents found of 1 - min(n, R) / min(N, R), n the judged " +
		"non-relevant documents above it, " +
		"N those in the qrels; 0 if R = 0",
	High:      1,
	Reference: "C. Buckley and E. M. Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004",
	Example: Example{
		Measure: "Bpref", Ranked: []float64{1, Unjudged, 0, 1}, Judged: []float64{1, 0, 1, 0}, Value: 0.75,
		Working: "nothing above rank 1: 1; one of min(2, 2) above rank 4: 1 - 1/2; (1 + 1/2) / 2",
	},
	Notes: []string{
		"A negative grade means pooled but not judged, as in trec_eval: such a document is neither relevant nor " +
			"non-relevant.",
		"The formula is that of trec_eval 8 and later, which divides by min(N, R) instead of the paper's R.",
		"ranx 0.3.21 divides by zero if a query has no relevant document, and gives 0 for later queries of the same " +
			"thread. It gives NaN if a query has no judged non-relevant document.",
	},
	better: betterBpref,
	open:   openScan,
	unfold: func(u *unfolder) {
		r, non := u.t.relevant(u.m.rel), 0
		for _, g := range u.t.Judged {
			if g >= 0 && g < u.m.rel {
				non++
			}
		}
		above := 0
		u.each(0, func(p *Part) bool {
			switch {
			case u.m.isRel(p.Grade) && above > 0:
				n, bound := min(above, r), min(non, r)
				p.Term, p.Work = 1-float64(n)/float64(bound), "1 - "+fraction(n, bound)
			case u.m.isRel(p.Grade):
				p.Term, p.Work = 1, "1"
			case p.Grade >= 0:
				above++
			}
			return true
		})
		u.over(float64(r), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		all := 0
		for _, g := range t.Judged {
			if g >= 0 && g < m.rel {
				all++
			}
		}
		hits, _ := t.list(m.judged)
		bound := float64(min(all, r))
		sum, n := 0.0, 0
		for _, h := range hits {
			switch {
			case m.isRel(h.Grade):
				if n > 0 {
					sum += 1 - float64(min(n, r))/bound
				} else {
					sum++
				}
			case h.Grade >= 0:
				n++
			}
		}
		return sum / float64(r)
	},
}

// betterBpref puts judged non-relevant documents last. Unjudged documents do not matter.
func betterBpref(m *Measure, t *Topic, i int) float64 {
	switch g := t.Ranked[i]; {
	case m.isRel(g):
		return 2
	case g >= 0:
		return 0
	}
	return 1
}
