package dense

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Similarity is a similarity of two vectors; higher means more similar.
type Similarity uint8

// The similarities.
const (
	Dot    Similarity = iota // Σ q·d
	Cosine                   // Dot / (|q|·|d|)
	L2                       // −Σ (q − d)², the squared Euclidean distance, negated so that higher is better
)

// Numbers selects the numbers that a scan compares.
type Numbers uint8

// The numbers.
const (
	Exact Numbers = iota // the most precise available: float32 if kept, else int8
	Int8                 // int8, with their scales
	Bit                  // one bit a number: its sign
)

// SearchParameters configure a Tuned ranker.
type SearchParameters struct {
	Similarity Similarity
	Scan       Numbers
	// Scans of bits only: int8 scores reorder this many of the first documents, before Rescore; 0 skips this step.
	Int8 int
	// Inexact scans only: exact scores rerank this many of the first documents, and the rest is dropped. 0 keeps
	// the scan's scores.
	Rescore int
}

// Tuned is a Ranker with a choice of similarity, over the unrounded numbers if the vectors keep them. Exact float32
// scores are dot products in double precision, added in order. It is not safe for concurrent use.
//
// Order of the pipeline, exact: int8 scan of all documents → the candidates for the best k, since rounding changes
// a score by a bounded amount → their exact scores → the best k. By bits: sign scan of all → int8 scores of the
// first Int8 → exact scores of the first Rescore → the best k.
type Tuned struct {
	Ranker
	Parameters SearchParameters

	squares     []float64 // |d|² by document, in the numbers of exact scores
	longest     float64   // the largest square
	int8Squares []float64 // |d|² by document, of its int8 without the scale
	zeros       []int     // documents of zeros, ascending
	by          [2]*factors
	bits        *Bits
	counts      []uint32
	close       []uint32
	choice      choice
	few         []float32
	at          []uint32
	dot64       []float64
	approx      []float32
	differ      []uint32
	room        []float32
	score64     []float64
	best        rank.Top
	found       []rank.Hit
}

// factors convert int8 dot products to selection scores: similarity / the query's scale, except for rounding.
type factors struct {
	similarity Similarity
	of         []float32 // by document; NaN if it has no direction
	// By document: the length of the rounding error, divided by the document's length for Cosine; nil for pure int8
	// scores.
	losses           []float32
	maxLoss          float64 // the largest of losses
	maxRoundedLength float64 // the largest length of a document's rounded numbers, in the same unit
}

// NewTuned is New with search parameters.
func NewTuned(model string, docs, queries *Vectors, queryIDs []string, s SearchParameters) (*Tuned, error) {
	r, err := New(model, docs, queries, queryIDs)
	if err != nil {
		return nil, err
	}
	docs.bias()
	return &Tuned{Ranker: *r, Parameters: s}, nil
}

// EncodingTuned is Encoding with search parameters.
func EncodingTuned(model string, docs *Vectors, encode func(text string) []float32, s SearchParameters) (*Tuned,
	error) {
	r, err := Encoding(model, docs, encode)
	if err != nil {
		return nil, err
	}
	docs.bias()
	return &Tuned{Ranker: *r, Parameters: s}, nil
}

func sqrt(x float64) float64 { return math.Sqrt(x) }

// dot64 returns the dot product in double precision, added in order.
func dot64(a, b []float32) float64 {
	var s float64
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}

// of returns the similarity of two vectors from their dot product and squared lengths q and d. It is 0 if a length
// is 0.
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

