// Package ivf is an inverted-file index over vectors: k-means puts each document into the list of its nearest
// centre, and a search scans the nearest lists alone. It finds most results of an exact scan with fewer dot
// products. Only the lesson on approximate search uses it, no system.
//
// Order of the pipeline: vectors → [New] → lists; a query → [Index.Order] → [Index.Search].
//
// Sources: Sivic and Zisserman, Video Google, ICCV 2003; Jégou, Douze and Schmid, Product quantization for nearest
// neighbor search, TPAMI 33(1), 2011; k-means and search as in Faiss's IndexIVFFlat.
package ivf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Index holds the lists of documents. It is immutable, so several goroutines may search it.
type Index struct {
	Centres [][]float64 // of length 1
	Lists   [][]int     // the documents of each centre, ascending

	rows [][]float32
}

// New divides rows, one vector a document, into lists by spherical k-means. The first centres are evenly spaced
// documents in the order of rows. In each round a document joins the centre with the largest dot product (of equal
// ones the first), and a centre becomes the mean of its documents, scaled to length 1. A centre without documents
// stays.
func New(rows [][]float32, lists, rounds int) (*Index, error) {
	if lists < 1 || lists > len(rows) || rounds < 0 {
		return nil, fmt.Errorf("ivf: %d lists of %d documents, %d rounds", lists, len(rows), rounds)
	}
	x := &Index{rows: rows}
	for i := range lists {
		var c []float64
		for _, v := range rows[i*len(rows)/lists] {
			c = append(c, float64(v))
		}
		x.Centres = append(x.Centres, unit(c))
	}
	for range rounds {
		x.assign()
		for i, list := range x.Lists {
			if len(list) == 0 {
				continue
			}
			sum := make([]float64, len(x.Centres[i]))
			for _, d := range list {
				for j, v := range rows[d] {
					sum[j] += float64(v)
				}
			}
			x.Centres[i] = unit(sum)
		}
	}
	x.assign()
	return x, nil
}

// assign puts every document into the list of its nearest centre.
func (x *Index) assign() {
	x.Lists = make([][]int, len(x.Centres))
	for d, row := range x.rows {
		best, most := 0, math.Inf(-1)
		for i, c := range x.Centres {
			if v := dot(c, row); v > most {
				best, most = i, v
			}
		}
		x.Lists[best] = append(x.Lists[best], d)
	}
}

// Order returns the lists, nearest centre first, ties by number.
func (x *Index) Order(q []float32) []int {
	near := make([]float64, len(x.Centres))
	out := make([]int, len(x.Centres))
	for i, c := range x.Centres {
		near[i], out[i] = dot(c, q), i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	return out
}

// Search returns the k documents with the largest dot products in the nearest lists, best first, ties by number.
// products counts the dot products: one for each centre and one for each document of these lists.
func (x *Index) Search(q []float32, k, probes int) (docs []int, products int) {
	score := map[int]float64{}
	for _, i := range x.Order(q)[:min(probes, len(x.Lists))] {
		for _, d := range x.Lists[i] {
			score[d] = dot64(x.rows[d], q)
			docs = append(docs, d)
		}
	}
	slices.SortFunc(docs, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return docs[:min(k, len(docs))], len(x.Centres) + len(docs)
}

func dot(c []float64, row []float32) float64 {
	s := 0.0
	for i, v := range row {
		s += float64(c[i] * float64(v))
	}
	return s
}

func dot64(a, b []float32) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(float64(v) * float64(b[i]))
	}
	return s
}

// unit scales a vector to length 1 and leaves zeros unchanged.
func unit(v []float64) []float64 {
	s := 0.0
	for _, x := range v {
		s += float64(x * x)
	}
	if s = math.Sqrt(s); s > 0 {
		for i := range v {
			v[i] /= s
		}
	}
	return v
}
