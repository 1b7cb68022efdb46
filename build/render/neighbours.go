package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	corebundle "github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/ivf"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

const (
	kMeansRounds = 10
	shownNear    = 40 // documents that the drawing of a query's neighbours shows
)

// Neighbours are the documents nearest to a query, and what inverted-file indexes of so many lists find and cost.
func (d *lessonData) Neighbours(query string, lists []int) (out figure.Neighbours, err error) {
	b := d.s.Bundle()
	v, rows, err := vectorsOf(d.s)
	if err != nil {
		return out, err
	}
	qi := slices.IndexFunc(d.Queries(), func(q report.Query) bool { return q.ID == query })
	if qi < 0 || len(lists) == 0 {
		return out, fmt.Errorf("query %q, %d indexes", query, len(lists))
	}
	out.Query, out.Docs = d.Queries()[qi].Text, len(rows)
	exact, err := ivf.New(rows, 1, 0)
	if err != nil {
		return out, err
	}
	q := vector(v.Queries, slices.Index(v.QueryIDs, query))
	near, _ := exact.Search(q, shownNear, 1)
	directions := plane(rows, near)
	for i, doc := range near {
		out.Near = append(out.Near, figure.Near{Title: b.Cards[doc].Title, Similarity: product(rows[doc], q),
			X: directions[i][0], Y: directions[i][1]})
	}
	first, err := measure.Parse(measure.Defaults()[0])
	if err != nil {
		return out, err
	}
	for _, n := range lists {
		x, err := ivf.New(rows, n, kMeansRounds)
		if err != nil {
			return out, err
		}
		p := figure.Probed{Lists: n}
		order := x.Order(q)
		for _, list := range order {
			p.Sizes = append(p.Sizes, len(x.Lists[list]))
		}
		for i, doc := range near {
			at := slices.IndexFunc(order, func(list int) bool { return slices.Contains(x.Lists[list], doc) })
			out.Near[i].Probe = append(out.Near[i].Probe, at+1)
		}
		for probes := 1; probes <= n; probes++ {
			recall, products, worth := 0.0, 0, 0.0
			var topic measure.Topic
			for i, asked := range d.Queries() {
				q := vector(v.Queries, slices.Index(v.QueryIDs, asked.ID))
				want, _ := exact.Search(q, 10, 1)
				got, cost := x.Search(q, 10, probes)
				var hits []rank.Hit
				for r, doc := range got {
					hits = append(hits, rank.Hit{Doc: uint32(doc), Score: float64(len(got) - r)})
					if slices.Contains(want, doc) {
						recall++
					}
				}
				products += cost
				d.s.Queries.Topic(&topic, i, hits)
				worth += first.Score(&topic)
			}
			count := float64(len(d.Queries()))
			p.Recall = append(p.Recall, recall/10/count)
			p.Products = append(p.Products, float64(products)/count)
			p.NDCG = append(p.NDCG, worth/count)
		}
		out.Indexes = append(out.Indexes, p)
	}
	return out, nil
}

// vectorsOf are the vectors of the collection's first model, and those of its documents as numbers.
func vectorsOf(s *experiment.Session) (*corebundle.Vectors, [][]float32, error) {
	b := s.Bundle()
	if len(b.Manifest.Models) == 0 {
		return nil, nil, errors.New("the collection has no vectors")
	}
	v, _, err := b.Vectors(b.Manifest.Models[0].Name, s.Fetch)
	if err != nil {
		return nil, nil, err
	}
	var rows [][]float32
	for i := range v.Docs.Len() {
		rows = append(rows, vector(v.Docs, i))
	}
	return v, rows, nil
}

// vector is a row as numbers.
func vector(of *dense.Vectors, i int) (out []float32) {
	for _, x := range of.Row(i) {
		out = append(out, float32(x)*of.Scales[i])
	}
	return out
}

func product(a, b []float32) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}

// plane returns the directions of documents in the two dimensions in which they differ most: the first two principal
// components, by power iteration on the products of the centred vectors. Each direction has length 1.
func plane(rows [][]float32, docs []int) [][2]float64 {
	n := len(docs)
	mean := make([]float64, len(rows[0]))
	for _, d := range docs {
		for j, v := range rows[d] {
			mean[j] += float64(v) / float64(n)
		}
	}
	gram := make([][]float64, n) // of the centred vectors: its eigenvectors are the documents' coordinates
	for i := range gram {
		gram[i] = make([]float64, n)
		for j := range gram[i] {
			for c := range mean {
				gram[i][j] += float64((float64(rows[docs[i]][c]) - mean[c]) * (float64(rows[docs[j]][c]) - mean[c]))
			}
		}
	}
	out := make([][2]float64, n)
	for axis := range 2 {
		v := make([]float64, n)
		for i := range v {
			v[i] = 1 / float64(i+1)
		}
		value := 0.0
		for range 500 {
			next, length := make([]float64, n), 0.0
			for i := range gram {
				for j, x := range gram[i] {
					next[i] += float64(x * v[j])
				}
				length += float64(next[i] * next[i])
			}
			value = math.Sqrt(length)
			for i := range next {
				v[i] = next[i] / value
			}
		}
		for i := range gram {
			out[i][axis] = float64(v[i] * math.Sqrt(value))
			for j := range gram[i] { // without this component the next one is the largest
				gram[i][j] -= float64(float64(value*v[i]) * v[j])
			}
		}
	}
	for i, p := range out {
		length := math.Sqrt(float64(p[0]*p[0]) + float64(p[1]*p[1]))
		out[i] = [2]float64{p[0] / length, p[1] / length}
	}
	return out
}
