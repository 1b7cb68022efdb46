//go:build !first

package measure

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoNDCGRel = Info{
	Name:   "ndcg_rel",
	Title:  "nDCG averaged over the relevant documents",
	Brief:  "nDCG at the rank of every relevant document, averaged, as average precision does with precision.",
	Group:  Graded,
	Params: []Param{paramGains, judgedOnly},
	Formula: "ndcg_rel = (1/N) (sum over documents found with positive gain at rank i of nDCG@i + (N - found) DCG " +
		"/ IDCG), N the documents with positive gain; 0 if N = 0",
	High:      1,
	Reference: "C. Buckley's experimental measure ndcg_rel in trec_eval",
	Example: Example{
		Measure: "ndcg_rel", Ranked: []float64{1, 0, 1}, Judged: []float64{1, 0, 1},
		Value:   (1 + 1.5/(1+1/1.5849625007211562)) / 2,
		Working: "nDCG@1 = 1, nDCG@3 = 1.5 / 1.6309 = 0.9197; their mean",
	},
	better: betterOwnGain,
	spread: spreadNDCGRel,
	unfold: func(u *unfolder) {
		ideal := slices.Clone(u.m.idealGains(u.t))
		hits, _ := u.t.list(u.m.judged)
		found := 0
		for _, h := range hits {
			if u.m.gain(h.Grade) > 0 {
				found++
			}
		}
		all := 0.0 // IDCG
		for i, g := range ideal {
			all += g / log2Rank(int32(i+1))
		}
		missed := float64(len(ideal) - found)
		dcg, idcg, next := 0.0, 0.0, 0
		u.each(0, func(p *Part) bool {
			g := u.m.gain(p.Grade)
			if g == 0 || p.Grade == Unjudged || len(ideal) == 0 {
				return true
			}
			own := g / log2Rank(int32(p.Rank))
			dcg += own
			for ; next < len(ideal) && next < p.Rank; next++ {
				idcg += ideal[next] / log2Rank(int32(next+1))
			}
			rest := float64(missed * own)
			p.Term, p.Work = rest/all, say.Plain.Short(rest)+"/"+say.Plain.Short(all)
			if g > 0 {
				p.Term += dcg / idcg
				p.Work = say.Plain.Short(dcg) + "/" + say.Plain.Short(idcg) + " + " + p.Work
			}
			return true
		})
		if u.over(float64(len(ideal)), "documents with positive gain"); u.finish() < 0 {
			u.clearTerms("the terms add up to less than 0, which counts as 0")
		}
	},
	score: func(m Measure, t *Topic) float64 {
		ideal := m.idealGains(t)
		hits, _ := t.list(m.judged)
		var idcg, dcg, sum float64
		next, found := 0, 0
		for _, h := range hits {
			g := m.gain(h.Grade)
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
		return max(sum, 0) / float64(len(ideal))
	},
}

// spreadNDCGRel: a document's weight falls with its rank whatever ranks below it, so better first is best. With a
// negative gain the number of relevant documents above matters too.
func spreadNDCGRel(m Measure, t *Topic) (lo, hi float64, ok bool) {
	if m.table != nil && slices.ContainsFunc(m.table.val, func(v float64) bool { return v < 0 }) {
		return 0, 0, false
	}
	lo, hi = t.extremes(m)
	return lo, hi, true
}
