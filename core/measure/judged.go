package measure

var infoJudged = Info{
	Name:   "Judged",
	Title:  "judged documents",
	Brief:  "The share of the first k documents that are judged.",
	Group:  Pooling,
	Params: []Param{cutoff},
	Formula: "Judged@k = |documents in ranks 1..min(k,n) that the qrels name| / min(k,n), n the length of the " +
		"list; 0 for an empty list",
	High:      1,
	Reference: "S. MacAvaney, OpenNIR: a complete neural ad-hoc ranking pipeline, WSDM 2020",
	Example: Example{
		Measure: "Judged@4", Ranked: []float64{1, Unjudged, 0, Unjudged, 1}, Value: 0.5,
		Working: "ranks 1 and 3 of 4 have a judgment",
	},
	Notes:     []string{"Negative grades count as judged, as in ir_measures; trec_eval's unj does not count them."},
	describes: true,
	better:    betterNamed,
	unfold: func(u *unfolder) {
		u.rank(func(int) bool { return true })
		k := u.m.usedRanks(len(u.list))
		u.count(k, isNamed)
		u.over(float64(k), "documents looked at")
	},
	score: func(m Measure, t *Topic) float64 {
		k := m.usedRanks(t.n)
		if k == 0 {
			return 0
		}
		n := 0
		for _, h := range t.hits {
			if int(h.Rank) > k {
				break
			}
			n++
		}
		return float64(n) / float64(k)
	},
}

func betterNamed(m *Measure, t *Topic, i int) float64 {
	if t.Ranked[i] != Unjudged {
		return 1
	}
	return 0
}
