package measure

import (
	"math"
	"slices"
)

// Residual returns the smallest and the largest value the measure could take if the unjudged documents of the ranking (and those
// with a negative grade) were judged after all, each with any grade from 0 to the top grade of the scale. Documents that are
// neither judged nor retrieved stay not relevant. Measures that by their definition look on past the end of the list (RBP, INST,
// INSQ, NERR10, NERR11) also count what could stand there. ok is false for measures without such a bound, and with custom gains.
//
// The bounds are exact, by exchange arguments: with a given number of new relevant documents the value is largest if they are the
// highest unjudged ones of the ranking and smallest if they are the lowest, so that every number is tried; nDCG, where grades can
// differ, is solved grade by grade. Only INST and BPM can fall where a gain rises: for them the two values are those of cwl_eval,
// with every unjudged document at grade 0 and at the top grade, and Exact is false.
//
// What a score can still gain is High - Score, for RBP the residual of Moffat and Zobel. It may be that Low > Score: a measure
// that passes over unjudged documents (Bpref, judged_only) changes as soon as they have any judgment.
func (m Measure) Residual(t *Topic) (r Range, ok bool) {
	if m.info.open == nil || m.table != nil && m.table.key != nil {
		return Range{}, false
	}
	t.Prepare()
	d := t.dense()
	d.TopGrade = t.top()
	r = m.info.open(m, d)
	return r, true
}

// fullGrade is the grade of a document that is as relevant as can be.
func (m *Measure) fullGrade(t *Topic) int32 {
	g := t.top()
	if m.rel != noLevel {
		g = max(g, m.rel)
	}
	return g
}

// unjudgedRanks returns the indices into Ranked of the documents without a judgment.
func (t *Topic) unjudgedRanks() []int {
	var out []int
	for i, g := range t.Ranked {
		if g < 0 {
			out = append(out, i)
		}
	}
	return out
}

// assigned returns the topic with every unjudged document of the ranking judged: those at the indices in rel with grade, the
// others 0.
func (t *Topic) assigned(rel []int, grade int32) *Topic {
	a := &Topic{TopGrade: max(t.TopGrade, grade), Ranked: slices.Clone(t.Ranked)}
	for i, g := range a.Ranked {
		if g < 0 {
			a.Ranked[i] = 0
		}
	}
	for _, i := range rel {
		a.Ranked[i] = grade
	}
	pending := 0 // negative grades of the qrels that the ranking holds
	for _, g := range t.Ranked {
		if g < 0 && g != Unjudged {
			pending++
		}
	}
	for _, g := range t.Judged {
		if g < 0 && pending > 0 {
			pending--
			continue
		}
		a.Judged = append(a.Judged, g)
	}
	for i, g := range t.Ranked {
		if g < 0 {
			a.Judged = append(a.Judged, a.Ranked[i])
		}
	}
	return a
}

// openWeights serves measures that only grow with every gain: all unjudged documents at 0, and all at the top.
func openWeights(m Measure, t *Topic) Range {
	open := t.unjudgedRanks()
	lo := m.Score(t.assigned(nil, 0))
	hi := m.Score(t.assigned(open, m.fullGrade(t)))
	return Range{min(lo, hi), max(lo, hi), true}
}

// openTail does the same for measures that look past the end of the list: there too, at the top, up to the horizon.
func openTail(m Measure, t *Topic) Range {
	lo := m.Score(t.assigned(nil, 0))
	full := *t
	full.Ranked = slices.Clone(t.Ranked)
	for len(full.Ranked) < horizon {
		full.Ranked = append(full.Ranked, Unjudged)
	}
	hi := m.Score(full.assigned(full.unjudgedRanks(), m.fullGrade(t)))
	return Range{min(lo, hi), max(lo, hi), true}
}

// openReader serves INST and BPM.
func openReader(m Measure, t *Topic) Range {
	r := openWeights(m, t)
	if m.cut == 0 {
		r = openTail(m, t)
	}
	r.Exact = false
	return r
}

// openRBP adds the weight p^n of everything after the list, unless a cutoff ends the measure before.
func openRBP(m Measure, t *Topic) Range {
	r := openWeights(m, t)
	n := len(t.Ranked)
	switch {
	case m.cut == 0:
		r.High += power(m.x[slotP], int32(n))
	case m.cut > n:
		r.High += power(m.x[slotP], int32(n)) - power(m.x[slotP], int32(m.cut))
	}
	return r
}

// openScan serves measures of relevant documents whose divisor grows with them: every number of new relevant documents, the
// highest for the upper bound, the lowest for the lower one.
func openScan(m Measure, t *Topic) Range {
	m.judged = false // everything is judged from here on
	open := t.unjudgedRanks()
	u := len(open)
	grade := m.fullGrade(t)
	a := t.assigned(nil, 0)
	a.Prepare()
	// The new grade is the highest of all, so that k new documents stand first in the ideal order.
	ideal := make([]int32, u, u+len(a.ideal))
	for i := range ideal {
		ideal[i] = grade
	}
	ideal = append(ideal, a.ideal...)
	judged := a.Judged[len(a.Judged)-u:]
	mark := func(i int, g int32) {
		a.hits[open[i]].Grade, judged[i] = g, g // every rank is a hit
	}
	r := Range{math.Inf(1), math.Inf(-1), true}
	for k := 0; ; k++ {
		a.ideal = ideal[u-k:]
		r.High = max(r.High, m.Score(a))
		if k == u {
			break
		}
		mark(k, grade)
	}
	for i := range open {
		mark(i, 0)
	}
	for k := 0; ; k++ {
		a.ideal = ideal[u-k:]
		r.Low = min(r.Low, m.Score(a))
		if k == u {
			break
		}
		mark(u-1-k, grade)
	}
	return r
}

