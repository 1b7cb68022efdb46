//go:build !first

package measure

var infoUnj = Info{
	Name:      "unj",
	Title:     "unjudged documents",
	Brief:     "The share of the first k documents that are unjudged.",
	Group:     Pooling,
	Aliases:   []Alias{{"trec_eval", "unj", ""}, {"", "Unjudged", ""}},
	Params:    []Param{cutoffRequired},
	Formula:   "unj@k = |documents in ranks 1..k without a grade, or with a negative one| / k",
	High:      1,
	Lower:     true,
	Reference: "trec_eval 10, measure unj (I. Soboroff)",
	Example: Example{
		Measure: "unj@4", Ranked: []float64{1, Unjudged, -1, 0}, Value: 0.5,
		Working: "ranks 2 and 3 of 4",
	},
	Notes: []string{
		"It is not 1 - Judged@k: Judged counts negative grades as judged and does not pad a short list."},
	describes: true,
	better:    betterUnjudged,
	unfold: func(u *unfolder) {
		u.count(u.m.cut, isOpen)
		u.over(float64(u.m.cut), byCutoff)
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		return float64(unjudgedWithin(hits, min(m.cut, n))) / float64(m.cut)
	},
}

// unjudgedWithin counts the documents in ranks 1..k without a grade of at least 0.
func unjudgedWithin(hits []Hit, k int) int {
	n := k
	for _, h := range hits {
		if int(h.Rank) > k {
			break
		}
		if h.Grade >= 0 {
			n--
		}
	}
	return n
}

func betterUnjudged(m *Measure, t *Topic, i int) float64 {
	if t.Ranked[i] < 0 {
		return 1
	}
	return 0
}
