package experiment

import (
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Holding returns the documents in which a word of the spec's query is, whatever its filters say.
func (s *Session) Holding(spec Spec) (rank.Filter, error) {
	q, _, err := s.Queries.of(spec)
	if err != nil {
		return nil, err
	}
	an, err := text.Get(s.b.Manifest.Analyzer)
	if err != nil {
		return nil, err
	}
	out := make(rank.Filter, (len(s.b.Cards)+63)/64)
	for _, word := range an.Terms(q.Text) {
		if id, ok := s.b.Index.ID(word); ok {
			for _, p := range s.b.Index.List(id).Postings {
				d := p.Doc()
				out[d>>6] |= 1 << (d & 63)
			}
		}
	}
	return out, nil
}
