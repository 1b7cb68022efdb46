package measure

var infoRR = Info{
	Name:  "RR",
	Title: "reciprocal rank",
	Brief: "One divided by the rank of the first relevant document.",
	Group: Binary,
	Aliases: []Alias{
		{"ir_measures", "MRR", ""}, {"trec_eval", "recip_rank", ""}, {"ranx", "mrr", ""}, {"MTEB", "mrr_at", ""},
		{"BEIR", "MRR", ""},
	},
	Params:    []Param{relevance, judgedOnly, cutoff},
	Formula:   "RR = 1 / (rank of the first relevant document), 0 if there is none (within rank k)",
	High:      1,
	Reference: "P. B. Kantor and E. M. Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000, 165-176",
	Example: Example{
		Measure: "RR@10", Ranked: []float64{0, Unjudged, 2, 1}, Value: 1.0 / 3,
		Working: "the first relevant document is at rank 3: 1 / 3",
	},
	Notes: []string{
		"ir_measures computes RR with pytrec_eval and RR@k with MS MARCO's script, which break ties in opposite " +
			"directions.",
	},
	better: betterRelevant,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		u.each(u.m.cut, func(p *Part) bool {
			if !u.m.isRel(p.Grade) {
				return true
			}
			p.Term, p.Work = 1/float64(p.Rank), fraction(1, p.Rank)
			return false
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		for _, h := range hits {
			if m.cut > 0 && int(h.Rank) > m.cut {
				break
			}
			if m.isRel(h.Grade) {
				return 1 / float64(h.Rank)
			}
		}
		return 0
	},
}
