//go:build !first

package measure

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoG = Info{
	Name:   "G",
	Title:  "normalised gain G",
	Brief:  "Every document's gain counts less the further the ranking has fallen behind the ideal one.",
	Group:  Graded,
	Params: []Param{paramGains, judgedOnly},
	Formula: "G = (1 / sum of all positive gains) sum over ranks i of gain(i) / log2(2 + C(i) - S(i)), S(i) the " +
		"gain found up to i, C(i) the sum over j <= i of max(1, ideal gain at j)",
	High:      1,
	Reference: "C. Buckley, the experimental measure G in trec_eval, 2008",
	Example: Example{
		Measure: "G", Ranked: []float64{0, 2}, Judged: []float64{0, 2}, Value: 1 / 1.5849625007211562,
		Working: "at rank 2 the ideal cost is 2 + 1 and the gain found 2: 2 / log2(3), divided by 2",
	},
	better: betterOwnGain,
	spread: spreadG,
	unfold: func(u *unfolder) {
		ideal := slices.Clone(u.m.idealGains(u.t))
		cost, found, next := 0.0, 0.0, 0
		u.each(0, func(p *Part) bool {
			g := u.m.gain(p.Grade)
			if g == 0 || p.Grade == Unjudged {
				return true
			}
			for ; next < p.Rank; next++ {
				cost += idealCost(ideal, next)
			}
			found += g
			p.Term, p.Work = gTerm(g, cost, found), say.Plain.Short(g)+" / log2("+say.Plain.Short(2+cost-found)+")"
			return true
		})
		u.over(sum(ideal), "all gain there is")
	},
	score: func(m Measure, t *Topic) float64 {
		ideal := m.idealGains(t)
		total := 0.0
		for _, g := range ideal {
			total += g
		}
		if total <= 0 {
			return 0
		}
		hits, _ := t.list(m.judged)
		var cost, found, sum float64
		next := 0
		for _, h := range hits {
			g := m.gain(h.Grade)
			if g == 0 {
				continue
			}
			for ; next < int(h.Rank); next++ {
				cost += idealCost(ideal, next)
			}
			found += g
			sum += gTerm(g, cost, found)
		}
		return sum / total
	},
}

// idealCost returns what rank i+1 adds to the cost of G: the ideal gain there, at least 1.
func idealCost(ideal []float64, i int) float64 {
	if i < len(ideal) {
		return max(ideal[i], 1)
	}
	return 1
}

// gTerm returns a document's contribution to G before normalisation. found includes its own gain.
func gTerm(gain, cost, found float64) float64 { return gain / log2(2+cost-found) }

// spreadG: every rank costs at least 1, so the best order puts documents without gain last.
func spreadG(m Measure, t *Topic) (lo, hi float64, ok bool) {
	ideal := slices.Clone(m.idealGains(t))
	total := sum(ideal)
	if total <= 0 {
		return 0, 0, true
	}
	grades, scores := t.gradesSeen(m.judged)
	p := &tieProblem{scores: scores}
	var gains []float64
	p.class, gains = classesBy(len(grades), func(i int) float64 { return m.gain(grades[i]) })
	if slices.ContainsFunc(gains, func(g float64) bool { return g < 0 }) {
		return 0, 0, false // a negative gain lowers found, so the best order may put it anywhere
	}
	p.count = len(gains)
	cost := make([]float64, len(grades)+1)
	for i := range grades {
		cost[i+1] = cost[i] + idealCost(ideal, i)
	}
	p.add = func(c, r int, above []int) float64 {
		found := gains[c]
		for d, n := range above {
			found += float64(gains[d] * float64(n))
		}
		return gTerm(gains[c], cost[r], found)
	}
	lo, hi, ok = p.solve()
	return lo / total, hi / total, ok
}