// query holds one query in every numeric form.
type query struct {
	row    []int8
	scale  float32
	floats []float32 // nil if the documents keep no floats
	square float64   // |q|² in the numbers of exact scores
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

// lengths computes the squared lengths of the documents.
func (r *Tuned) lengths() {
	if r.squares != nil {
		return
	}
	r.squares, r.int8Squares = make([]float64, r.docs.Len()), make([]float64, r.docs.Len())
	var room []int8
	for d := range r.squares {
		room = r.docs.row(d, room)
		r.int8Squares[d] = float64(int8Square(room))
		if r.docs.Floats != nil {
			row := r.docs.float(d, nil)
			r.squares[d] = dot64(row, row)
		} else {
			r.squares[d] = float64(r.int8Squares[d] * scaleSquare(r.docs.Scales[d]))
		}
		r.longest = max(r.longest, r.squares[d])
		if r.docs.Scales[d] == 0 {
			r.zeros = append(r.zeros, d)
		}
	}
}

// factors returns the factors of the settings' similarity, Dot or Cosine, for scores of the unrounded numbers or of
// int8 alone.
func (r *Tuned) factors(floats bool) *factors {
	which := 0
	if floats {
		which = 1
	}
	if x := r.by[which]; x != nil && x.similarity == r.Parameters.Similarity {
		return x
	}
	x := &factors{similarity: r.Parameters.Similarity, of: make([]float32, r.docs.Len())}
	r.by[which] = x
	if floats {
		x.losses = make([]float32, r.docs.Len())
	}
	var room []int8
	for d, scale := range r.docs.Scales {
		factor, length := float64(scale), 1.0
		switch {
		case scale == 0:
			x.of[d] = float32(math.NaN())
			continue
		case x.similarity != Cosine:
		case floats && r.squares[d] == 0: // too small to square: the score is 0
			continue
		case floats:
			length = sqrt(r.squares[d])
			factor = float64(scale) / length
		case r.int8Squares[d] == 0:
			continue
		default:
			factor = 1 / sqrt(r.int8Squares[d])
		}
		x.of[d] = float32(factor)
		if floats {
			room = r.docs.row(d, room)
			loss := roundingLoss(r.docs.Floats[d*r.docs.Dim:(d+1)*r.docs.Dim], room, scale) / length
			x.losses[d], x.maxLoss = float32(loss), max(x.maxLoss, loss)
			x.maxRoundedLength = max(x.maxRoundedLength, float64(sqrt(r.int8Squares[d])*float64(scale))/length)
		}
	}
	return x
}

// roundingLoss returns the length of a row's rounding error.
func roundingLoss(row []float32, rounded []int8, scale float32) float64 {
	var s float64
	for c, x := range row {
		e := float64(x) - float64(float64(rounded[c])*float64(scale))
		s += float64(e * e)
	}
	return sqrt(s)
}

// exact returns the score of a document in the most precise numbers.
func (r *Tuned) exact(q *query, d int) (score, dot float64) {
	if q.floats != nil {
		dot = dot64(q.floats, r.docs.Floats[d*r.docs.Dim:(d+1)*r.docs.Dim])
	} else {
		var one [1]int32
		r.docs.Dots(one[:], []uint32{uint32(d)}, q.row)
		dot = r.score(one[0], q.scale, d)
	}
	return r.Parameters.Similarity.of(dot, q.square, r.squares[d]), dot
}

// Rank implements rank.Ranker.
func (r *Tuned) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	x, ok, err := r.queryOf(q)
	if err != nil || !ok || k <= 0 {
		return dst[:0], err
	}
	r.lengths()
	switch {
	case r.Parameters.Scan == Bit && r.Parameters.Int8 > 0:
		return r.rescore(&x, r.byBitsThenInt8(&x, r.depth(k), f), k, dst), nil
	case r.Parameters.Scan == Bit:
		return r.rescore(&x, r.byBits(&x, r.depth(k), f), k, dst), nil
	case r.Parameters.Scan == Int8 && x.floats != nil:
		return r.rescore(&x, r.byInt8(&x, r.depth(k), f), k, dst), nil
	case x.floats == nil:
		out := append(dst[:0], r.byInt8(&x, k, f)...)
		return out, nil
	}
	return r.byFloats(&x, k, f, dst), nil
}

// depth returns how many documents an inexact scan keeps.
func (r *Tuned) depth(k int) int {
	if r.Parameters.Rescore == 0 {
		return k
	}
	return r.Parameters.Rescore
}

// rescore reranks hits by their exact scores.
func (r *Tuned) rescore(q *query, hits []rank.Hit, k int, dst []rank.Hit) []rank.Hit {
	if r.Parameters.Rescore == 0 {
		return append(dst[:0], hits[:min(k, len(hits))]...)
	}
	r.at = r.at[:0]
	for _, h := range hits {
		r.at = append(r.at, h.Doc)
	}
	return r.topExact(q, r.at, k, dst)
}

