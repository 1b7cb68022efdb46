//go:build !first

package experiment

import (
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/fuse"
	"github.com/rankbox/rankbox/core/stage"
)

// Parts returns the session as stages see it. Its methods must not be called by several goroutines at once; what they return may be read by
// all.
func (s *Session) Parts() stage.Collection { return parts{s} }

// Qrels returns the judgments.
func (s *Session) Qrels() *collection.Qrels {
	out := collection.NewQrels()
	for _, j := range s.b.Judgments {
		out.Add(s.b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	return out
}

// Topic fills what measures see of a ranking for a query of the bundle.
func (s *Session) Topic(t *measure.Topic, query int, hits []rank.Hit) { s.topic(t, query, hits) }

// Judged implements stage.Taught.
func (p parts) Judged() []fuse.Judged {
	var out []fuse.Judged
	for i, q := range p.s.b.Queries {
		if len(p.s.pool[i]) == 0 {
			continue
		}
		j := fuse.Judged{Query: rank.Query{ID: q.ID, Text: q.Text}, Relevant: map[uint32]bool{}}
		for d, g := range p.s.grades[i] {
			j.Relevant[d] = g >= 1
		}
		for _, g := range p.s.pool[i] {
			if g >= 1 {
				j.Of++
			}
		}
		out = append(out, j)
	}
	return out
}
