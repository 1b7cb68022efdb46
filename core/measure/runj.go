//go:build !first

package measure

var infoRunj = Info{
	Name:   "Runj",
	Title:  "unjudged documents at R",
	Brief:  "The share of unjudged documents at rank R, the number of relevant documents.",
	Group:  Pooling,
	Params: []Param{relevance},
	Formula: "Runj = |documents in ranks 1..c without a grade, or with a negative one| / c, c = min(R, n), n the " +
		"length of the list; 0 if c = 0",
	High:      1,
	Lower:     true,
	Reference: "trec_eval's measure Runj (I. Soboroff, in the source before version 10)",
	Example: Example{
		Measure: "Runj", Ranked: []float64{1, Unjudged, Unjudged}, Judged: []float64{1, 2}, Value: 0.5,
		Working: "R = 2; one of ranks 1 and 2 has no judgment",
	},
	describes: true,
	better:    betterUnjudged,
	unfold: func(u *unfolder) {
		c := min(u.t.relevant(u.m.rel), len(u.list))
		if c > 0 {
			u.count(c, isOpen)
		}
		u.over(float64(c), "documents looked at")
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		c := min(t.relevant(m.rel), n)
		if c == 0 {
			return 0
		}
		return float64(unjudgedWithin(hits, c)) / float64(c)
	},
}
