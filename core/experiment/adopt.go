package experiment

import (
	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
)

// Adopt returns a session over the same documents with other queries and judgments, of which j.Query is the place in queries. hash is the
// content hash of the collection with them. Indexes, texts and vectors that were fetched are shared, so s must not be used any more, but for
// another Adopt.
func (s *Session) Adopt(queries []collection.Query, judgments []bundle.Judgment, hash string) *Session {
	m := *s.b.Manifest
	m.Queries, m.Judgments, m.Hash = len(queries), len(judgments), hash
	b := *s.b
	b.Manifest, b.Queries, b.Judgments = &m, queries, judgments
	n := NewSession(&b, s.fetch)
	n.Clock = s.Clock
	n.shards, n.shingle, n.twin, n.words, n.indexes = s.shards, s.shingle, s.twin, s.words, s.indexes
	n.vectors, n.added, n.brought, n.encoder, n.encoded, n.stored = s.vectors, s.added, s.brought, s.encoder, s.encoded, s.stored
	return n
}
