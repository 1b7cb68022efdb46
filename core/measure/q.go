//go:build !first

package measure

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoQ = Info{
	Name:  "Q",
	Title: "Q-measure",
	Brief: "Average precision for graded relevance: at every relevant document precision is blended with the gain so " +
		"far as a share of the ideal ranking's.",
	Group: Graded,
	Aliases: []Alias{
		{"NTCIREVAL", "Q-measure", ""},
	},
	Params: []Param{
		{Name: "beta", Kind: KindFloat, Default: 1, Min: 0, Max: 1e6,
			Doc: "weight of gain against precision: 0 is AP; the larger, the less rank counts"},
		paramGains, judgedOnly, cutoff,
	},
	Formula: "Q@k = (1/min(R, k)) sum over documents with gain at rank i <= k of (n(i) + beta S(i)) / (i + beta " +
		"I(i)), n(i) the documents with gain up to i, " +
		"S(i) their gain, I(i) that of the ideal ranking, R the judged documents with gain; 0 if R = 0",
	High: 1,
	Reference: "T. Sakai, Ranking the NTCIR systems based on multigrade relevance, AIRS 2004; T. Sakai, Graded " +
		"relevance assessments and graded relevance measures " +
		"of NTCIR, arXiv:1903.11272 (the cutoff)",
	Example: Example{
		Measure: "Q", Ranked: []float64{0, 3, 1}, Judged: []float64{0, 3, 1, 1}, Value: (4.0/6 + 6.0/8) / 3,
		Working: "the ideal gains add up to 3, 4, 5: (1 + 3) / (2 + 4) at rank 2, (2 + 4) / (3 + 5) at rank 3; three " +
			"relevant documents: (0.6667 + 0.75) / 3",
	},
	Notes: []string{
		"NTCIREVAL divides by R without a cutoff and by min(R, k) with one, unlike AP@k, which divides by R.",
		"A custom gain below 0 counts as 0.",
	},
	better: betterOwnGain,
	unfold: func(u *unfolder) {
		ideal := u.m.idealGains(u.t)
		beta := u.m.Float("beta")
		n, next, found, best := 0, 0, 0.0, 0.0
		u.each(u.m.cut, func(p *Part) bool {
			g := u.m.gain(p.Grade)
			if g <= 0 || p.Grade == Unjudged {
				return true
			}
			for ; next < len(ideal) && next < p.Rank; next++ {
				best += ideal[next]
			}
			n++
			found += g
			p.Term = blendedRatio(n, p.Rank, beta, found, best)
			p.Work = "(" + strconv.Itoa(n) + " + " + say.Plain.Short(float64(beta*found)) + ")/(" +
				strconv.Itoa(p.Rank) + " + " + say.Plain.Short(float64(beta*best)) + ")"
			return true
		})
		u.over(float64(u.m.usedRanks(len(ideal))), byRelevant)
	},
	score: func(m Measure, t *Topic) float64 {
		ideal := m.idealGains(t)
		r := m.usedRanks(len(ideal))
		if r == 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		n, next, found, best, sum, beta := 0, 0, 0.0, 0.0, 0.0, m.Float("beta")
		for _, h := range hits {
			if m.cut > 0 && int(h.Rank) > m.cut {
				break
			}
			g := m.gain(h.Grade)
			if g <= 0 {
				continue
			}
			for ; next < len(ideal) && next < int(h.Rank); next++ {
				best += ideal[next]
			}
			n++
			found += g
			sum += blendedRatio(n, int(h.Rank), beta, found, best)
		}
		return sum / float64(r)
	},
}

// blendedRatio returns a relevant document's contribution at a rank: n documents with gain have been found so far,
// with total gain found out of the best possible.
func blendedRatio(n, rank int, beta, found, best float64) float64 {
	return (float64(n) + float64(beta*found)) / (float64(rank) + float64(beta*best))
}