// topExact returns the best k of the given documents by exact score.
func (r *Tuned) topExact(q *query, at []uint32, k int, dst []rank.Hit) []rank.Hit {
	r.top.Reset(k, dst)
	if q.floats == nil {
		dots := r.dots[:len(at)]
		r.docs.Dots(dots, at, q.row)
		for i, d := range at {
			r.top.Push(rank.Hit{Doc: d, Score: r.Parameters.Similarity.of(r.score(dots[i], q.scale, int(d)), q.square,
				r.squares[d])})
		}
		return r.top.Sorted()
	}
	r.dot64 = sized(r.dot64, len(at))
	DotAt(r.dot64, r.docs.Floats, at, q.floats)
	for i, d := range at {
		r.top.Push(rank.Hit{Doc: d, Score: r.Parameters.Similarity.of(r.dot64[i], q.square, r.squares[d])})
	}
	return r.top.Sorted()
}

// passing converts f for choice.first.
func passing(f rank.Filter) func(d int) bool {
	if f == nil {
		return nil
	}
	return func(d int) bool { return f.Has(uint32(d)) }
}

// byInt8 returns the best n by the int8 numbers. The next call overwrites them.
func (r *Tuned) byInt8(q *query, n int, f rank.Filter) []rank.Hit {
	r.docs.scan(r.dots, q.row)
	square := float64(float64(int8Square(q.row)) * scaleSquare(q.scale))
	r.best.Reset(n, r.found)
	if r.Parameters.Similarity == L2 {
		for d, dot := range r.dots {
			if r.docs.Scales[d] != 0 && f.Has(uint32(d)) {
				r.best.Push(rank.Hit{Doc: uint32(d), Score: r.scoreInt8(q, square, d, dot)})
			}
		}
	} else {
		for _, d := range r.choice.first(r.dots, r.factors(false).of, n, 0, passing(f)) {
			r.best.Push(rank.Hit{Doc: d, Score: r.scoreInt8(q, square, int(d), r.dots[d])})
		}
	}
	r.found = r.best.Sorted()
	return r.found
}

// scoreInt8 returns the int8 score of a document. square is the squared length of the query's int8 numbers.
func (r *Tuned) scoreInt8(q *query, square float64, d int, dot int32) float64 {
	s := r.score(dot, q.scale, d)
	if r.Parameters.Similarity != Dot {
		s = r.Parameters.Similarity.of(s, square, float64(r.int8Squares[d]*scaleSquare(r.docs.Scales[d])))
	}
	return s
}

// byBits returns the best n by sign: the score is the dot product of numbers ±1. The next call overwrites them.
func (r *Tuned) byBits(q *query, n int, f rank.Filter) []rank.Hit {
	r.best.Reset(n, r.found)
	for _, d := range r.nearest(q, n, f) {
		r.best.Push(rank.Hit{Doc: d, Score: float64(r.docs.Dim - 2*int(r.differ[d]))})
	}
	r.found = r.best.Sorted()
	return r.found
}

// byBitsThenInt8 takes the first Int8 documents by sign and returns the best n of them by int8 score. The next call
// overwrites them.
func (r *Tuned) byBitsThenInt8(q *query, n int, f rank.Filter) []rank.Hit {
	at := r.nearest(q, r.Parameters.Int8, f)
	dots := r.dots[:len(at)]
	r.docs.Dots(dots, at, q.row)
	square := float64(float64(int8Square(q.row)) * scaleSquare(q.scale))
	r.best.Reset(n, r.found)
	if r.Parameters.Similarity == L2 {
		for i, d := range at {
			r.best.Push(rank.Hit{Doc: d, Score: r.scoreInt8(q, square, int(d), dots[i])})
		}
	} else {
		of := r.factors(false).of
		r.few = sized(r.few, len(at))
		for i, d := range at {
			r.few[i] = of[d]
		}
		for _, i := range r.choice.first(dots, r.few, n, 0, nil) {
			r.best.Push(rank.Hit{Doc: at[i], Score: r.scoreInt8(q, square, int(at[i]), dots[i])})
		}
	}
	r.found = r.best.Sorted()
	return r.found
}

