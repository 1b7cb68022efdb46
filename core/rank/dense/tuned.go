package dense

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/rank"
)

// Similarity is how alike two vectors are: higher is more alike.
type Similarity uint8

// The similarities.
const (
	Dot    Similarity = iota // Σ q·d
	Cosine                   // Dot / (|q|·|d|)
	L2                       // −Σ (q − d)², the squared Euclidean distance, negative so that higher is better
)

// Numbers are what a scan compares.
type Numbers uint8

// The numbers.
const (
	Exact Numbers = iota // the best that there are: float32 where they are kept, else int8
	Int8                 // int8, with their scales
	Bit                  // one bit a number: its sign
)

// Settings say how a Tuned ranker searches.
type Settings struct {
	Similarity Similarity
	Scan       Numbers
	Rescore    int // of a scan that is not exact: the first so many are scored again, exactly, and no others are ranked; 0 leaves the scan's own scores
}

// Tuned ranks as Ranker does, by a similarity of choice and, where the vectors hold them, over the numbers before rounding. Exact scores of
// float32 numbers are dot products in double precision, added up in order. It is not safe for use by several goroutines at once.
type Tuned struct {
	Ranker
	Settings Settings

	squares []float64 // of each document: |d|², in the numbers that are scored exactly
	longest float64   // the largest of them
	whole   []float64 // of each document: |d|² of its int8, without the scale
	bits    *Bits
	approx  []float32
	differ  []uint32
	room    []float32
	score64 []float64
	best    rank.Top
	found   []rank.Hit
}

// NewTuned is New with settings.
func NewTuned(model string, docs, queries *Vectors, queryIDs []string, s Settings) (*Tuned, error) {
	r, err := New(model, docs, queries, queryIDs)
	if err != nil {
		return nil, err
	}
	return &Tuned{Ranker: *r, Settings: s}, nil
}

// EncodingTuned is Encoding with settings.
func EncodingTuned(model string, docs *Vectors, encode func(text string) []float32, s Settings) (*Tuned, error) {
	r, err := Encoding(model, docs, encode)
	if err != nil {
		return nil, err
	}
	return &Tuned{Ranker: *r, Settings: s}, nil
}

func sqrt(x float64) float64 { return math.Sqrt(x) }

// dot64 is the dot product in double precision, in order.
func dot64(a, b []float32) float64 {
	var s float64
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}

// of is the similarity of two vectors of which dot is the dot product and q and d the squared lengths. A vector without length is like none.
func (s Similarity) of(dot, q, d float64) float64 {
	switch s {
	case Cosine:
		if q == 0 || d == 0 {
			return 0
		}
		return dot / sqrt(float64(q*d))
	case L2:
		return min(0, float64(2*dot)-float64(q)-float64(d))
	}
	return dot
}

// query is one query, in every number.
type query struct {
	row    []int8
	scale  float32
	floats []float32 // nil where the documents keep none
	square float64   // |q|² in the numbers that are scored exactly
}

func (r *Tuned) queryOf(q rank.Query) (out query, ok bool, err error) {
	v, i, err := r.query(q)
	if err != nil || v.Scales[i] == 0 {
		return out, false, err
	}
	out.row, out.scale = v.Row(i), v.Scales[i]
	if r.docs.Floats != nil {
		r.room = v.float(i, r.room)
		out.floats = r.room
		out.square = dot64(out.floats, out.floats)
	} else {
		out.square = float64(int8Square(out.row)) * scaleSquare(out.scale)
	}
	return out, true, nil
}

func int8Square(row []int8) (s int64) {
	for _, x := range row {
		s += int64(x) * int64(x)
	}
	return s
}

func scaleSquare(s float32) float64 { return float64(float64(s) * float64(s)) }

// lengths makes the squared lengths of the documents.
func (r *Tuned) lengths() {
	if r.squares != nil {
		return
	}
	r.squares, r.whole = make([]float64, r.docs.Len()), make([]float64, r.docs.Len())
	for d := range r.squares {
		r.whole[d] = float64(int8Square(r.docs.Row(d)))
		if r.docs.Floats != nil {
			row := r.docs.float(d, nil)
			r.squares[d] = dot64(row, row)
		} else {
			r.squares[d] = float64(r.whole[d] * scaleSquare(r.docs.Scales[d]))
		}
		r.longest = max(r.longest, r.squares[d])
	}
}

