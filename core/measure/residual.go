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
	d := t
	if t.Ranked == nil {
		d = t.dense()
	}
	if top := t.top(); d.TopGrade != top {
		c := *d
		c.TopGrade = top
		d = &c
	}
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

// openFirst is openWeights for measures that see no more of a topic than the grades of the first ranks, down to the cutoff: the two
// rankings that it needs are made no longer than that, in memory of the topic.
func openFirst(m Measure, t *Topic) Range {
	n := len(t.Ranked)
	if m.cut > 0 {
		n = min(n, m.cut)
	}
	full := m.fullGrade(t)
	a := t.scratch()
	score := func(unjudged int32) float64 {
		h := a.hitBuf[:0]
		for i, g := range t.Ranked[:n] {
			if g < 0 {
				g = unjudged
			}
			h = append(h, Hit{int32(i + 1), g})
		}
		a.hitBuf, a.hits, a.n, a.ready, a.condReady = h, h, n, true, false
		return m.info.score(m, a)
	}
	a.TopGrade = t.TopGrade
	lo := score(0)
	a.TopGrade = max(t.TopGrade, full)
	hi := score(full)
	return Range{min(lo, hi), max(lo, hi), true}
}

// scratch returns a topic for intermediate rankings, whose memory t keeps.
func (t *Topic) scratch() *Topic {
	if t.spare == nil {
		t.spare = &Topic{}
	}
	t.spare.Reset()
	return t.spare
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
	r := openFirst(m, t)
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
//
// With a cutoff c no k(l) above c need be tried: the c highest unjudged documents are all that can stand within it, and c further
// relevant documents fill the ideal list.
func openNDCG(m Measure, t *Topic) Range {
	m.judged = false // everything will be judged
	top := t.top()
	u := len(t.Ranked) // unjudged documents
	for _, h := range t.hits {
		if h.Grade >= 0 {
			u--
		}
	}
	if m.cut > 0 {
		u = min(u, m.cut)
	}

	// Levels: between two grades that occur, every level has the same documents.
	levels := []int32{top}
	for _, g := range t.ideal {
		if g < top && g != levels[len(levels)-1] {
			levels = append(levels, g)
		}
	}
	slices.Reverse(levels)
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
		for _, j := range t.ideal {
			if j >= g {
				ls[i].have++
			}
		}
		for _, h := range t.hits {
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
	most := u
	for _, l := range ls {
		most = max(most, l.have+u)
	}
	room := t.floats(2*(u+1) + most + 1 + (len(ls)+1)*(u+1))
	take := func(n int) []float64 {
		v := room[:n:n]
		room = room[n:]
		return v
	}
	first, last := take(u+1), take(u+1) // discounts of the k highest and lowest unjudged documents
	for k, rank := 1, 0; k <= u; rank++ {
		if t.Ranked[rank] < 0 {
			first[k] = first[k-1] + discount(rank+1)
			k++
		}
	}
	for k, rank := 1, len(t.Ranked)-1; k <= u; rank-- {
		if t.Ranked[rank] < 0 {
			last[k] = last[k-1] + discount(rank+1)
			k++
		}
	}
	ideal := take(most + 1)
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
	k := make([]int, len(ls))
	search := func(found []float64, solve func(x float64), better func(a, b float64) bool) float64 {
		clear(k)
		best := ratio(k, found)
		for range 100 {
			solve(best)
			v := ratio(k, found)
			if !better(v, best) {
				break
			}
			best = v
		}
		return best
	}
	highest := func(x float64) {
		// The best number falls from level to level by itself: a higher level has fewer judged documents, so that every further
		// one costs more of the ideal.
		for l := range ls {
			bestV := math.Inf(-1)
			costs := ideal[ls[l].have:]
			for n, f := range first {
				if v := f - float64(x*costs[n]); v > bestV {
					bestV, k[l] = v, n
				}
			}
			if l > 0 {
				k[l] = min(k[l], k[l-1])
			}
		}
	}
	best := make([][]float64, len(ls)+1)
	for l := range best {
		best[l] = take(u + 1)
	}
	at := t.ints(len(ls) * (u + 1))
	lowest := func(x float64) {
		// Here the numbers must be kept from rising: best[l][n] is the best for levels l and above with at most n at l.
		for l := len(ls) - 1; l >= 0; l-- {
			here, above, at := best[l], best[l+1], at[l*(u+1):]
			costs := ideal[ls[l].have:]
			for n := range here {
				v := float64(ls[l].gain*(last[n]-float64(x*costs[n]))) + above[n]
				if n == 0 || v < here[n-1] {
					here[n], at[n] = v, int32(n)
				} else {
					here[n], at[n] = here[n-1], at[n-1]
				}
			}
		}
		n := u
		for l := range ls {
			n = int(at[l*(u+1)+n])
			k[l] = n
		}
	}
	hi := search(first, highest, func(a, b float64) bool { return a > b+1e-15 })
	// A guess of 0 finds the smallest DCG; any order will do to start from.
	lo := search(last, lowest, func(a, b float64) bool { return a < b-1e-15 })
	return Range{lo, hi, true}
}

// floats and ints return memory of the topic for n numbers, all 0 at first, until the next call.
func (t *Topic) floats(n int) []float64 {
	if cap(t.openFloats) < n {
		t.openFloats = make([]float64, n+n/4)
	}
	v := t.openFloats[:n]
	clear(v)
	return v
}

func (t *Topic) ints(n int) []int32 {
	if cap(t.openInts) < n {
		t.openInts = make([]int32, n+n/4)
	}
	v := t.openInts[:n]
	clear(v)
	return v
}
