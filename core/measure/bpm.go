//go:build !first

package measure

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

var infoBPM = Info{
	Name:    "BPM",
	Title:   "Bejeweled player model (static)",
	Brief:   "The gain per document of a reader who stops after reaching gain T or reading k documents.",
	Group:   User,
	Params:  []Param{paramT, paramMinRel, paramTopGrade, cutoffRequired},
	Formula: "BPM@k = S(s) / s, S(i) the gain up to rank i, s the first rank with S(s) >= T, or k",
	High:    1,
	Reference: "F. Zhang, Y. Liu, X. Li, M. Zhang, Y. Xu and S. Ma, Evaluating web search with a bejeweled player " +
		"model, SIGIR 2017",
	Example: Example{
		Measure: "BPM(max_rel=2)@5", Ranked: []float64{1, 0, 1, 2}, Value: 1.0 / 3,
		Working: "gain 1/2 + 0 + 1/2 reaches T = 1 at rank 3: 1 / 3",
	},
	Notes:  []string{"cwl_eval reads at most the first 1,000 ranks, whatever k is."},
	check:  checkScale,
	better: betterScaled,
	spread: spreadBPM,
	open:   residual{bounds: boundBPM, quick: true},
	unfold: func(u *unfolder) {
		total, stop, goal, scale := 0.0, u.m.cut, u.m.Float("T"), u.m.scale(u.t)
		u.each(u.m.cut, func(p *Part) bool {
			if g := scale.gain(p.Grade); g > 0 {
				p.Term, p.Work = g, say.Plain.Short(g)
				total += g
			}
			if total >= goal {
				stop = p.Rank
				return false
			}
			return true
		})
		u.over(float64(stop), "documents looked at")
	},
	score: func(m Measure, t *Topic) float64 {
		hits, _ := t.list(m.judged)
		total, goal, scale := 0.0, m.Float("T"), m.scale(t)
		for _, h := range hits {
			if int(h.Rank) > m.cut {
				break
			}
			total += scale.gain(h.Grade)
			if total >= goal {
				return total / float64(h.Rank)
			}
		}
		return total / float64(m.cut)
	},
}

// spreadBPM: the reader stops in the first tie that can raise the gain to T, or that contains rank k. It tries
// every number of documents of each gain before the stop, with as few and as many documents without gain as
// possible.
func spreadBPM(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.gradesSeen(m.judged)
	goal, k, scale := m.Float("T"), m.cut, m.scale(t)
	lo, hi = math.Inf(1), math.Inf(-1)
	found := 0.0
	for from := 0; from < len(grades) && from < k; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		class, gains := classesBy(to-from, func(i int) float64 { return scale.gain(grades[from+i]) })
		have := make([]int, len(gains))
		blanks, states := 0, 1
		total := found
		for i, c := range class {
			if c == none {
				blanks++
			} else {
				have[c]++
				total += scale.gain(grades[from+i])
			}
		}
		if total < goal && to < k {
			found = total
			from = to
			continue
		}
		for _, n := range have {
			if states *= n + 1; states > maxTieStates {
				return 0, 0, false
			}
		}
		placed := make([]int, len(gains))
		for s := range states {
			if s > 0 {
				for d := 0; ; d++ {
					if placed[d] < have[d] {
						placed[d]++
						break
					}
					placed[d] = 0
				}
			}
			g, n := found, from
			for c, p := range placed {
				g += float64(gains[c] * float64(p))
				n += p
			}
			if g >= goal || n > k {
				continue
			}
			if rest := k - n; rest <= blanks { // the reader reaches rank k first
				lo, hi = min(lo, g/float64(k)), max(hi, g/float64(k))
			}
			for c, p := range placed {
				if p == have[c] || g+gains[c] < goal {
					continue
				}
				for _, b := range [2]int{0, min(blanks, k-n-1)} {
					if r := n + b + 1; b >= 0 && r <= k {
						v := (g + gains[c]) / float64(r)
						lo, hi = min(lo, v), max(hi, v)
					}
				}
			}
		}
		return lo, hi, true
	}
	v := found / float64(k)
	return v, v, true
}

// boundBPM walks down the ranking with all gains that a reader may have so far: those between a minimum and a maximum
// in steps of a whole grade, since every unjudged document may have any whole grade.
func boundBPM(m Measure, t *Topic) Range {
	scale, goal := m.scale(t), m.Float("T")
	lowest, highest, step := scale.steps(0), scale.steps(t.top()), scale.size
	r := Range{math.Inf(1), math.Inf(-1), true}
	reach := func(steps float64) bool { return steps/step >= goal }
	take := func(low, high float64, rank int) {
		r.Low = min(r.Low, low/step/float64(rank))
		r.High = max(r.High, high/step/float64(rank))
	}
	low, high := 0.0, 0.0
	for i, g := range t.Ranked[:min(len(t.Ranked), m.cut)] {
		least, most := lowest, highest
		if g >= 0 {
			least, most = scale.steps(g), scale.steps(g)
		}
		low, high = low+least, high+most
		stop := low + max(0, math.Trunc(float64(goal*step)-low))
		for ; !reach(stop); stop++ {
		}
		for ; stop > low && reach(stop-1); stop-- {
		}
		if stop <= high {
			take(stop, high, i+1)
			high = stop - 1
		}
		if high < low {
			return r
		}
	}
	take(low, high, m.cut)
	return r
}
