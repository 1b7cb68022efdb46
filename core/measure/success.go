package measure

var infoSuccess = Info{
	Name:  "Success",
	Title: "success (hit rate)",
	Brief: "1 if any of the first k documents is relevant, else 0.",
	Group: Binary,
	Aliases: []Alias{
		{"trec_eval", "success", ""}, {"ranx", "hit_rate", ""}, {"", "HitRate", ""}, {"", "HR", ""}, {"", "Hit", ""},
		{"BEIR", "top_k_accuracy", ""}, {"MTEB", "hit_rate_at", ""}, {"LongMemEval", "recall_any", ""},
	},
	Params:    []Param{relevance, judgedOnly, cutoffRequired},
	Formula:   "Success@k = 1 if a document in ranks 1..k is relevant, else 0",
	High:      1,
	Reference: "S. Tomlinson's measure in trec_eval; the same as recall in open-domain question answering",
	Example: Example{
		Measure: "Success@3", Ranked: []float64{0, Unjudged, 1, 0}, Value: 1,
		Working: "rank 3 is relevant",
	},
	Notes: []string{
		"BEIR calls it Accuracy@k, a name that ir_measures gives to a different measure; write Success@k."},
	better: betterRelevant,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		u.each(u.m.cut, func(p *Part) bool {
			if !u.m.isRel(p.Grade) {
				return true
			}
			p.Term, p.Work = 1, "1"
			return false
		})
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		for _, h := range hits {
			if int(h.Rank) > m.cut {
				break
			}
			if m.isRel(h.Grade) {
				return 1
			}
		}
		return 0
	},
}