// exact is the score of a document in the best numbers that there are.
func (r *Tuned) exact(q *query, d int) (score, dot float64) {
	if q.floats != nil {
		dot = dot64(q.floats, r.docs.Floats[d*r.docs.Dim:(d+1)*r.docs.Dim])
	} else {
		var one [1]int32
		Scan(one[:], r.docs.Row(d), q.row)
		dot = r.score(one[0], q.scale, d)
	}
	return r.Settings.Similarity.of(dot, q.square, r.squares[d]), dot
}

// Rank implements rank.Ranker.
func (r *Tuned) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	x, ok, err := r.queryOf(q)
	if err != nil || !ok || k <= 0 {
		return dst[:0], err
	}
	r.lengths()
	switch {
	case r.Settings.Scan == Bit:
		return r.rescore(&x, r.byBits(&x, r.depth(k), f), k, dst), nil
	case r.Settings.Scan == Int8 && x.floats != nil:
		return r.rescore(&x, r.byInt8(&x, r.depth(k), f), k, dst), nil
	case x.floats == nil:
		out := append(dst[:0], r.byInt8(&x, k, f)...)
		return out, nil
	}
	return r.byFloats(&x, k, f, dst), nil
}

// depth is how many documents a scan that is not exact keeps.
func (r *Tuned) depth(k int) int {
	if r.Settings.Rescore == 0 {
		return k
	}
	return r.Settings.Rescore
}

// rescore ranks hits by their exact scores.
func (r *Tuned) rescore(q *query, hits []rank.Hit, k int, dst []rank.Hit) []rank.Hit {
	if r.Settings.Rescore == 0 {
		return append(dst[:0], hits...)
	}
	r.top.Reset(k, dst)
	for _, h := range hits {
		s, _ := r.exact(q, int(h.Doc))
		r.top.Push(rank.Hit{Doc: h.Doc, Score: s})
	}
	return r.top.Sorted()
}

// byInt8 returns the best n by the int8 numbers. It is overwritten by the next call.
func (r *Tuned) byInt8(q *query, n int, f rank.Filter) []rank.Hit {
	Scan(r.dots, r.docs.Rows, q.row)
	square := float64(float64(int8Square(q.row)) * scaleSquare(q.scale))
	r.best.Reset(n, r.found)
	for d, dot := range r.dots {
		if scale := r.docs.Scales[d]; scale != 0 && f.Has(uint32(d)) {
			s := r.score(dot, q.scale, d)
			if r.Settings.Similarity != Dot {
				s = r.Settings.Similarity.of(s, square, float64(r.whole[d]*scaleSquare(scale)))
			}
			r.best.Push(rank.Hit{Doc: uint32(d), Score: s})
		}
	}
	r.found = r.best.Sorted()
	return r.found
}

// byBits returns the best n by the signs: the score is the dot product of numbers that are 1 and −1. It is overwritten by the next call.
func (r *Tuned) byBits(q *query, n int, f rank.Filter) []rank.Hit {
	if r.bits == nil {
		r.bits = Signs(r.docs.Rows, r.docs.Dim)
		r.differ = make([]uint32, r.docs.Len())
	}
	ScanBits(r.differ, r.bits.Rows, Signs(q.row, r.docs.Dim).Rows)
	r.best.Reset(n, r.found)
	for d, differ := range r.differ {
		if r.docs.Scales[d] != 0 && f.Has(uint32(d)) {
			r.best.Push(rank.Hit{Doc: uint32(d), Score: float64(r.docs.Dim - 2*int(differ))})
		}
	}
	r.found = r.best.Sorted()
	return r.found
}

