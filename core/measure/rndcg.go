//go:build !first

package measure

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoRndcg = Info{
	Name:  "Rndcg",
	Title: "nDCG averaged over the ideal ranking's levels",
	Brief: "nDCG at every rank where the ideal ranking drops to a lower grade, averaged.",
	Group: Graded,
	Params: []Param{
		paramGains,
		{Name: "rel", Kind: KindInt, Decimal: true, Default: 1, Min: -1e6, Max: 1e6,
			Doc: "a query without a document of this grade scores 0"},
		judgedOnly,
	},
	Formula: "Rndcg = mean of DCG@b / IDCG@b over the ranks b after which the ideal ranking's gain falls, and over " +
		"the whole list where it is longer than the last b by 2 or more",
	High:      1,
	Reference: "C. Buckley's experimental measure Rndcg in trec_eval",
	Example: Example{
		Measure: "Rndcg", Ranked: []float64{1, 2, 0, 0, 0}, Judged: []float64{1, 2},
		Value: (0.5 + 2*((1+2/1.5849625007211562)/(2+1/1.5849625007211562))) / 3,
		Working: "the ideal 2, 1 falls after ranks 1 and 2: DCG@1 / IDCG@1 = 1/2, DCG@2 / IDCG@2 = 0.8597, and " +
			"0.8597 again for the whole list",
	},
	better: betterOwnGain,
	unfold: func(u *unfolder) {
		ideal := slices.Clone(u.m.idealGains(u.t))
		if u.t.relevant(u.m.rel) == 0 {
			ideal = nil
		}
		// weight[r] is the weight of the discounted gain at rank r+1: 1/IDCG of every point at or below it.
		weight := make([]float64, len(ideal)+1)
		idcg, points := 0.0, 0
		for i, g := range ideal {
			idcg += g / log2Rank(int32(i+1))
			if i+1 == len(ideal) || ideal[i+1] != g {
				weight[i] = 1 / idcg
				points++
			}
		}
		if points > 0 && len(u.list) > len(ideal)+1 {
			weight[len(ideal)] = 1 / idcg
			points++
		}
		for i := len(weight) - 2; i >= 0; i-- {
			weight[i] += weight[i+1]
		}
		u.each(0, func(p *Part) bool {
			g, w := u.m.gain(p.Grade), weight[min(p.Rank-1, len(ideal))]
			if g != 0 && w != 0 && p.Grade != Unjudged {
				p.Term, p.Work = float64(g/log2Rank(int32(p.Rank))*w), say.Plain.Short(g)+" / "+logOf(p.Rank)+" x "+
					say.Plain.Short(w)
			}
			return true
		})
		u.over(float64(points), "ranks at which nDCG is taken")
	},
	score: func(m Measure, t *Topic) float64 {
		if t.relevant(m.rel) == 0 {
			return 0
		}
		ideal := m.idealGains(t)
		hits, n := t.list(m.judged)
		var idcg, dcg, sum float64
		next, points := 0, 0 // next: first hit not yet in dcg
		for b := 1; b <= len(ideal); b++ {
			idcg += ideal[b-1] / log2Rank(int32(b))
			for next < len(hits) && int(hits[next].Rank) <= b {
				dcg += m.gain(hits[next].Grade) / log2Rank(hits[next].Rank)
				next++
			}
			if b == len(ideal) || ideal[b] != ideal[b-1] {
				sum += dcg / idcg
				points++
			}
		}
		if points == 0 {
			return 0
		}
		if n > len(ideal)+1 {
			for ; next < len(hits); next++ {
				dcg += m.gain(hits[next].Grade) / log2Rank(hits[next].Rank)
			}
			sum += dcg / idcg
			points++
		}
		return sum / float64(points)
	},
}
