// Package fuse combines the ranked lists of several rankers into one. It treats the rankers as black boxes.
//
// Order of the pipeline: the first documents of every list → Scale makes scores or ranks comparable → Method
// combines a document's values over the lists → the best k.
package fuse

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Fusion ranks by the combined lists of several rankers. It is not safe for concurrent use.
type Fusion struct {
	Lists  []rank.Ranker
	Names  []string // names of the lists, for explanations; len == len(Lists)
	Depth  int      // how many documents of each list take part, ≥ 1
	Scale  Scale
	Method Method
	Values []rank.Value // settings, for explanations

	retrieved [][]rank.Hit
	at        map[uint32]int // document → its row in rows
	docs      []uint32
	rows      []float64 // len(Lists) values a document, NaN if absent from the list
	top       rank.Top
}

// gather fills held, at, docs and rows.
func (r *Fusion) gather(q rank.Query, f rank.Filter) error {
	n := len(r.Lists)
	if r.at == nil {
		r.at, r.retrieved = map[uint32]int{}, make([][]rank.Hit, n)
	}
	clear(r.at)
	r.docs = r.docs[:0]
	for i, l := range r.Lists {
		hits, err := l.Rank(q, r.Depth, f, r.retrieved[i])
		if err != nil {
			return fmt.Errorf("%s: %w", r.Names[i], err)
		}
		r.retrieved[i] = hits
		for _, h := range hits {
			if _, ok := r.at[h.Doc]; !ok {
				r.at[h.Doc] = len(r.docs)
				r.docs = append(r.docs, h.Doc)
			}
		}
	}
	r.rows = r.rows[:0]
	for range n * len(r.docs) {
		r.rows = append(r.rows, math.NaN())
	}
	var out []float64
	for i, hits := range r.retrieved {
		out = append(out[:0], make([]float64, len(hits))...)
		missing := r.Scale.values(hits, len(r.docs), out)
		if !math.IsNaN(missing) {
			for d := range r.docs {
				r.rows[d*n+i] = missing
			}
		}
		for j, h := range hits {
			r.rows[r.at[h.Doc]*n+i] = out[j]
		}
	}
	return nil
}

// Rank implements rank.Ranker. If a list cannot answer, the fusion cannot either: without that list it would be
// another system.
func (r *Fusion) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := r.gather(q, f); err != nil {
		return dst[:0], err
	}
	n := len(r.Lists)
	r.top.Reset(k, dst)
	for i, d := range r.docs {
		row := r.rows[i*n : (i+1)*n]
		r.Method(row)
		r.top.Push(rank.Hit{Doc: d, Score: sum(row)})
	}
	return r.top.Sorted(), nil
}

// sum adds the values of a document in list order.
func sum(row []float64) float64 {
	s := 0.0
	for _, v := range row {
		if !math.IsNaN(v) {
			s += v
		}
	}
	return s
}

// Explain implements rank.Ranker: a part for each list with the document's rank, and below it the list's own
// explanation. If a list lacks the document within Depth, its part adds 0 or the scale's value for missing
// documents.
func (r *Fusion) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := r.gather(q, f); err != nil {
		return rank.Part{}, err
	}
	n := len(r.Lists)
	out := rank.Part{Values: r.Values}
	row, scaled := make([]float64, n), make([]float64, n)
	for i := range row {
		row[i], scaled[i] = math.NaN(), math.NaN()
	}
	if at, ok := r.at[d]; ok {
		copy(row, r.rows[at*n:(at+1)*n])
		copy(scaled, row)
		r.Method(row)
	}
	for i, l := range r.Lists {
		p := rank.Part{Name: r.Names[i]}
		if !math.IsNaN(row[i]) {
			p.Score = row[i]
		}
		for j, h := range r.retrieved[i] {
			if h.Doc != d {
				continue
			}
			p.Values = append(p.Values, rank.Value{Name: "rank", Value: float64(j + 1)})
			if !r.Scale.ranks {
				p.Values = append(p.Values, rank.Value{Name: "score of the list", Value: h.Score},
					rank.Value{Name: "comparable", Value: scaled[i]})
			}
		}
		inner, err := l.Explain(q, f, d)
		if err != nil {
			return rank.Part{}, err
		}
		p.Parts = []rank.Part{inner}
		out.Parts = append(out.Parts, p)
	}
	out.Score = sum(row)
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