// byFloats returns the best k by the float32 numbers, exactly: a scan in 32 bits, whose error is bounded, tells which documents can be among
// them, and those alone are scored in double precision.
func (r *Tuned) byFloats(q *query, k int, f rank.Filter, dst []rank.Hit) []rank.Hit {
	if r.approx == nil {
		r.approx, r.score64 = make([]float32, r.docs.Len()), make([]float64, r.docs.Len())
	}
	ScanFloats(r.approx, r.docs.Floats, q.floats)
	// |error of the scan| ≤ γ·Σ|q·d| ≤ γ·|q|·|d| with γ = n·u/(1 − n·u), where n roundings follow each other: the products, dim/16 of the sums, and
	// the folding (Higham 2002, Accuracy and Stability of Numerical Algorithms, §3.1). A quarter more covers the double precision. What is too small for
	// 32 bits adds up to the last term.
	steps := float64(float64(r.docs.Dim/16+8) / (1 << 24))
	gamma := 1.25 * steps / (1 - steps)
	lost := float64(float64(r.docs.Dim) * 0x1p-140)
	bound := func(d int) float64 {
		switch r.Settings.Similarity {
		case Cosine:
			return gamma + float64(lost/sqrt(float64(q.square*r.squares[d])))
		case L2:
			return float64(2*(float64(gamma*sqrt(float64(q.square*r.squares[d])))+lost)) + float64(float64(q.square+r.squares[d])*0x1p-50)
		}
		return float64(gamma*sqrt(float64(q.square*r.squares[d]))) + lost
	}
	r.best.Reset(k, r.found)
	for d, dot := range r.approx {
		if r.docs.Scales[d] == 0 || !f.Has(uint32(d)) {
			continue
		}
		r.score64[d] = r.Settings.Similarity.of(float64(dot), q.square, r.squares[d])
		r.best.Push(rank.Hit{Doc: uint32(d), Score: r.score64[d] - bound(d)})
	}
	r.found = r.best.Sorted()
	least := math.Inf(-1) // what k documents surely reach
	if len(r.found) == k {
		least = r.found[k-1].Score
	}
	r.top.Reset(k, dst)
	for d := range r.approx {
		if r.docs.Scales[d] == 0 || !f.Has(uint32(d)) || r.score64[d]+bound(d) < least {
			continue
		}
		s, _ := r.exact(q, d)
		r.top.Push(rank.Hit{Doc: uint32(d), Score: s})
	}
	return r.top.Sorted()
}

// Explain implements rank.Ranker.
func (r *Tuned) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	x, ok, err := r.queryOf(q)
	if err != nil || !ok {
		return rank.Part{}, err
	}
	if int(d) >= r.docs.Len() {
		return rank.Part{}, fmt.Errorf("dense: explain document %d: there are %d", d, r.docs.Len())
	}
	r.lengths()
	if r.Settings.Rescore == 0 && r.Settings.Scan != Exact {
		return r.explainScan(&x, int(d)), nil
	}
	score, dot := r.exact(&x, int(d))
	p := rank.Part{Score: score, Note: "score = the dot product of the two vectors.", Values: []rank.Value{{Name: "dot", Value: dot}}}
	switch r.Settings.Similarity {
	case Cosine:
		p.Note = "score = dot / (length of the query × length of the document): the cosine of the angle between the two vectors."
	case L2:
		p.Note = "score = 2·dot − length of the query² − length of the document²: the squared distance of the two vectors, negative so that near is high."
	}
	p.Values = append(p.Values, rank.Value{Name: "query length", Value: sqrt(x.square)}, rank.Value{Name: "document length", Value: sqrt(r.squares[d])})
	if r.Settings.Scan == Bit {
		p.Values = append(p.Values, rank.Value{Name: "bits that differ", Value: float64(r.differing(&x, int(d)))})
		p.Note += " It was found by the signs of the numbers alone, then scored exactly."
	}
	if r.Settings.Scan == Int8 {
		p.Note += " It was found by numbers rounded to int8, then scored exactly."
	}
	return p, nil
}

func (r *Tuned) differing(q *query, d int) int {
	var one [1]uint32
	ScanBits(one[:], Signs(r.docs.Row(d), r.docs.Dim).Rows, Signs(q.row, r.docs.Dim).Rows)
	return int(one[0])
}

// explainScan explains the score of a scan that nothing follows.
func (r *Tuned) explainScan(q *query, d int) rank.Part {
	if r.Settings.Scan == Bit {
		differ := r.differing(q, d)
		return rank.Part{Score: float64(r.docs.Dim - 2*differ), Note: "score = dimensions − 2 × bits that differ: the dot product of the signs.",
			Values: []rank.Value{{Name: "dimensions", Value: float64(r.docs.Dim)}, {Name: "bits that differ", Value: float64(differ)}}}
	}
	var dot [1]int32
	Scan(dot[:], r.docs.Row(d), q.row)
	s := r.score(dot[0], q.scale, d)
	square := float64(float64(int8Square(q.row)) * scaleSquare(q.scale))
	if r.Settings.Similarity != Dot {
		s = r.Settings.Similarity.of(s, square, float64(r.whole[d]*scaleSquare(r.docs.Scales[d])))
	}
	return rank.Part{Score: s, Note: "The score of the numbers rounded to int8.", Values: []rank.Value{{Name: "dot", Value: float64(dot[0])},
		{Name: "query scale", Value: float64(q.scale)}, {Name: "document scale", Value: float64(r.docs.Scales[d])}}}
}
