//go:build !first

package measure

var infoRprec = Info{
	Name:    "Rprec",
	Title:   "precision at R",
	Brief:   "Precision at rank R, the number of relevant documents, where precision and recall are equal.",
	Group:   Binary,
	Aliases: []Alias{{"ir_measures", "RPrec", ""}, {"ranx", "r-precision", ""}, {"", "R-precision", ""}},
	Params:  []Param{relevance, judgedOnly},
	Formula: "Rprec = |relevant documents in ranks 1..R| / R, with R the number of relevant documents in the " +
		"qrels; 0 if R = 0",
	High: 1,
	Reference: "C. Buckley and E. M. Voorhees, Retrieval system evaluation, in TREC: Experiment and Evaluation, MIT " +
		"Press 2005, " +
		"chapter 3",
	Example: Example{
		Measure: "Rprec", Ranked: []float64{1, 0, 0, 1}, Judged: []float64{1, 0, 0, 1, 1}, Value: 1.0 / 3,
		Working: "three relevant documents, one of them in ranks 1 to 3: 1 / 3",
	},
	better: betterRelevant,
	open:   openScan,
	unfold: func(u *unfolder) {
		r := u.t.relevant(u.m.rel)
		if r > 0 {
			u.count(r, u.m.isRel)
		}
		u.over(float64(r), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		r := t.relevant(m.rel)
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		return float64(m.found(hits, r)) / float64(r)
	},
}
