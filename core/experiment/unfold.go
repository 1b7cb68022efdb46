//go:build !first

package experiment

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/measure"
)

// Unfold takes the value of the measure with number column apart, for the judged query of spec and the ranking of a
// system.
func (s *Session) Unfold(spec Spec, system, column int) (*evaluation.Unfolded, error) {
	asked, err := s.ask(spec)
	nodes, ms, q, qi := asked.nodes, asked.measures, asked.query, asked.place
	switch {
	case err != nil:
		return nil, err
	case qi < 0:
		return nil, say.Faultf("experiment", "unfold: the query has no judgments")
	case system < 0 || system >= len(nodes) || column < 0 || column >= len(ms):
		return nil, say.Faultf("experiment", "unfold: there is no system %d or no measure %d", system, column)
	}
	s.Rankers.want(nodes)
	r, err := s.Rankers.Of(nodes[system])
	if err != nil {
		return nil, err
	}
	m := ms[column]
	hits, err := r.Rank(q, evaluation.Depth([]measure.Measure{m}), s.FilterFor(q.ID, s.Passing(spec.Filter)), nil)
	if err != nil {
		return nil, err
	}
	var topic measure.Topic
	s.Queries.Topic(&topic, qi, hits)
	return evaluation.Unfold(&topic, m, m, system, func(place int) (id, title string) {
		c := s.b.Cards[hits[place].Doc]
		return c.ID, c.Title
	}), nil
}
