package measure

var infoP = Info{
	Name:  "P",
	Title: "precision",
	Brief: "The share of the first k documents that are relevant.",
	Group: Binary,
	Aliases: []Alias{
		{"ir_measures", "Precision", ""}, {"trec_eval", "P", ""}, {"ranx", "precision", ""}, {"BEIR", "P", ""},
		{"MTEB", "precision_at", ""},
	},
	Params:    []Param{relevance, judgedOnly, cutoffRequired},
	Formula:   "P@k = |relevant documents in ranks 1..k| / k",
	High:      1,
	Reference: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7",
	Example: Example{
		Measure: "P@5", Ranked: []float64{1, 0, 2, Unjudged, 1, 1}, Value: 0.6,
		Working: "ranks 1, 3 and 5 are relevant: 3 / 5",
	},
	Notes:  []string{"The divisor is k even if the list is shorter: missing documents count as not relevant."},
	better: betterRelevant,
	open:   openFirst,
	least:  always,
	unfold: func(u *unfolder) {
		u.count(u.m.cut, u.m.isRel)
		u.over(float64(u.m.cut), byCutoff)
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, m.cut)) / float64(m.cut)
	},
}
