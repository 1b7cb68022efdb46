//go:build !first

package measure

var infoRecallAll = Info{
	Name:  "RecallAll",
	Title: "recall of all",
	Brief: "1 if all relevant documents are among the first k, else 0.",
	Group: Binary,
	Aliases: []Alias{
		{"LongMemEval", "recall_all", ""}, {"", "AllRecall", ""}, {"", "All", ""},
	},
	Params:    []Param{relevance, judgedOnly, cutoffRequired},
	Formula:   "RecallAll@k = 1 if R@k = 1, else 0; 0 if there is no relevant document",
	High:      1,
	Reference: "Wu et al. 2025, LongMemEval, ICLR: recall_all@k, for questions that need several memories together",
	Example: Example{
		Measure: "RecallAll@3", Ranked: []float64{1, 0, 1, 1}, Judged: []float64{1, 0, 1, 1}, Value: 0,
		Working: "2 of the 3 relevant documents are in ranks 1 to 3",
	},
	Notes:  []string{"Its pair recall_any@k, 1 if any is among the first k, is Success@k."},
	better: betterRelevant,
	open:   openScan,
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		hits, _ := t.list(m.judged)
		if r > 0 && m.found(hits, m.cut) == r {
			return 1
		}
		return 0
	},
}
