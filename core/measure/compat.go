//go:build !first

package measure

import (
	"math"
	"sort"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoCompat = Info{
	Name:  "Compat",
	Title: "compatibility",
	Brief: "How much the ranking overlaps with an ideal ranking, with more weight at the top (rank-biased overlap).",
	Group: Graded,
	Params: []Param{
		{Name: "p", Kind: KindFloat, Default: 0.95, Min: 0, Max: 1,
			Doc: "persistence: how slowly weight falls with depth"},
		{Name: "normalize", Kind: KindBool, Default: 1,
			Doc: "divide by the score of the ideal ranking"},
	},
	Formula: "Compat = RBO(ranking, ideal) / RBO(ideal, ideal); RBO = (sum over depths i of p^(i-1) |common " +
		"documents up to i| / i) / " +
		"(sum of p^(i-1)) up to the longer list; ideal: documents with positive grade by grade, equal grades in the " +
		"order of the ranking, those not retrieved last",
	High:      1,
	Reference: "C. L. A. Clarke, A. Vtyurina and M. D. Smucker, Assessing top-k preferences, ACM TOIS 39(3), 2021",
	Example: Example{
		Measure: "Compat(p=0.5)", Ranked: []float64{0, 1}, Judged: []float64{0, 1}, Value: 0.25 / 1.25,
		Working: "the ideal is the one relevant document. Overlap 0 at depth 1, 1/2 at depth 2 with weight 1/2: " +
			"0.25; the ideal itself 1 + 0.25",
	},
	Notes: []string{
		"ir_measures orders documents of equal grade by their score in the run, 0 for those not retrieved: in a run " +
			"with negative scores those come before the retrieved ones and the ideal is no longer the nearest one.",
		"If scores are tied too, ir_measures uses the order of the qrels file; Rankbox uses the order of the ranking.",
	},
	better: betterGrade,
	spread: spreadCompat,
	unfold: func(u *unfolder) {
		size := len(u.t.ideal)
		depth := max(len(u.list), size)
		from := make([]float64, depth+2) // total weight of the depths from i on
		w, weights, best := 1.0, 0.0, 0.0
		for i := 1; i <= depth; i++ {
			from[i] = w / float64(i)
			best += w * float64(min(i, size)) / float64(i)
			weights += w
			w = float64(w * u.m.Float("p"))
		}
		for i := depth; i > 0; i-- {
			from[i] += from[i+1]
		}
		next := u.t.idealPositions()
		u.each(0, func(p *Part) bool {
			if p.Grade > 0 {
				if at := max(p.Rank, next.take(p.Grade)); at <= depth {
					p.Term, p.Work = from[at], say.Plain.Short(from[at])
				}
			}
			return true
		})
		switch {
		case size == 0:
			u.over(0, byRelevant)
		case u.m.Float("normalize") != 0:
			u.over(best, byBest)
		default:
			u.over(weights, "the weights of all depths")
		}
	},
	score: func(m Measure, t *Topic) float64 {
		hits, n := t.list(m.judged)
		size := len(t.ideal)
		depth := max(n, size)
		if size == 0 {
			return 0
		}
		common := t.counts(depth + 1)
		next := t.idealPositions()
		for _, h := range hits {
			if h.Grade > 0 {
				if at := max(int(h.Rank), next.take(h.Grade)); at <= depth {
					common[at]++
				}
			}
		}
		p := m.Float("p")
		var score, best, weights float64
		weight, overlap := 1.0, int32(0)
		for i := 1; i <= depth; i++ {
			overlap += common[i]
			score += weight * float64(overlap) / float64(i)
			best += weight * float64(min(i, size)) / float64(i)
			weights += weight
			weight = float64(weight * p)
		}
		if m.Float("normalize") != 0 {
			return score / best
		}
		return score / weights
	},
}

// idealPlaces assigns the positions of an ideal ranking, grade by grade.
type idealPlaces struct {
	ideal []float64
	taken []int32 // taken[i]: positions assigned of the grade that starts at ideal[i]
}

// take returns the next position (from 1) for a document of the grade.
func (p idealPlaces) take(grade float64) int {
	lo, hi := 0, len(p.ideal)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.ideal[mid] > grade {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo >= len(p.ideal) {
		return math.MaxInt // a grade that Judged lacks: the topic is inconsistent
	}
	p.taken[lo]++
	return lo + int(p.taken[lo])
}

// counts returns n zeroed counters in the topic's memory.
func (t *Topic) counts(n int) []int32 {
	t.countBuf = zeroed(t.countBuf, n)
	return t.countBuf
}

// idealPositions returns the positions of the topic's ideal ranking, none assigned.
func (t *Topic) idealPositions() idealPlaces {
	t.takenBuf = zeroed(t.takenBuf, len(t.ideal))
	return idealPlaces{t.ideal, t.takenBuf}
}

// spreadCompat: a document adds the weight of all depths from the larger of its rank and its position in the ideal
// ranking. That position depends on how many documents of its grade rank above it.
func spreadCompat(m Measure, t *Topic) (lo, hi float64, ok bool) {
	size := len(t.ideal)
	if size == 0 {
		return 0, 0, true
	}
	grades, scores := t.gradesSeen(m.judged)
	depth := max(len(grades), size)
	from := make([]float64, depth+2) // total weight of the depths from i on
	weight := make([]float64, depth+1)
	w, weights, best, persistence := 1.0, 0.0, 0.0, m.Float("p")
	for i := 1; i <= depth; i++ {
		weight[i] = w / float64(i)
		best += w * float64(min(i, size)) / float64(i)
		weights += w
		w = float64(w * persistence)
	}
	for i := depth; i >= 1; i-- {
		from[i] = from[i+1] + weight[i]
	}
	p := &tieProblem{scores: scores}
	var values []float64
	p.class, values = classesBy(len(grades), func(i int) float64 { return max(grades[i], 0) })
	p.count = len(values)
	start := make([]int, len(values)) // documents of higher grade in the qrels
	for c, v := range values {
		start[c] = sort.Search(size, func(i int) bool { return t.ideal[i] <= v })
	}
	p.add = func(c, r int, above []int) float64 {
		place := start[c] + above[c] + 1
		if place > depth {
			return 0
		}
		return from[max(r, place)]
	}
	lo, hi, ok = p.solve()
	norm := weights
	if m.Float("normalize") != 0 {
		norm = best
	}
	return lo / norm, hi / norm, ok
}
