package measure

import (
	"math"
	"slices"
)

// residual computes the bounds of a measure over unjudged documents; without bounds the measure has none.
type residual struct {
	bounds func(m Measure, t *Topic) Range
	// The bounds cost no more than sorting the list. Others cost up to the square of its length.
	quick bool
	work  func(m Measure, t *Topic) int // extra cost of a scale with many grades; nil: none
}

// maxResidualWork limits the work for one query, and with it the memory: 64 MB.
const maxResidualWork = 1 << 24

// Shared by several measures:
var (
	openFirst   = residual{bounds: boundFirst, quick: true}
	openWeights = residual{bounds: boundWeights}
	openScan    = residual{bounds: boundScan}
)

// QuickResidual reports whether Residual costs no more than sorting the list. Otherwise it costs up to the square
// of its length.
func (in *Info) QuickResidual() bool { return in.open.quick }

// IsLeast reports whether judging unjudged documents can only raise the value, so that the measured value is the
// minimum. For other measures quote the range: nDCG and AP fall when their divisor grows.
func (m Measure) IsLeast() bool {
	return m.info.least != nil && m.info.least(&m) && !m.judged && (m.table == nil || m.table.key == nil)
}

// always is for measures whose value no further judgment can lower.
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
		d = t.withRanked()
	}
	if top := t.top(); d.TopGrade != top {
		c := *d
		c.TopGrade = top
		d = &c
	}
	r = m.info.open.bounds(m, d)
	return r, true
}

// ResidualWork returns the cost of Residual beyond QuickResidual: 0 for a usual number of grades, else grades times
// documents.
func (m Measure) ResidualWork(t *Topic) int {
	t.Prepare()
	if m.info.open.work == nil {
		return 0
	}
	return m.info.open.work(m, t)
}

// fullGrade returns the grade of a perfectly relevant document.
func (m *Measure) fullGrade(t *Topic) float64 {
	g := t.top()
	if m.rel != noLevel {
		g = max(g, m.rel)
	}
	return g
}

// unjudgedRanks returns the indices in Ranked of the unjudged documents.
func (t *Topic) unjudgedRanks() []int {
	var out []int
	for i, g := range t.Ranked {
		if g < 0 {
			out = append(out, i)
		}
	}
	return out
}

// assigned returns the topic with every unjudged document of the ranking judged: grade for the indices in rel, 0
// for the others.
func (t *Topic) assigned(rel []int, grade float64) *Topic {
	a := &Topic{TopGrade: max(t.TopGrade, grade), Ranked: slices.Clone(t.Ranked)}
	for i, g := range a.Ranked {
		if g < 0 {
			a.Ranked[i] = 0
		}
	}
	for _, i := range rel {
		a.Ranked[i] = grade
	}
	pending := 0 // negative grades of the qrels that occur in the ranking
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

// boundWeights is for measures that grow with every gain: it gives all unjudged documents grade 0, then the top
// grade.
func boundWeights(m Measure, t *Topic) Range {
	open := t.unjudgedRanks()
	lo := m.Score(t.assigned(nil, 0))
	hi := m.Score(t.assigned(open, m.fullGrade(t)))
	return Range{min(lo, hi), max(lo, hi), true}
}

// boundFirst is boundWeights for measures that use only the grades of the first ranks, up to the cutoff. Its two
// rankings end there and use the topic's memory.
func boundFirst(m Measure, t *Topic) Range {
	n := m.usedRanks(len(t.Ranked))
	full := m.fullGrade(t)
	a := t.scratch()
	score := func(unjudged float64) float64 {
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

// scratch returns a topic for intermediate rankings; t owns its memory.
func (t *Topic) scratch() *Topic {
	if t.scratchTopic == nil {
		t.scratchTopic = &Topic{}
	}
	t.scratchTopic.Reset()
	return t.scratchTopic
}

// boundScan serves measures of relevant documents whose divisor grows with them: every number of new relevant
// documents, the highest for the upper bound, the lowest for the lower one.
func boundScan(m Measure, t *Topic) Range {
	m.judged = false // every document is judged from here on
	open := t.unjudgedRanks()
	u := len(open)
	grade := m.fullGrade(t)
	a := t.assigned(nil, 0)
	a.Prepare()
	// The new grade is the highest of all, so k new documents come first in the ideal order.
	ideal := make([]float64, u, u+len(a.ideal))
	for i := range ideal {
		ideal[i] = grade
	}
	ideal = append(ideal, a.ideal...)
	judged := a.Judged[len(a.Judged)-u:]
	mark := func(i int, g float64) {
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

// floats and ints return n zeros in the topic's memory, valid until the next call.
func (t *Topic) floats(n int) []float64 {
	t.openFloats = zeroed(t.openFloats, n)
	return t.openFloats
}

func (t *Topic) ints(n int) []int32 {
	t.openInts = zeroed(t.openInts, n)
	return t.openInts
}
