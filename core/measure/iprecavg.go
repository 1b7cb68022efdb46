//go:build !first

package measure

var recallPoints = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

var infoIPrecAvg = Info{
	Name:  "11pt_avg",
	Title: "interpolated precision averaged over recall points",
	Brief: "The mean of interpolated precision at recall 0, 0.1, … 1.",
	Group: Binary,
	Params: []Param{
		paramVersion,
		{Name: "points", Kind: KindList, Min: 0, Max: 1,
			Doc: "recall points to average over; default 0, 0.1, … 1"},
		relevance, judgedOnly,
	},
	Formula:   "11pt_avg = mean of IPrec@x over the points x",
	High:      1,
	Reference: "trec_eval, measure 11pt_avg; the summary figure of TREC-1",
	Example: Example{
		Measure: "11pt_avg(points=[0.0,0.5,1.0])", Ranked: []float64{0, 1, 0, 1}, Judged: []float64{0, 1, 0, 1}, Value: 0.5,
		Working: "precision is 1/2 at both relevant documents: (1/2 + 1/2 + 1/2) / 3",
	},
	usual:  recallPoints,
	better: betterRelevant,
	open:   openScan,
	score: func(m Measure, t *Topic) float64 {
		points := recallPoints
		if m.table != nil {
			points = m.table.val
		}
		hits, _ := t.list(m.judged)
		r := t.relevant(m.rel)
		s := 0.0
		for i := len(points) - 1; i >= 0; i-- { // trec_eval's order of addition
			s += m.interpolated(hits, m.recallPoint(points[i], r))
		}
		return s / float64(len(points))
	},
}
