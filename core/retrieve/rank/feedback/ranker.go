package feedback

import (
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/text"
)

// Lexical is a lexical ranker that also takes weighted terms.
type Lexical interface {
	rank.Ranker
	RankTerms(terms []bm25.Term, k int, f rank.Filter, dst []rank.Hit) []rank.Hit
	ExplainTerms(terms []bm25.Term, d uint32) (rank.Part, error)
}

// Expand turns a query and its first hits into weighted terms: RM3 or Rocchio with their settings.
type Expand func(x *index.Index, query []Word, hits []rank.Hit) []Term

// Ranker searches again with the expanded query. It is not safe for concurrent use.
type Ranker struct {
	Docs   int // number of feedback documents
	Expand Expand

	first    Lexical
	x        *index.Index
	analyzer *text.Analyzer
	hits     []rank.Hit
	query    []bm25.Term
}

// New returns a ranker that searches x with first, twice.
func New(x *index.Index, first Lexical) (*Ranker, error) {
	a, err := text.At(x.Analyzer())
	return &Ranker{first: first, x: x, analyzer: a}, err
}

// expanded returns the expanded query of q. A query without hits stays as it is.
func (r *Ranker) expanded(q rank.Query, f rank.Filter) ([]Term, error) {
	var err error
	if r.hits, err = r.first.Rank(q, r.Docs, f, r.hits); err != nil {
		return nil, err
	}
	var words []Word
	at := map[string]int{}
	r.analyzer.Each(q.Text, func(term string, _, _ int) {
		i, ok := at[term]
		if !ok {
			id, known := r.x.ID(term)
			i = len(words)
			at[term] = i
			words = append(words, Word{ID: id, Known: known})
		}
		words[i].Count++
	})
	terms := r.Expand(r.x, words, r.hits)
	r.query = r.query[:0]
	for _, t := range terms {
		r.query = append(r.query, bm25.Term{ID: t.ID, Boost: float64(t.Weight)})
	}
	return terms, nil
}

// Rank implements rank.Ranker. f restricts both the feedback documents and the results.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if _, err := r.expanded(q, f); err != nil {
		return dst[:0], err
	}
	return r.first.RankTerms(r.query, k, f, dst), nil
}

// Explain implements rank.Ranker: a part for each term of the expanded query, with its weights from query and
// feedback.
func (r *Ranker) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	terms, err := r.expanded(q, f)
	if err != nil {
		return rank.Part{}, err
	}
	p, err := r.first.ExplainTerms(r.query, d)
	if err != nil {
		return p, err
	}
	for i, t := range terms {
		v := []rank.Value{{Name: "from query", Value: float64(t.Query)},
			{Name: "from feedback", Value: float64(t.Feedback)}}
		p.Parts[i].Values = append(v, p.Parts[i].Values...)
	}
	return p, nil
}
