package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// ErrCancelled is returned by an evaluation that was told to stop.
var ErrCancelled = report.ErrCancelled

// Evaluate runs every system of spec on every judged query and returns the report. A query that a system cannot answer counts 0
// and is counted in System.Missing. cancel is polled between queries and between resamples, and may ask the session for searches and explanations;
// nil never stops.
func (s *Session) Evaluate(spec Spec, cancel func() bool) (*report.Report, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, say.Faultf("experiment", "there is no system to evaluate")
	}
	if spec.Baseline < 0 || spec.Baseline >= len(nodes) {
		return nil, say.Faultf("experiment", "there is no system %d to be the baseline", spec.Baseline)
	}
	r := &report.Report{Collection: s.Ref(), Baseline: spec.Baseline}
	var judged []int
	for i, t := range s.Queries() {
		if len(s.pool[i]) > 0 {
			judged = append(judged, i)
			r.Queries = append(r.Queries, t)
		}
	}
	for _, m := range ms {
		r.Measures = append(r.Measures, m.String())
		r.Columns = append(r.Columns, report.Column{Measure: m.String(), Values: make([][]float64, len(nodes))})
	}
	s.want(nodes)
	s.held = slices.Clone(s.wanted)
	defer func() { s.held = nil }()
	var topic measure.Topic
	for i, n := range nodes {
		done, err := s.run(n, cancel)
		if err != nil {
			return nil, err
		}
		sys := report.System{Notation: n.String(), Label: n.Label(), Missing: done.missing, Why: done.why}
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
	if err := r.Conclude(report.Protocol{}, cancel); err != nil {
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
	fell := 0
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
		fell += fellBack(r)
		out.hits[i] = hits
	}
	if fell > 0 && out.why == "" {
		out.why = leftAsItWas(fell)
	}
	if len(s.runs) >= keep {
		clear(s.runs)
	}
	s.runs[key] = out
	return out, nil
}
