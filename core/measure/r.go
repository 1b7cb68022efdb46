package measure

var infoR = Info{
	Name:  "R",
	Title: "recall",
	Brief: "The share of all relevant documents that are among the first k.",
	Group: Binary,
	Aliases: []Alias{
		{"ir_measures", "Recall", ""}, {"trec_eval", "recall", ""}, {"ranx", "recall", ""}, {"BEIR", "Recall", ""},
		{"MTEB", "recall_at", ""},
	},
	Params: []Param{relevance, judgedOnly, cutoffRequired},
	Formula: "R@k = |relevant documents in ranks 1..k| / R, with R the number of relevant documents in the " +
		"qrels; 0 if R = 0",
	High:      1,
	Reference: "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7",
	Example: Example{
		Measure: "R@5", Ranked: []float64{1, 0, 2, Unjudged, 1, 1}, Judged: []float64{1, 0, 2, 1, 1, 1, 0}, Value: 0.6,
		Working: "3 of the 5 relevant documents are in ranks 1 to 5",
	},
	Notes:  []string{"Some papers on question answering call Success@k recall."},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		u.count(u.m.cut, u.m.isRel)
		u.over(float64(u.t.relevant(u.m.rel)), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, m.cut)) / float64(r)
	},
}
