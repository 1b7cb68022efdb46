// Package evaluation computes every figure about rankings, whatever gave them: systems retrieved here
// (core/experiment), runs imported from files (core/evaluate/compare) or backends. It retrieves nothing, reads no file and tests
// nothing (core/evaluate/report).
//
// Order of the pipeline: a Source joins rankings with judgments -> Evaluation.Measure fills a report.Report with
// values, ties, residuals and coverage -> Report.Conclude tests them. Unfold takes one value apart. Depth says how deep
// a source must rank.
package evaluation

import (
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// ErrCancelled is returned when the caller asked to stop.
var ErrCancelled = report.ErrCancelled

// Source gives rankings joined with judgments, under a policy. Systems and queries are numbered as in the report.
type Source interface {
	// Topic fills what measures see of a system's ranking of a query. The slices are valid until the next call.
	Topic(t *measure.Topic, system, query int)
	// Size is the length of that ranking, 0 if there is none.
	Size(system, query int) int
	// Cut is the depth at which the policy cuts rankings, 0 if it cuts none.
	Cut() int
	// Whole is Topic without the cut.
	Whole(t *measure.Topic, system, query int)
}

// Watch lets a caller follow and stop a long evaluation. Both functions may be nil.
type Watch struct {
	Cancel   func() bool           // polled between queries
	Progress func(done, total int) // called after every ranking
}

// Evaluation is the rankings of a Source and what is measured of them: the one path by which a value, a mean or a
// report comes about. Whoever has rankings names their source, and the rest is here.
type Evaluation struct {
	Source
	Systems, Queries int
	Asked, Applied   []measure.Measure // as they were written, and as the policy makes them
	Policy           measure.Policy
	Protocol         report.Protocol
	// all grades of a query, valid until the next call; nil if nobody counts them
	Judged func(query int) []float64
}

// Each calls visit with every ranking, system by system. The topic is valid until the next call. cancel, which may be
// nil, is polled before each. The error is ErrCancelled.
func (x *Evaluation) Each(cancel func() bool, visit func(system, query int, t *measure.Topic)) error {
	var t measure.Topic
	for s := range x.Systems {
		for q := range x.Queries {
			if cancel != nil && cancel() {
				return ErrCancelled
			}
			x.Topic(&t, s, q)
			visit(s, q, &t)
		}
	}
	return nil
}

// Values returns the values of measures, Values[measure][system][query]: those of a report, long before its bounds and
// tests are known. The error is ErrCancelled.
func (x *Evaluation) Values(applied []measure.Measure, cancel func() bool) ([][][]float64, error) {
	out := make([][][]float64, len(applied))
	for m := range out {
		out[m] = make([][]float64, x.Systems)
	}
	return out, x.Each(cancel, func(s, _ int, t *measure.Topic) {
		for m, a := range applied {
			out[m][s] = append(out[m][s], a.Score(t))
		}
	})
}

// Means returns the mean of every measure for every system, Means[measure][system]. The error is ErrCancelled.
func (x *Evaluation) Means(cancel func() bool) ([][]float64, error) {
	values, err := x.Values(x.Applied, cancel)
	out := make([][]float64, len(values))
	for m := range values {
		for _, v := range values[m] {
			out[m] = append(out[m], measure.Mean(v))
		}
	}
	return out, err
}

// Measure fills the Columns of r with values, ties and residuals, its Stats, Coverage and Decisions, the Relevant of
// its queries and the Missing of its systems. Systems and Queries must be there. The page's first program leaves ties
// and residuals unknown (NaN). It appends a warning for each column whose ties have more orders than were tried. The
// error is ErrCancelled.
func (x *Evaluation) Measure(r *report.Report, w Watch) error {
	e := evaluator{r: r, src: x.Source, applied: x.Applied}
	r.Decisions = Decisions(x.Policy, x.Protocol)
	if x.Judged != nil {
		x.count(r)
	}
	e.prepare()
	if len(r.Coverage) == 0 {
		r.Coverage = make([]report.Coverage, len(r.Systems))
	}
	for m, a := range x.Asked {
		r.Measures = append(r.Measures, a.String())
		r.Columns = append(r.Columns, report.Column{Measure: a.String(), Applied: x.Applied[m].String(),
			Values: make([][]float64, len(r.Systems))})
	}
	for s := range r.Systems {
		e.beginBounds()
		for q := range r.Queries {
			if w.Cancel != nil && w.Cancel() {
				return ErrCancelled
			}
			e.add(s, q)
			if w.Progress != nil {
				w.Progress(s*len(r.Queries)+q+1, len(r.Systems)*len(r.Queries))
			}
		}
		e.end(s)
	}
	return nil
}

// evaluator measures one system after the other.
type evaluator struct {
	r       *report.Report
	src     Source
	applied []measure.Measure
	topic   measure.Topic
	bounds  bounds // what ties and unjudged documents could make of the means
}

// add measures query q of system s.
func (e *evaluator) add(s, q int) {
	t := &e.topic
	e.src.Topic(t, s, q)
	u := &e.r.Coverage[s]
	if t.Missing {
		e.r.Systems[s].Missing++
		if len(u.Missing) < 10 {
			u.Missing = append(u.Missing, t.Query)
		}
	} else {
		u.Queries++
	}
	tied := cover(u, t)
	cuts := e.cutTie(s, q, tied)
	for m, a := range e.applied {
		v := a.Score(t)
		e.r.Columns[m].Values[s] = append(e.r.Columns[m].Values[s], v)
		e.bound(m, v, tied, cuts)
	}
}

// end writes the means of system s.
func (e *evaluator) end(s int) {
	for m := range e.applied {
		col := &e.r.Columns[m]
		col.Geometric = append(col.Geometric, measure.GeometricMean(col.Values[s]))
		col.Median = append(col.Median, measure.Median(col.Values[s]))
		e.endBounds(s, m)
	}
}

// cover counts what the ranking of a query has and reports whether there are ties.
func cover(u *report.Coverage, t *measure.Topic) bool {
	u.Documents += len(t.Ranked)
	for i, g := range t.Ranked {
		if i == report.Window {
			break
		}
		u.Top++
		if g == measure.Unjudged {
			u.Unjudged++
		}
	}
	before := u.Tied
	for i := range t.Scores {
		if i > 0 && t.Scores[i] == t.Scores[i-1] || i+1 < len(t.Scores) && t.Scores[i] == t.Scores[i+1] {
			u.Tied++
		}
	}
	if u.Tied == before {
		return false
	}
	u.TiedIn++
	return true
}

// count counts the judgments of the queries.
func (x *Evaluation) count(r *report.Report) {
	s := &r.Stats
	s.Queries = len(r.Queries)
	var relevant []int
	counts := map[float64]int{}
	for q := range r.Queries {
		n := 0
		for _, g := range x.Judged(q) {
			counts[g]++
			s.Judgments++
			if g >= x.Policy.Level() {
				n++
			}
		}
		s.Relevant += n
		if n == 0 {
			s.Barren++
		}
		r.Queries[q].Relevant = n
		relevant = append(relevant, n)
	}
	var grades []float64
	for g := range counts {
		grades = append(grades, g)
	}
	slices.Sort(grades)
	for _, g := range grades {
		s.Grades = append(s.Grades, report.Grade{Grade: g, Count: counts[g]})
	}
	if n := len(relevant); n > 0 {
		slices.Sort(relevant)
		s.RelevantMin, s.RelevantMax = relevant[0], relevant[n-1]
		s.RelevantMedian = float64(relevant[(n-1)/2]+relevant[n/2]) / 2
	}
}