// openAccuracy is openScan within the cutoff; documents below it make no difference.
func openAccuracy(m Measure, t *Topic) Range {
	if m.cut > 0 && m.cut < len(t.Ranked) {
		c := *t
		c.Ranked = t.Ranked[:m.cut]
		return openScan(m, &c)
	}
	return openScan(m, t)
}

// openNDCG finds the grades that make DCG/IDCG largest and smallest. Both are sums over the levels l of the scale of the gain that
// level l adds times the discounts of the documents at l or above; in an extreme the documents of a level are the highest (for the
// smallest: lowest) unjudged ones, so that only their number k(l) is open. For a guess x of the ratio, DCG - x IDCG is then solved
// level by level, and its ratio is the next guess (Dinkelbach).
func openNDCG(m Measure, t *Topic) Range {
	m.judged = false // everything will be judged
	open := t.unjudgedRanks()
	top := t.top()
	base := t.assigned(nil, 0)
	base.Prepare()

	// Levels: between two grades that occur, every level has the same documents.
	levels := []int32{top}
	for _, g := range base.ideal {
		if g < top {
			levels = append(levels, g)
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	type level struct {
		gain float64 // what reaching it adds
		have int     // judged documents that reach it
		dcg  float64 // their discounts in the ranking
	}
	ls := make([]level, len(levels))
	prev := 0.0
	for i, g := range levels {
		v := m.gainDCG(g)
		ls[i] = level{gain: v - prev}
		prev = v
		for _, j := range base.ideal {
			if j >= g {
				ls[i].have++
			}
		}
		for _, h := range base.hits {
			if h.Grade >= g && (m.cut == 0 || int(h.Rank) <= m.cut) {
				ls[i].dcg += 1 / log2Rank(h.Rank)
			}
		}
	}
	discount := func(rank int) float64 {
		if m.cut > 0 && rank > m.cut {
			return 0
		}
		return 1 / log2Rank(int32(rank))
	}
	u := len(open)
	first, last := make([]float64, u+1), make([]float64, u+1) // discounts of the k highest and lowest unjudged documents
	for k := 1; k <= u; k++ {
		first[k] = first[k-1] + discount(open[k-1]+1)
		last[k] = last[k-1] + discount(open[u-k]+1)
	}
	most := u
	for _, l := range ls {
		most = max(most, l.have+u)
	}
	ideal := make([]float64, most+1)
	for k := 1; k <= most; k++ {
		ideal[k] = ideal[k-1] + discount(k)
	}
	ratio := func(k []int, found []float64) float64 {
		d, i := 0.0, 0.0
		for l := range ls {
			d += float64(ls[l].gain * (ls[l].dcg + found[k[l]]))
			i += float64(ls[l].gain * ideal[ls[l].have+k[l]])
		}
		if i <= 0 {
			return 0
		}
		return d / i
	}
	search := func(found []float64, solve func(x float64) []int, better func(a, b float64) bool) float64 {
		best := ratio(make([]int, len(ls)), found)
		for range 100 {
			v := ratio(solve(best), found)
			if !better(v, best) {
				break
			}
			best = v
		}
		return best
	}
	highest := func(x float64) []int {
		// The best number falls from level to level by itself: a higher level has fewer judged documents, so that every further
		// one costs more of the ideal.
		k := make([]int, len(ls))
		for l := range ls {
			bestV := math.Inf(-1)
			for n := 0; n <= u; n++ {
				if v := first[n] - float64(x*ideal[ls[l].have+n]); v > bestV {
					bestV, k[l] = v, n
				}
			}
			if l > 0 {
				k[l] = min(k[l], k[l-1])
			}
		}
		return k
	}
	lowest := func(x float64) []int {
		// Here the numbers must be kept from rising: best[l][n] is the best for levels l and above with at most n at l.
		best := make([][]float64, len(ls)+1)
		at := make([][]int, len(ls))
		best[len(ls)] = make([]float64, u+1)
		for l := len(ls) - 1; l >= 0; l-- {
			best[l], at[l] = make([]float64, u+1), make([]int, u+1)
			for n := 0; n <= u; n++ {
				v := float64(ls[l].gain*(last[n]-float64(x*ideal[ls[l].have+n]))) + best[l+1][n]
				if n == 0 || v < best[l][n-1] {
					best[l][n], at[l][n] = v, n
				} else {
					best[l][n], at[l][n] = best[l][n-1], at[l][n-1]
				}
			}
		}
		k := make([]int, len(ls))
		n := u
		for l := range ls {
			n = at[l][n]
			k[l] = n
		}
		return k
	}
	hi := search(first, highest, func(a, b float64) bool { return a > b+1e-15 })
	// A guess of 0 finds the smallest DCG; any order will do to start from.
	lo := search(last, lowest, func(a, b float64) bool { return a < b-1e-15 })
	return Range{lo, hi, true}
}
