package experiment

import (
	"errors"
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// ErrCancelled is returned by an evaluation that was told to stop.
var ErrCancelled = errors.New("experiment: cancelled")

// Evaluate runs every system of spec on every judged query and returns the report. A query that a system cannot answer counts 0
// and is counted in System.Missing. cancel is polled between queries and between resamples; nil never stops.
func (s *Session) Evaluate(spec Spec, cancel func() bool) (*Report, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, errors.New("experiment: there is no system to evaluate")
	}
	if spec.Baseline < 0 || spec.Baseline >= len(nodes) {
		return nil, fmt.Errorf("experiment: there is no system %d to be the baseline", spec.Baseline)
	}
	r := &Report{Collection: s.Ref(), Baseline: spec.Baseline}
	var judged []int
	for i, t := range s.Topics() {
		if len(s.pool[i]) > 0 {
			judged = append(judged, i)
			r.Queries = append(r.Queries, t)
		}
	}
	for _, m := range ms {
		r.Measures = append(r.Measures, m.String())
		r.Columns = append(r.Columns, Column{Measure: m.String(), Values: make([][]float64, len(nodes))})
	}
	s.want(nodes)
	var topic measure.Topic
	for i, n := range nodes {
		done, err := s.run(n, cancel)
		if err != nil {
			return nil, err
		}
		sys := System{Notation: n.String(), Label: n.Label(), Missing: done.missing, Why: done.why}
		r.Systems = append(r.Systems, sys)
		for _, q := range judged {
			s.topic(&topic, q, done.hits[q])
			for m := range ms {
				v := 0.0
				if done.hits[q] != nil {
					v = ms[m].Score(&topic)
				}
				r.Columns[m].Values[i] = append(r.Columns[m].Values[i], v)
			}
		}
	}
	if err := r.conclude(Testing{}, cancel); err != nil {
		return nil, err
	}
	return r, nil
}

// run returns what a pipeline answers to the judged queries, from the kept runs where it is there.
func (s *Session) run(n *pipeline.Node, cancel func() bool) (*run, error) {
	key := n.String()
	if done, ok := s.runs[key]; ok {
		return done, nil
	}
	out := &run{hits: make([][]rank.Hit, len(s.b.Queries))}
	r, err := s.Ranker(n)
	if err != nil {
		if out.why, err = problem(err); err != nil {
			return nil, err
		}
	}
	for i, q := range s.b.Queries {
		if len(s.pool[i]) == 0 {
			continue
		}
		if cancel != nil && cancel() {
			return nil, ErrCancelled
		}
		if r == nil {
			out.missing++
			continue
		}
		hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, Depth, nil, nil)
		if err != nil {
			why, err := problem(err)
			if err != nil {
				return nil, err
			}
			out.missing++
			out.why = why
			continue
		}
		if hits == nil {
			hits = []rank.Hit{}
		}
		out.hits[i] = hits
	}
	if len(s.runs) >= keep {
		clear(s.runs)
	}
	s.runs[key] = out
	return out, nil
}

// conclude fills means, intervals, groups, pairs, the finding and the hash from the values.
func (r *Report) conclude(t Testing, cancel func() bool) error {
	for m := range r.Columns {
		c := &r.Columns[m]
		for _, v := range c.Values {
			c.Means = append(c.Means, mean(v))
		}
		if c.Best = math.Inf(-1); len(c.Means) > 0 {
			c.Best = c.Means[c.Ranking()[0]]
		}
	}
	if err := r.test(t, cancel); err != nil {
		return err
	}
	r.Finding, r.Note = r.finding()
	r.Hash = sha256.Hex(wire.Marshal((*content)(r)))
	return nil
}

// content is a report without its hash.
type content Report

func (c *content) Wire(k *wire.Codec) { (*Report)(c).wireContent(k) }

// mean is the arithmetic mean in order, 0 of nothing.
func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	if len(v) == 0 {
		return 0
	}
	return sum / float64(len(v))
}

// finding says in a sentence what the comparison on the first measure shows, and in a line how sure that is.
func (r *Report) finding() (sentence, note string) {
	if len(r.Columns) == 0 || len(r.Queries) == 0 {
		return "There are no judged queries to compare on.", ""
	}
	c := r.Columns[0]
	name := func(i int) string { return r.Systems[i].Label }
	on := "On " + r.Collection.Name + ", "
	n := say.Count(len(r.Queries), "query", "queries")
	if len(r.Systems) == 1 {
		return on + name(0) + " reaches " + say.Page.Number(c.Means[0], 3) + " " + c.Measure + ".", "95 % interval " + say.Page.Number(c.Low[0], 3) + " to " + say.Page.Number(c.High[0], 3) + " (bootstrap), " + n + "."
	}
	so := r.Standing()
	a, b, p := so.A, so.B, so.Pair
	note = "95 % interval of the difference " + say.Page.Number(p.Low, 3) + " to " + say.Page.Number(p.High, 3) + ", " + r.Test.Name + ", p " + say.Page.EqualP(p.Adjusted)
	if len(r.Pairs) > 1 {
		note += " after Holm over " + say.Count(len(r.Pairs), "pair", "pairs")
	}
	note += ", " + n + "."
	switch {
	case p.Diff == 0:
		return on + name(b) + " and " + say.Lower(name(a)) + " are equal by " + c.Measure + ".", note
	case !so.Sure:
		return on + say.Lower(name(b)) + " cannot be told apart from " + name(a) + " by " + c.Measure + " (" + say.Page.Signed(p.Diff, 2) + ").", note
	case so.Winner == b:
		sentence = on + say.Lower(name(b)) + " beats " + name(a)
	default:
		sentence = on + name(a) + " beats " + say.Lower(name(b))
	}
	sentence += " by " + say.Page.Number(math.Abs(p.Diff), 2) + " " + c.Measure
	var same []string
	for _, i := range so.Same {
		same = append(same, say.Lower(name(i)))
	}
	if len(same) == 0 {
		return sentence + ".", note
	}
	return sentence + "; it cannot be told apart from " + say.Or(same) + ".", note
}
