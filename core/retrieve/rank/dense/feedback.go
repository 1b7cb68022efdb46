package dense

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Feedback moves a query's vector towards those of the top documents and searches again with it: Alpha × query +
// Beta × mean of the documents. The moved vector is rounded to int8, like that of a typed query. It is not safe for
// concurrent use.
//
// Source: Li, Mourad, Zhuang, Koopman, Zuccon 2023, Pseudo Relevance Feedback with Deep Language Models and Dense
// Retrievers, TOIS (vector-based, Rocchio); after Rocchio 1971.
type Feedback struct {
	rank.Ranker                                    // the first ranking
	By          func(q rank.Query) (*Tuned, error) // the vectors to move and search
	Docs        int                                // how many top documents count as relevant, ≥ 1
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

// Explain implements rank.Ranker: the score of the moved query, and the document's score in the first ranking.
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