// byBound returns the best k by float32 score with the help of an int8 scan. It returns false for L2, and if
// rounding leaves too many candidates.
func (r *Tuned) byBound(q *query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, bool) {
	if r.Parameters.Similarity == L2 || k >= r.docs.Len()/4 {
		return nil, false
	}
	x := r.factors(true)
	// By Cauchy and Schwarz |q·d − q'·d'| ≤ |q|·|d − d'| + |q − q'|·|d'|, with q' and d' rounded. No score moves
	// further, so the best k lie within twice the largest bound of the k-th int8 score. The last terms cover double
	// precision and the float32 of losses.
	longest, length := sqrt(r.longest), sqrt(q.square)
	unit := 1.0 // converts a score to the unit of moved
	if r.Parameters.Similarity == Cosine {
		longest, unit = 1, length
	}
	ofQuery, least := float64(roundingLoss(q.floats, q.row, q.scale)*x.maxRoundedLength),
		float64(float64(r.docs.Dim)*0x1p-50*float64(length*longest))
	movedBy := func(loss float64) float64 {
		m := float64(length*loss) + ofQuery
		return float64(m+float64(float64(m*0x1p-20)+least)) / float64(q.scale)
	}
	moved := movedBy(x.maxLoss)
	if !(2*moved < math.MaxFloat32) {
		return nil, false
	}
	r.docs.scan(r.dots, q.row)
	at := r.choice.first(r.dots, x.of, k, 2*moved, passing(f))
	if len(at) > r.docs.Len()/2 { // too many documents are within the common bound; use each document's own
		return nil, false
	}
	// Score the leaders by int8 first. A document below the k-th of them by more than its own bound cannot be among
	// the best k.
	r.at = r.at[:0]
	for _, d := range at {
		if r.choice.values[d] >= r.choice.least {
			r.at = append(r.at, d)
		}
	}
	leading := len(r.at)
	r.dot64 = sized(r.dot64, len(at))
	DotAt(r.dot64, r.docs.Floats, r.at, q.floats)
	r.top.Reset(k, dst)
	push := func(i int) {
		d := r.at[i]
		r.top.Push(rank.Hit{Doc: d, Score: r.Parameters.Similarity.of(r.dot64[i], q.square, r.squares[d])})
	}
	for i := range r.at {
		push(i)
	}
	limit := math.Inf(-1)
	if worst, ok := r.top.Worst(); ok {
		limit = float64(worst.Score*unit) / float64(q.scale)
		limit -= float64((math.Abs(limit)+moved)*0x1p-20) + 0x1p-147
	}
	for _, d := range at {
		if v := r.choice.values[d]; v < r.choice.least && float64(v)+movedBy(float64(x.losses[d])) >= limit {
			r.at = append(r.at, d)
		}
	}
	if len(r.at) > r.docs.Len()/4 {
		return nil, false
	}
	DotAt(r.dot64[leading:], r.docs.Floats, r.at[leading:], q.floats)
	for i := leading; i < len(r.at); i++ {
		push(i)
	}
	return r.top.Sorted(), true
}

