package measure

var infoAP = Info{
	Name:  "AP",
	Title: "average precision",
	Brief: "The precision at the rank of every relevant document, averaged over all relevant documents.",
	Group: Binary,
	Aliases: []Alias{
		{"ir_measures", "MAP", ""}, {"trec_eval", "map", ""}, {"trec_eval", "map_cut", ""}, {"MTEB", "map_at",
			""}, {"sklearn", "average_precision_score", ""},
	},
	Params: []Param{relevance, judgedOnly, cutoff},
	Formula: "AP@k = (1/R) sum over relevant documents at rank i <= k of P@i, with R the number of relevant " +
		"documents in the qrels; " +
		"0 if R = 0",
	High: 1,
	Reference: "C. Buckley and E. M. Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, MIT " +
		"Press 2005, chapter 3",
	Example: Example{
		Measure: "AP", Ranked: []float64{1, 0, 1, Unjudged}, Judged: []float64{1, 0, 1, 1}, Value: 5.0 / 9,
		Working: "precision 1/1 at rank 1 and 2/3 at rank 3; three relevant documents: (1 + 2/3) / 3",
	},
	Notes: []string{
		"cwl_eval 1.0.12 divides by the relevant documents retrieved instead of all of them: 5/6 in the example.",
	},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		n := 0
		u.each(u.m.cut, func(p *Part) bool {
			if u.m.isRel(p.Grade) {
				n++
				p.Term, p.Work = float64(n)/float64(p.Rank), fraction(n, p.Rank)
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
		return m.sumPrecision(hits) / float64(r)
	},
}

// sumPrecision returns the sum of the precisions at the relevant documents within the cutoff.
func (m *Measure) sumPrecision(hits []Hit) float64 {
	sum, n := 0.0, 0.0
	for _, h := range hits {
		if m.cut > 0 && int(h.Rank) > m.cut {
			break
		}
		if m.isRel(h.Grade) {
			n++
			sum += n / float64(h.Rank)
		}
	}
	return sum
}
