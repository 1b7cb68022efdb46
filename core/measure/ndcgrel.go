package measure

var infoNDCGRel = Info{
	Name:      "ndcg_rel",
	Title:     "nDCG averaged over the relevant documents",
	Brief:     "nDCG taken at the rank of every relevant document and averaged, as average precision does with precision.",
	Group:     Graded,
	Params:    []Param{paramGains, judgedOnly},
	Formula:   "ndcg_rel = (1/N) (sum over documents found with positive gain at rank i of nDCG@i + (N - found) DCG / IDCG), N the documents with positive gain; 0 where N = 0",
	High:      1,
	Reference: "C. Buckley's experimental measure ndcg_rel in trec_eval",
	Example: Example{
		Measure: "ndcg_rel", Ranked: []int32{1, 0, 1}, Judged: []int32{1, 0, 1},
		Value:   (1 + 1.5/(1+1/1.5849625007211562)) / 2,
		Working: "nDCG@1 = 1, nDCG@3 = 1.5 / 1.6309 = 0.9197; their mean",
	},
	better: betterOwnGain,
	spread: spreadNDCGRel,
	score: func(m Measure, t *Topic) float64 {
		ideal := m.idealGains(t)
		hits, _ := t.list(m.judged)
		var idcg, dcg, sum float64
		next, found := 0, 0
		for _, h := range hits {
			g := m.gain(h.Grade)
			if g == 0 {
				continue
			}
			dcg += g / log2Rank(h.Rank)
			for next < len(ideal) && next < int(h.Rank) {
				idcg += ideal[next] / log2Rank(int32(next+1))
				next++
			}
			if g > 0 {
				sum += dcg / idcg
				found++
			}
		}
		for ; next < len(ideal); next++ {
			idcg += ideal[next] / log2Rank(int32(next+1))
		}
		if len(ideal) == 0 {
			return 0
		}
		sum += float64(len(ideal)-found) * dcg / idcg
		if sum <= 0 {
			return 0
		}
		return sum / float64(len(ideal))
	},
}
