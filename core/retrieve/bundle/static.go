//go:build !first

package bundle

import (
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// StaticVectors is empty, with memory for a static encoder's vectors of n documents. name is the model's in the
// notation: StaticName, unless the model's own vectors are present.
func StaticVectors(name string, x *encoder.Static, n int) *SourceVectors {
	room := make([]byte, headOf(n)+n*x.Dim())
	return &SourceVectors{Model: Model{Name: name, Label: x.Name(), Revision: staticRevision,
		Pooling: "sum of token vectors", Dim: x.Dim(), Normalised: true}, Static: x.Name(),
		Docs:    &dense.Vectors{Dim: x.Dim(), Rows: numbersOf(room[headOf(n):])[:0]},
		Queries: &dense.Vectors{Dim: x.Dim()}, room: room}
}

// TextOf returns the text of a document for encoders.
func TextOf(title, text string) string { return strings.TrimSpace(title + " " + text) }

// Encode adds a static encoder's vectors to a collection. step receives the number of encoded documents; its error
// stops Encode.
func (s *Source) Encode(x *encoder.Static, step func(done int) error) error {
	name := StaticName
	for i := range s.Vectors {
		if s.Vectors[i].Model.Name == name {
			name = "static" // the model's own vectors are present
		}
	}
	docs := s.Collection.Docs
	v := StaticVectors(name, x, len(docs))
	order, err := inOrder(s.ID, inMemory(docs)) // the bundle's order, so that Build need not copy the vectors
	if err != nil {
		return err
	}
	batch := x.Batch()
	var row []float32
	for i, d := range order {
		row = batch.Encode(TextOf(docs[d].Title, docs[d].Text), row)
		v.Docs.Append(row) // quantise at once: rows of float32 take four times the memory
		v.DocIDs = append(v.DocIDs, docs[d].ID)
		if err := step(i); err != nil {
			return err
		}
	}
	for _, q := range s.Collection.Queries {
		v.Queries.Append(x.Encode(q.Text, nil))
		v.QueryIDs = append(v.QueryIDs, q.ID)
		if err := step(len(order)); err != nil {
			return err
		}
	}
	s.Vectors = append(s.Vectors, *v)
	return nil
}
