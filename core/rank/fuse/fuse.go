// Package fuse joins the ranked lists of several rankers into one. It looks at ranks only.
package fuse

import (
	"fmt"

	"github.com/rankbox/rankbox/core/rank"
)

// RRF is reciprocal-rank fusion: a document's score is Σ 1/(K + rank) over the lists that hold it, ranks from 1.
//
// Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
// learning methods", SIGIR 2009. It is not safe for use by several goroutines at once.
type RRF struct {
	Lists []rank.Ranker
	Names []string // of the lists, for explanations; len == len(Lists)
	K     float64  // > −1; 60 in the paper
	Depth int      // how many documents of each list take part, ≥ 1

	hits []rank.Hit
	sum  map[uint32]float64
	top  rank.Top
}

// each calls f with every document of every list and its rank.
func (r *RRF) each(q rank.Query, f rank.Filter, visit func(list, rank int, d uint32)) error {
	for i, l := range r.Lists {
		hits, err := l.Rank(q, r.Depth, f, r.hits)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Names[i], err)
		}
		r.hits = hits
		for j, h := range hits {
			visit(i, j+1, h.Doc)
		}
	}
	return nil
}

func (r *RRF) part(rk int) float64 { return 1 / (r.K + float64(rk)) }

// Rank implements rank.Ranker. A list that cannot answer makes the whole fusion unanswerable: a fusion that left it out would
// be another system.
func (r *RRF) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if r.sum == nil {
		r.sum = make(map[uint32]float64)
	}
	clear(r.sum)
	if err := r.each(q, f, func(_, rk int, d uint32) { r.sum[d] += r.part(rk) }); err != nil {
		return dst[:0], err
	}
	r.top.Reset(k, dst)
	for d, s := range r.sum {
		r.top.Push(rank.Hit{Doc: d, Score: s})
	}
	return r.top.Sorted(), nil
}

// Explain implements rank.Ranker: a part a list with the document's rank in it, and under it the list's own explanation. The
// parts of a list that does not hold the document within Depth add 0.
func (r *RRF) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	at := make([]int, len(r.Lists))
	if err := r.each(q, f, func(list, rk int, doc uint32) {
		if doc == d {
			at[list] = rk
		}
	}); err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Values: []rank.Value{{Name: "k", Value: r.K}}}
	for i, l := range r.Lists {
		p := rank.Part{Name: r.Names[i]}
		if at[i] > 0 {
			p.Score = r.part(at[i])
			p.Values = []rank.Value{{Name: "rank", Value: float64(at[i])}}
		}
		inner, err := l.Explain(q, f, d)
		if err != nil {
			return rank.Part{}, err
		}
		p.Parts = []rank.Part{inner}
		out.Score += p.Score
		out.Parts = append(out.Parts, p)
	}
	return out, nil
}

// Cut keeps the first N documents of a ranking.
type Cut struct {
	rank.Ranker
	N int // ≥ 1
}

// Rank implements rank.Ranker.
func (c Cut) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return c.Ranker.Rank(q, min(k, c.N), f, dst)
}
