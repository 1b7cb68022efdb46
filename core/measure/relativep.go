//go:build !first

package measure

var infoRelativeP = Info{
	Name:    "relative_P",
	Title:   "precision relative to the best possible (capped recall)",
	Brief:   "Precision at k as a share of the best precision possible at k: the same as recall once k exceeds R.",
	Group:   Binary,
	Aliases: []Alias{{"trec_eval", "relative_P", ""}, {"BEIR", "R_cap", ""}, {"BEIR", "recall_cap", ""}},
	Params:  []Param{relevance, judgedOnly, cutoffRequired},
	Formula: "relative_P@k = |relevant documents in ranks 1..k| / min(k, R); 0 if R = 0",
	High:    1,
	Reference: "trec_eval, measure relative_P; N. Thakur et al., BEIR: a heterogeneous benchmark for zero-shot " +
		"evaluation of " +
		"information retrieval models, NeurIPS 2021 (as capped recall)",
	Example: Example{
		Measure: "relative_P@5", Ranked: []float64{1, 0, 1, 0, 0}, Judged: []float64{1, 0, 1, 1}, Value: 2.0 / 3,
		Working: "2 found of the 3 that could be: 2 / min(5, 3)",
	},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		u.count(u.m.cut, u.m.isRel)
		u.over(float64(min(u.m.cut, u.t.relevant(u.m.rel))), "cutoff or relevant documents, whichever is less")
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, m.cut)) / float64(min(m.cut, r))
	},
}
