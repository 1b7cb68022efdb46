package measure

import (
	"math"
	"slices"
)

// residual is how the bounds of a measure are found; without bounds there are none.
type residual struct {
	bounds func(m Measure, t *Topic) Range
	// They cost no more than sorting the list, where others cost up to the square of its length
	quick bool
	work  func(m Measure, t *Topic) int // what else they cost where the scale has many grades; nil: nothing
}

// maxResidualWork bounds the work of one query, and with it the memory: 64 MB.
const maxResidualWork = 1 << 24

// What several measures share.
var (
	openFirst   = residual{bounds: boundFirst, quick: true}
	openWeights = residual{bounds: boundWeights}
	openScan    = residual{bounds: boundScan}
)

// QuickResidual reports whether Residual costs no more than sorting the list; otherwise up to the square of its length.
func (in *Info) QuickResidual() bool { return in.open.quick }

// IsLeast reports whether judging the documents without a judgment can only raise the value, so that what was measured
// is the least that it could be. Of other measures the range has to be quoted: nDCG and AP fall where their divisor
// grows.
func (m Measure) IsLeast() bool {
	return m.info.least != nil && m.info.least(&m) && !m.judged && (m.table == nil || m.table.key == nil)
}

// always serves measures whose value every further judgment raises or leaves.
func always(*Measure) bool { return true }

// Residual returns the smallest and the largest value the measure could take if the unjudged documents of the ranking
// (and those with a negative grade) were judged after all, each with any grade from 0 to the top grade of the scale.
// Documents that are neither judged nor retrieved stay not relevant, and nothing stands below the list: what could
// stand there is no judgment that is missing (rbp_resid counts it). ok is false for measures without
// such a bound, and with custom gains.
//
// The bounds are exact, by exchange arguments: with a given number of new relevant documents the value is largest if
// they are the highest unjudged ones of the ranking and smallest if they are the lowest, so that every number is tried;
// nDCG, where grades can differ, is solved grade by grade. INST and BPM can fall where a gain rises. For BPM every gain
// up to a rank is tried; for INST the two values are those of cwl_eval, with every unjudged document at grade 0 and at
// the top grade, and Exact is false: other judgments may give less or more.
//
// What a score can still gain is High - Score. It may be that Low > Score: a
// measure that passes over unjudged documents (Bpref, judged_only) changes as soon as they have any judgment.
//
// A scale of very many grades can cost nDCG the documents times the grades: above maxResidualWork ok is false too.
func (m Measure) Residual(t *Topic) (r Range, ok bool) {
	if m.info.open.bounds == nil || m.table != nil && m.table.key != nil || m.ResidualWork(t) > maxResidualWork {
		return Range{}, false
	}
	d := t
	if t.Ranked == nil {
		d = t.dense()
	}
	if top := t.top(); d.TopGrade != top {
		c := *d
		c.TopGrade = top
		d = &c
	}
	r = m.info.open.bounds(m, d)
	return r, true
}

// ResidualWork returns what Residual costs beyond what QuickResidual says: 0 where the scale has as many grades as
// people give, otherwise grades times documents.
func (m Measure) ResidualWork(t *Topic) int {
	t.Prepare()
	if m.info.open.work == nil {
		return 0
	}
	return m.info.open.work(m, t)
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

// assigned returns the topic with every unjudged document of the ranking judged: those at the indices in rel with
// grade, the others 0.
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

// boundWeights serves measures that only grow with every gain: all unjudged documents at 0, and all at the top.
func boundWeights(m Measure, t *Topic) Range {
	open := t.unjudgedRanks()
	lo := m.Score(t.assigned(nil, 0))
	hi := m.Score(t.assigned(open, m.fullGrade(t)))
	return Range{min(lo, hi), max(lo, hi), true}
}

// boundFirst is boundWeights for measures that see no more of a topic than the grades of the first ranks, down to the
// cutoff: the two rankings that it needs are made no longer than that, in memory of the topic.
func boundFirst(m Measure, t *Topic) Range {
	n := m.within(len(t.Ranked))
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

// boundScan serves measures of relevant documents whose divisor grows with them: every number of new relevant
// documents, the highest for the upper bound, the lowest for the lower one.
func boundScan(m Measure, t *Topic) Range {
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

// floats and ints return memory of the topic for n numbers, all 0 at first, until the next call.
func (t *Topic) floats(n int) []float64 {
	t.openFloats = zeroed(t.openFloats, n)
	return t.openFloats
}

func (t *Topic) ints(n int) []int32 {
	t.openInts = zeroed(t.openInts, n)
	return t.openInts
}