// byFloats returns the best k by exact float32 score. A scan of int8, or of the floats in 32 bits if int8 is too
// coarse, selects candidates within its error bound. Only these are scored in double precision.
func (r *Tuned) byFloats(q *query, k int, f rank.Filter, dst []rank.Hit) []rank.Hit {
	if hits, ok := r.byBound(q, k, f, dst); ok {
		return hits
	}
	if r.approx == nil {
		r.approx, r.score64 = make([]float32, r.docs.Len()), make([]float64, r.docs.Len())
	}
	ScanFloats(r.approx, r.docs.Floats, q.floats)
	// |error of the scan| ≤ γ·Σ|q·d| ≤ γ·|q|·|d| with γ = n·u/(1 − n·u) for n consecutive roundings: the products,
	// dim/16 sums, and the folding (Higham 2002, Accuracy and Stability of Numerical Algorithms, §3.1). An extra
	// quarter covers double precision. The last term covers underflow in 32 bits.
	steps := float64(float64(r.docs.Dim/16+8) / (1 << 24))
	gamma := 1.25 * steps / (1 - steps)
	lost := float64(float64(r.docs.Dim) * 0x1p-140)
	bound := func(d int) float64 {
		switch r.Parameters.Similarity {
		case Cosine:
			return gamma + float64(lost/sqrt(float64(q.square*r.squares[d])))
		case L2:
			return float64(2*(float64(gamma*sqrt(float64(q.square*r.squares[d])))+lost)) +
				float64(float64(q.square+r.squares[d])*0x1p-50)
		}
		return float64(gamma*sqrt(float64(q.square*r.squares[d]))) + lost
	}
	r.best.Reset(k, r.found)
	for d, dot := range r.approx {
		if r.docs.Scales[d] == 0 || !f.Has(uint32(d)) {
			continue
		}
		r.score64[d] = r.Parameters.Similarity.of(float64(dot), q.square, r.squares[d])
		r.best.Push(rank.Hit{Doc: uint32(d), Score: r.score64[d] - bound(d)})
	}
	r.found = r.best.Sorted()
	least := math.Inf(-1) // a score that k documents reach for certain
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
	if r.Parameters.Rescore == 0 && r.Parameters.Scan != Exact {
		return r.explainScan(&x, int(d)), nil
	}
	score, dot := r.exact(&x, int(d))
	p := rank.Part{Score: score, Note: "score = the dot product of the two vectors.",
		Values: []rank.Value{{Name: "dot", Value: dot}}}
	switch r.Parameters.Similarity {
	case Cosine:
		p.Note = "score = dot / (length of the query × length of the document): the cosine of the angle between the " +
			"two vectors."
	case L2:
		p.Note = "score = 2·dot − length of the query² − length of the document²: the squared distance of the two " +
			"vectors, negative so that near is high."
	}
	p.Values = append(p.Values, rank.Value{Name: "query length", Value: sqrt(x.square)},
		rank.Value{Name: "document length", Value: sqrt(r.squares[d])})
	if r.Parameters.Scan == Bit {
		p.Values = append(p.Values, rank.Value{Name: "bits that differ", Value: float64(r.differing(&x, int(d)))})
		if r.Parameters.Int8 > 0 {
			p.Note += " It was found by the signs of the numbers, then by the numbers rounded to int8, then " +
				"scored exactly."
		} else {
			p.Note += " It was found by the signs of the numbers alone, then scored exactly."
		}
	}
	if r.Parameters.Scan == Int8 {
		p.Note += " It was found by numbers rounded to int8, then scored exactly."
	}
	return p, nil
}

func (r *Tuned) differing(q *query, d int) int {
	var one [1]uint32
	ScanBits(one[:], make([]uint32, r.docs.Dim+8), Signs(r.docs.Row(d), r.docs.Dim).Rows, Signs(q.row, r.docs.Dim).Rows)
	return int(one[0])
}

// explainScan explains the score of a scan without rescoring.
func (r *Tuned) explainScan(q *query, d int) rank.Part {
	if r.Parameters.Scan == Bit && r.Parameters.Int8 == 0 {
		differ := r.differing(q, d)
		return rank.Part{Score: float64(r.docs.Dim - 2*differ),
			Note: "score = dimensions − 2 × bits that differ: the dot product of the signs.",
			Values: []rank.Value{{Name: "dimensions", Value: float64(r.docs.Dim)},
				{Name: "bits that differ", Value: float64(differ)}}}
	}
	var dot [1]int32
	Scan(dot[:], r.docs.Row(d), q.row)
	s := r.score(dot[0], q.scale, d)
	square := float64(float64(int8Square(q.row)) * scaleSquare(q.scale))
	if r.Parameters.Similarity != Dot {
		s = r.Parameters.Similarity.of(s, square, float64(r.int8Squares[d]*scaleSquare(r.docs.Scales[d])))
	}
	return rank.Part{Score: s, Note: "The score of the numbers rounded to int8.",
		Values: []rank.Value{{Name: "dot", Value: float64(dot[0])},
			{Name: "query scale", Value: float64(q.scale)}, {Name: "document scale", Value: float64(r.docs.Scales[d])}}}
}
