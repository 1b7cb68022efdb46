//go:build !first

package experiment

import (
	"github.com/rankbox/rankbox/core/collection"
)

// Rank returns the first documents of each system of spec for its query, and of each why it has none, "" if it has. No
// backend is asked for anything that costs.
func (s *Session) Rank(spec Spec, depth int) (lists [][]collection.Entry, problems []string, err error) {
	asked, err := s.ask(spec)
	if err != nil {
		return nil, nil, err
	}
	filter := s.Passing(spec.Filter)
	s.Rankers.want(asked.nodes)
	for _, n := range asked.nodes {
		price := s.backends.allow(0)
		l, hits, err := s.list(n, asked.query, depth, filter)
		_, unasked := price()
		if err != nil {
			return nil, nil, err
		}
		if l.Problem == "" {
			l.Problem = unasked
		}
		var docs []collection.Entry
		for _, h := range hits {
			docs = append(docs, collection.Entry{Doc: s.b.Cards[h.Doc].ID, Score: h.Score})
		}
		lists, problems = append(lists, docs), append(problems, l.Problem)
	}
	return lists, problems, nil
}
