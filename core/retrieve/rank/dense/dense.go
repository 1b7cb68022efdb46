// Package dense ranks by the dot product of precomputed vectors: exact, over every document. It encodes no text;
// for a query without vector it returns rank.Unanswerable.
//
// Order of the pipeline: query id → its vector → dot products with all documents (one scan) → the best k.
package dense

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Vectors are rows of int8 numbers, each with a scale. The real value of row r, column c is Rows[r*Dim+c] ×
// Scales[r], or that of Floats if the unrounded numbers are kept.
type Vectors struct {
	Dim    int
	Rows   []int8    // len == Dim × len(Scales); nil after a ranker biased them
	Scales []float32 // one a row, ≥ 0
	Floats []float32 // the unrounded numbers of Rows, equally long; nil if not kept

	biased []int8 // Rows in the layout of ScanBiased, or nil
}

// Len returns the number of rows.
func (v *Vectors) Len() int { return len(v.Scales) }

// Check returns an error if the sizes are inconsistent.
func (v *Vectors) Check() error {
	n := len(v.storedRows())
	if v.Dim <= 0 || n != v.Dim*len(v.Scales) {
		return fmt.Errorf("dense: vectors: %d numbers are not %d rows of %d", n, len(v.Scales), v.Dim)
	}
	for r, s := range v.Scales {
		if !(s >= 0) || s > 1e30 || v.Floats != nil && s > 1e12 { // dot products of float32 must stay finite
			return fmt.Errorf("dense: vectors: row %d has scale %v", r, s)
		}
	}
	if v.Floats != nil && len(v.Floats) != n {
		return fmt.Errorf("dense: vectors: %d numbers are not those of %d rows of %d", len(v.Floats), len(v.Scales),
			v.Dim)
	}
	return nil
}

// Quantise rounds rows of dim numbers to int8, as Append does. len(rows) must be a multiple of dim.
func Quantise(rows []float32, dim int) *Vectors {
	v := &Vectors{Dim: dim, Rows: make([]int8, 0, len(rows))}
	for at := 0; at+dim <= len(rows) && dim > 0; at += dim {
		v.Append(rows[at : at+dim])
	}
	return v
}

// Append rounds a row of v.Dim numbers to int8. Its scale is the largest absolute value / 127, and its numbers are
// the nearest multiples, halves to even. A row of zeros has scale 0. The numbers must be finite.
func (v *Vectors) Append(row []float32) {
	var largest float32
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	scale := largest / 127
	v.Scales = append(v.Scales, scale)
	for _, x := range row {
		var r int8
		if scale > 0 {
			r = int8(max(-127, min(127, math.RoundToEven(float64(x/scale)))))
		}
		v.Rows = append(v.Rows, r)
	}
}

// Scan writes the dot product of q with each row of rows: dst[r] = Σ q[c]·rows[r·len(q)+c], exact for len(q) ≤
// 131,072. It is a variable, so that a program can install a faster equivalent at start-up.
var Scan = func(dst []int32, rows, q []int8) {
	dim := len(q)
	for r := range dst {
		row := rows[r*dim : r*dim+dim]
		var s int32
		for c, x := range q {
			s += int32(x) * int32(row[c])
		}
		dst[r] = s
	}
}

// Ranker is exact dense retrieval. It is not safe for use by several goroutines at once.
type Ranker struct {
	model   string
	docs    *Vectors
	queries *Vectors
	row     map[string]int // query id → row of queries
	encode  func(text string) []float32
	dots    []int32
	top     rank.Top
}

// New returns a ranker over docs, in ordinal order. queryIDs[i] names row i of queries. The ranker keeps the
// vectors without copying them.
func New(model string, docs, queries *Vectors, queryIDs []string) (*Ranker, error) {
	if err := docs.Check(); err != nil {
		return nil, err
	}
	if err := queries.Check(); err != nil {
		return nil, err
	}
	if docs.Dim != queries.Dim {
		return nil, fmt.Errorf("dense: model %s: documents have %d dimensions, queries %d", model, docs.Dim,
			queries.Dim)
	}
	if len(queryIDs) != queries.Len() {
		return nil, fmt.Errorf("dense: model %s: %d query ids for %d vectors", model, len(queryIDs), queries.Len())
	}
	r := &Ranker{model: model, docs: docs, queries: queries, row: make(map[string]int, len(queryIDs)),
		dots: make([]int32, docs.Len())}
	for i, id := range queryIDs {
		r.row[id] = i
	}
	return r, nil
}

// Encoding returns a ranker over docs for queries without vectors. encode returns docs.Dim numbers for a text, or
// zeros if the text has no meaning to the model; then Rank finds nothing.
func Encoding(model string, docs *Vectors, encode func(text string) []float32) (*Ranker, error) {
	r, err := New(model, docs, &Vectors{Dim: docs.Dim}, nil)
	if err == nil {
		r.encode = encode
	}
	return r, err
}

// query returns the query's vector as a row of v.
func (r *Ranker) query(q rank.Query) (v *Vectors, row int, err error) {
	if i, ok := r.row[q.ID]; ok && q.ID != "" {
		return r.queries, i, nil
	}
	if r.encode != nil {
		return Quantise(r.encode(q.Text), r.docs.Dim), 0, nil
	}
	return nil, 0, NoVector(r.model)
}

// NoVector is the error for a query without a vector of model.
func NoVector(model string) *rank.Unanswerable {
	return &rank.Unanswerable{Reason: "this query has no vector: " + model +
		" encoded only the judged queries, and no encoder is loaded"}
}

// score is the product in both Rank and Explain: exact integers, then two roundings in a fixed order.
func (r *Ranker) score(dot int32, query float32, doc int) float64 {
	return float64(float64(float64(dot)*float64(query)) * float64(r.docs.Scales[doc]))
}

// Rank implements rank.Ranker. It ranks every document that passes f, because each has a dense score, except rows
// with scale 0 (documents without text). Cost: one multiplication per number of each document.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	v, i, err := r.query(q)
	if err != nil || v.Scales[i] == 0 {
		return dst[:0], err
	}
	r.docs.scan(r.dots, v.Row(i))
	r.top.Reset(k, dst)
	for d, dot := range r.dots {
		if r.docs.Scales[d] == 0 || !f.Has(uint32(d)) {
			continue
		}
		r.top.Push(rank.Hit{Doc: uint32(d), Score: r.score(dot, v.Scales[i], d)})
	}
	return r.top.Sorted(), nil
}

// Explain implements rank.Ranker: the integer dot product and its two scales.
func (r *Ranker) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	v, i, err := r.query(q)
	if err != nil {
		return rank.Part{}, err
	}
	if int(d) >= r.docs.Len() {
		return rank.Part{}, fmt.Errorf("dense: explain document %d: there are %d", d, r.docs.Len())
	}
	var dot [1]int32
	Scan(dot[:], r.docs.Row(int(d)), v.Row(i))
	return rank.Part{Score: r.score(dot[0], v.Scales[i], int(d)), Values: []rank.Value{
		{Name: "dot", Value: float64(dot[0])},
		{Name: "query scale", Value: float64(v.Scales[i])},
		{Name: "document scale", Value: float64(r.docs.Scales[d])},
	}}, nil
}
