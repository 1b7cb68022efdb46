package dense

import (
	"slices"

	"github.com/rankbox/rankbox/core/rank"
)

// Feedback moves the vector of a query towards those of the documents that a ranking puts first, and searches again by
// it:
// Alpha times the query plus Beta times the mean of the documents. The moved vector is rounded to int8, as that of a
// typed query is. It is not safe for use by several goroutines at once.
//
// Source: Li, Mourad, Zhuang, Koopman, Zuccon 2023, Pseudo Relevance Feedback with Deep Language Models and Dense
// Retrievers, TOIS (vector-based, Rocchio); after Rocchio 1971.
type Feedback struct {
	rank.Ranker                                    // what ranks first
	By          func(q rank.Query) (*Tuned, error) // whose vectors are moved and searched
	Docs        int                                // how many of the first documents are taken to be relevant, ≥ 1
	Alpha, Beta float64

	of    *Tuned // moved searches over its documents
	moved *Tuned
	to    []float32
	used  int
}

// prepare moves the query.
func (b *Feedback) prepare(q rank.Query, f rank.Filter) error {
	hits, err := b.Ranker.Rank(q, b.Docs, f, nil)
	if err != nil {
		return err
	}
	by, err := b.By(q)
	if err != nil {
		return err
	}
	v, row, err := by.query(q)
	if err != nil {
		return err
	}
	if b.of != by {
		b.of = by
		if b.moved, err = EncodingTuned(by.model, by.docs, func(string) []float32 {
			return b.to
		}, by.Parameters); err != nil {
			return err
		}
	}
	sum := make([]float64, by.docs.Dim)
	for c, x := range v.float(row, nil) {
		sum[c] = float64(b.Alpha * float64(x))
	}
	hits = hits[:min(b.Docs, len(hits))]
	hits = slices.DeleteFunc(hits, func(h rank.Hit) bool { return by.docs.Scales[h.Doc] == 0 })
	b.used = len(hits)
	mean := make([]float64, by.docs.Dim)
	for _, h := range hits {
		for c, x := range by.docs.float(int(h.Doc), nil) {
			mean[c] += float64(x)
		}
	}
	b.to = b.to[:0]
	for c, x := range sum {
		if b.used > 0 {
			x += float64(b.Beta * float64(mean[c]/float64(b.used)))
		}
		b.to = append(b.to, float32(x))
	}
	return nil
}

// Rank implements rank.Ranker.
func (b *Feedback) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := b.prepare(q, f); err != nil {
		return dst[:0], err
	}
	return b.moved.Rank(rank.Query{Text: q.Text}, k, f, dst)
}

// Explain implements rank.Ranker: the score of the moved query, and what the document had before.
func (b *Feedback) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := b.prepare(q, f); err != nil {
		return rank.Part{}, err
	}
	out, err := b.moved.Explain(rank.Query{Text: q.Text}, f, d)
	if err != nil {
		return out, err
	}
	before, err := b.Ranker.Explain(q, f, d)
	out.Values = append(out.Values, rank.Value{Name: "documents that moved the query", Value: float64(b.used)})
	out.Parts = append(out.Parts,
		rank.Part{Name: "previous score, no longer used", Values: []rank.Value{{Name: "score", Value: before.Score}},
			Parts: []rank.Part{before}})
	return out, err
}
