package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// ErrCancelled is returned by an evaluation that was stopped.
var ErrCancelled = report.ErrCancelled

// Evaluate runs every system of spec on every judged query and returns the report. A query that a system cannot answer
// counts as one without a list and is counted in System.Missing. cancel is polled between queries and between
// resamples, and may ask the session for searches and explanations; nil never stops.
func (s *Session) Evaluate(spec Spec, cancel func() bool) (*report.Report, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, say.Faultf("experiment", "no system to evaluate")
	}
	if spec.Baseline < 0 || spec.Baseline >= len(nodes) {
		return nil, say.Faultf("experiment", "the baseline is system %d, which does not exist", spec.Baseline)
	}
	src := &retrieved{of: s.Queries, depth: evaluation.Depth(ms), judged: s.Queries.judged()}
	r := &report.Report{Collection: s.Ref(), Baseline: spec.Baseline, Depth: src.depth}
	all := s.Queries.Described()
	for _, i := range src.judged {
		r.Queries = append(r.Queries, all[i])
	}
	s.Rankers.want(nodes)
	s.Rankers.held = slices.Clone(s.Rankers.wanted)
	defer func() { s.Rankers.held = nil }()
	left := spec.Spend
	for _, n := range nodes {
		price := s.backends.allow(left)
		done, err := s.run(n, src.depth, cancel)
		spent, unasked := price()
		if err != nil {
			return nil, err
		}
		if left > 0 {
			left = max(0, left-spent)
		}
		if unasked != "" { // a mean of some queries would be of others than its neighbours'
			done = &run{hits: make([][]rank.Hit, len(s.b.Queries)), depth: src.depth, why: unasked}
			delete(s.answered, n.String()+s.backends.identities(n))
		}
		src.runs = append(src.runs, done)
		r.Systems = append(r.Systems, report.System{Notation: n.String(), Label: s.label(n)})
	}
	if err := src.evaluation(ms).Measure(r, evaluation.Watch{}); err != nil {
		return nil, err
	}
	for i, done := range src.runs {
		r.Systems[i].Why = done.why
	}
	if err := r.Conclude(report.Protocol{}, cancel); err != nil {
		return nil, err
	}
	return r, nil
}

// run is what one pipeline answers to every judged query.
type run struct {
	hits  [][]rank.Hit // a query of the collection; nil if it has no judgments or could not be answered
	depth int
	why   string
	open  bool // a backend gave no answer to some queries: it is asked again the next time
}

// retrieved is the evaluation.Source of systems that the session ranks with.
type retrieved struct {
	of     *Queries
	depth  int // of every ranking
	judged []int
	runs   []*run
	scores []float64
}

func (x *retrieved) evaluation(ms []measure.Measure) *evaluation.Evaluation {
	return &evaluation.Evaluation{Source: x, Systems: len(x.runs), Queries: len(x.judged), Asked: ms, Applied: ms,
		Judged: func(q int) []float64 { return x.of.pool[x.judged[q]] }}
}

// Topic implements evaluation.Source.
func (x *retrieved) Topic(t *measure.Topic, system, query int) {
	i := x.judged[query]
	hits := x.hits(system, query)
	x.of.Topic(t, i, hits)
	t.Missing = hits == nil
	x.scores = x.scores[:0]
	for _, h := range hits {
		x.scores = append(x.scores, h.Score)
	}
	t.Scores = x.scores
}

// hits are at most as many as the depth: a run that is kept may be of a deeper question.
func (x *retrieved) hits(system, query int) []rank.Hit {
	hits := x.runs[system].hits[x.judged[query]]
	return hits[:min(len(hits), x.depth)]
}

// Size implements evaluation.Source.
func (x *retrieved) Size(system, query int) int { return len(x.hits(system, query)) }

// Cut implements evaluation.Source: rankings end at their depth, and what lies beyond was never retrieved.
func (x *retrieved) Cut() int { return 0 }

// Whole implements evaluation.Source.
func (x *retrieved) Whole(t *measure.Topic, system, query int) { x.Topic(t, system, query) }

// run ranks the judged queries with a pipeline, at least depth documents deep, or returns the run that is kept.
func (s *Session) run(n *pipeline.Node, depth int, cancel func() bool) (*run, error) {
	key := n.String() + s.backends.identities(n)
	if done, ok := s.answered[key]; ok && done.depth >= depth {
		return done, nil
	}
	out, err := s.answer(n, depth, cancel)
	if err != nil {
		return nil, err
	}
	if out.open {
		return out, nil
	}
	if len(s.answered) >= keep {
		clear(s.answered)
	}
	s.answered[key] = out
	return out, nil
}

// answer ranks the judged queries with a pipeline and keeps its ranker alone.
func (s *Session) answer(n *pipeline.Node, depth int, cancel func() bool) (*run, error) {
	out := &run{hits: make([][]rank.Hit, len(s.b.Queries)), depth: depth}
	open, asked, why := 0, 0, "" // queries without an answer of their backends, of how many
	defer bookEdge(s)()
	if out.why = lacking(s, n); out.why != "" {
		return out, nil
	}
	r, err := s.Rankers.Of(n)
	if err != nil {
		if out.why, err = problem(err); err != nil {
			return nil, err
		}
	}
	var did tally
	for i := range s.b.Queries {
		if len(s.Queries.pool[i]) == 0 {
			continue
		}
		if cancel != nil && cancel() {
			return nil, ErrCancelled
		}
		if r == nil {
			continue
		}
		asked++
		hits, err := r.Rank(s.Queries.at(i), depth, s.FilterFor(s.b.Queries[i].ID, nil), nil)
		if err != nil {
			none := silent(err)
			reason, err := problem(err)
			if err != nil {
				return nil, err
			}
			if out.why = reason; none {
				open, why = open+1, reason
			}
			continue
		}
		if hits == nil {
			hits = []rank.Hit{}
		}
		if fellBack(r) > 0 { // the order before a backend is not that of this system
			open, why = open+1, whyFell(r)
		}
		did.add(r)
		out.hits[i] = hits
	}
	if why := did.idle(); why != "" {
		clear(out.hits)
		out.why = why
	}
	if out.open = open > 0; out.open {
		clear(out.hits)
		out.why = unanswered(open, asked, why)
	}
	return out, nil
}
