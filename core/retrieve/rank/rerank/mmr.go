// Package rerank reorders the results of another ranker. It never adds a document.
//
// Order of the pipeline: the first documents of a ranking → the value of each given those above it → the best k.
package rerank

import (
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// MMR orders by maximal marginal relevance. The next document is always the one with the largest score
//
//	λ · relevance − (1 − λ) · the largest similarity to a document above it
//
// The first document loses nothing. Relevance is the score of the ranking, scaled to [0,1] over its first Depth
// documents. Similarity is the dot product of the documents' vectors, 0 without one. Ties are ordered by ordinal.
// It is not safe for concurrent use.
//
// Source: J. Carbonell, J. Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
// Producing Summaries", SIGIR 1998.
type MMR struct {
	rank.Ranker
	Lambda float64 // 0 to 1
	// Of returns a query's lambda, which replaces Lambda; nil uses Lambda for all.
	Of      func(q rank.Query) (lambda float64, why string)
	Depth   int                            // how many documents take part, ≥ 1; the rest is dropped
	Vectors func() (*dense.Vectors, error) // by document ordinal, of length 1

	account rank.Account
}

// pick is a document of the new order.
type pick struct {
	hit       rank.Hit
	relevance float64
	alike     float64 // similarity to the most similar document above it
	to        uint32  // that document
}

// Rank implements rank.Ranker. Cost: Depth · k dot products.
func (m *MMR) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	picks, err := m.picks(q, k, f)
	dst = dst[:0]
	for _, p := range picks {
		dst = append(dst, p.hit)
	}
	return dst, err
}

func (m *MMR) picks(q rank.Query, k int, f rank.Filter) ([]pick, error) {
	hits, err := m.Ranker.Rank(q, m.Depth, f, nil)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	v, err := m.Vectors()
	if err != nil {
		return nil, err
	}
	m.account = rank.Account{Gone: m.account.Gone[:0]}
	if m.Of != nil {
		m.Lambda, m.account.Note = m.Of(q)
	}
	low := hits[len(hits)-1].Score
	unit := hits[0].Score - low
	left := make([]pick, len(hits))
	for i, h := range hits {
		left[i] = pick{hit: h, relevance: 1}
		if unit > 0 {
			left[i].relevance = (h.Score - low) / unit
		}
	}
	var out []pick
	var at []uint32
	was := make(map[uint32]int, len(hits))
	for i, h := range hits {
		was[h.Doc] = i
	}
	for len(out) < k && len(left) > 0 {
		best := 0
		for i := range left {
			left[i].hit.Score = m.score(&left[i])
			if rank.Better(left[i].hit, left[best].hit) {
				best = i
			}
		}
		chosen := left[best]
		if out = append(out, chosen); was[chosen.hit.Doc] < len(out)-1 {
			m.account.Gone = append(m.account.Gone,
				rank.Gone{Doc: chosen.hit.Doc, By: chosen.to, Why: "put back: like"})
		}
		left = append(left[:best], left[best+1:]...)
		at = at[:0]
		for i := range left {
			at = append(at, left[i].hit.Doc)
		}
		for i, s := range similarities(v, at, chosen.hit.Doc) {
			if len(out) == 1 || s > left[i].alike {
				left[i].alike, left[i].to = s, chosen.hit.Doc
			}
		}
	}
	return out, nil
}

// Account implements rank.Accountable.
func (m *MMR) Account() rank.Account { return m.account }

func (m *MMR) score(p *pick) float64 {
	return float64(m.Lambda*p.relevance) - float64((1-m.Lambda)*p.alike)
}

// similarities returns the similarities of some documents to one, in the numbers that dense ranks by: double
// precision if the vectors keep float32, else exact integers, rounded in a fixed order.
func similarities(v *dense.Vectors, at []uint32, to uint32) []float64 {
	out := make([]float64, len(at))
	if v.Floats != nil {
		dense.DotAt(out, v.Floats, at, v.Floats[int(to)*v.Dim:][:v.Dim])
		return out
	}
	dots := make([]int32, len(at))
	v.Dots(dots, at, v.Row(int(to)))
	for i, d := range at {
		out[i] = float64(float64(dots[i])*float64(v.Scales[d])) * float64(v.Scales[to])
	}
	return out
}

// Explain implements rank.Ranker: the contribution of relevance, with the ranking's own explanation below it, and
// the penalty of the most similar document above. A document beyond the first Depth has no score.
func (m *MMR) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	picks, err := m.picks(q, m.Depth, f)
	if err != nil {
		return rank.Part{}, err
	}
	inner, err := m.Ranker.Explain(q, f, d)
	if err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Values: []rank.Value{{Name: "lambda", Value: m.Lambda}}}
	relevance, likeness := rank.Part{Name: "relevance", Parts: []rank.Part{inner}},
		rank.Part{Name: "likeness to one above it"}
	for _, p := range picks {
		if p.hit.Doc != d {
			continue
		}
		relevance.Score, relevance.Values = float64(m.Lambda*p.relevance),
			[]rank.Value{{Name: "between 0 and 1", Value: p.relevance}}
		likeness.Score, likeness.Values = -float64((1-m.Lambda)*p.alike),
			[]rank.Value{{Name: "between 0 and 1", Value: p.alike}}
		out.Score = p.hit.Score
	}
	out.Parts = []rank.Part{relevance, likeness}
	return out, nil
}
