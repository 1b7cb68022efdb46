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

// SearchParameters say how a Tuned ranker searches.
type SearchParameters struct {
	Similarity Similarity
	Scan       Numbers
	// of a scan by bits: the first so many are compared by int8 before the first of those are scored again; 0 leaves
	// that out
	Int8 int
	// of a scan that is not exact: the first so many are scored again, exactly, and no others are ranked; 0 leaves the
	// scan's own scores
	Rescore int
}

// Tuned ranks as Ranker does, by a similarity of choice and, where the vectors hold them, over the numbers before
// rounding. Exact scores of float32 numbers are dot products in double precision, added up in order. It is not safe for
// use by several goroutines at once.
//
// Order of the pipeline, exact: int8 of all documents → those that can be among the best k, since rounding moves a
// score by a known length at most → their exact scores → the best k. By bits: the signs of all → int8 of the first Int8
// → exact scores of the first Rescore → the best k.
type Tuned struct {
	Ranker
	Parameters SearchParameters

	squares []float64 // of each document: |d|², in the numbers that are scored exactly
	longest float64   // the largest of them
	whole   []float64 // of each document: |d|² of its int8, without the scale
	zeros   []int     // documents without a number but zeros, ascending
	by      [2]*factors
	bits    *Bits
	counts  []uint32
	close   []uint32
	choice  choice
	few     []float32
	at      []uint32
	dot64   []float64
	approx  []float32
	differ  []uint32
	room    []float32
	score64 []float64
	best    rank.Top
	found   []rank.Hit
}

// factors turn dot products of int8 into what documents are chosen by: similarity / the scale of the query, but for
// rounding.
type factors struct {
	similarity Similarity
	of         []float32 // of each document; not a number where it has no direction
	// of each document: the length of its numbers less its rounded ones, over its length for Cosine; nil for scores of
	// int8 alone
	losses []float32
	lost   float64 // the most of losses
	reach  float64 // the most that the length of a document's rounded numbers is, so too
}

// NewTuned is New with settings.
func NewTuned(model string, docs, queries *Vectors, queryIDs []string, s SearchParameters) (*Tuned, error) {
	r, err := New(model, docs, queries, queryIDs)
	if err != nil {
		return nil, err
	}
	docs.bias()
	return &Tuned{Ranker: *r, Parameters: s}, nil
}

// EncodingTuned is Encoding with settings.
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

// dot64 is the dot product in double precision, in order.
func dot64(a, b []float32) float64 {
	var s float64
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}

// of is the similarity of two vectors of which dot is the dot product and q and d the squared lengths. A vector without
// length is like none.
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
	var room []int8
	for d := range r.squares {
		room = r.docs.row(d, room)
		r.whole[d] = float64(int8Square(room))
		if r.docs.Floats != nil {
			row := r.docs.float(d, nil)
			r.squares[d] = dot64(row, row)
		} else {
			r.squares[d] = float64(r.whole[d] * scaleSquare(r.docs.Scales[d]))
		}
		r.longest = max(r.longest, r.squares[d])
		if r.docs.Scales[d] == 0 {
			r.zeros = append(r.zeros, d)
		}
	}
}

// factors returns those of the settings' similarity, Dot or Cosine, for scores of the numbers before rounding or for
// those of int8 alone.
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
		case floats && r.squares[d] == 0: // too small for its square: the score is 0
			continue
		case floats:
			length = sqrt(r.squares[d])
			factor = float64(scale) / length
		case r.whole[d] == 0:
			continue
		default:
			factor = 1 / sqrt(r.whole[d])
		}
		x.of[d] = float32(factor)
		if floats {
			room = r.docs.row(d, room)
			loss := lost(r.docs.Floats[d*r.docs.Dim:(d+1)*r.docs.Dim], room, scale) / length
			x.losses[d], x.lost = float32(loss), max(x.lost, loss)
			x.reach = max(x.reach, float64(sqrt(r.whole[d])*float64(scale))/length)
		}
	}
	return x
}

// lost is the length of what rounding took from the numbers of a row.
func lost(row []float32, rounded []int8, scale float32) float64 {
	var s float64
	for c, x := range row {
		e := float64(x) - float64(float64(rounded[c])*float64(scale))
		s += float64(e * e)
	}
	return sqrt(s)
}

// exact is the score of a document in the best numbers that there are.
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

// depth is how many documents a scan that is not exact keeps.
func (r *Tuned) depth(k int) int {
	if r.Parameters.Rescore == 0 {
		return k
	}
	return r.Parameters.Rescore
}

// rescore ranks hits by their exact scores.
func (r *Tuned) rescore(q *query, hits []rank.Hit, k int, dst []rank.Hit) []rank.Hit {
	if r.Parameters.Rescore == 0 {
		return append(dst[:0], hits[:min(k, len(hits))]...)
	}
	r.at = r.at[:0]
	for _, h := range hits {
		r.at = append(r.at, h.Doc)
	}
	return r.exactly(q, r.at, k, dst)
}

// exactly returns the best k of some documents by their exact scores.
func (r *Tuned) exactly(q *query, at []uint32, k int, dst []rank.Hit) []rank.Hit {
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

// passing is f as the choice of documents takes it.
func passing(f rank.Filter) func(d int) bool {
	if f == nil {
		return nil
	}
	return func(d int) bool { return f.Has(uint32(d)) }
}

// byInt8 returns the best n by the int8 numbers. It is overwritten by the next call.
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

// scoreInt8 is the score of a document by the int8 numbers; square is the squared length of those of the query.
func (r *Tuned) scoreInt8(q *query, square float64, d int, dot int32) float64 {
	s := r.score(dot, q.scale, d)
	if r.Parameters.Similarity != Dot {
		s = r.Parameters.Similarity.of(s, square, float64(r.whole[d]*scaleSquare(r.docs.Scales[d])))
	}
	return s
}

// byBits returns the best n by the signs: the score is the dot product of numbers that are 1 and −1. It is overwritten
// by the next call.
func (r *Tuned) byBits(q *query, n int, f rank.Filter) []rank.Hit {
	r.best.Reset(n, r.found)
	for _, d := range r.nearest(q, n, f) {
		r.best.Push(rank.Hit{Doc: d, Score: float64(r.docs.Dim - 2*int(r.differ[d]))})
	}
	r.found = r.best.Sorted()
	return r.found
}

// byBitsThenInt8 returns, of the first Int8 by the signs, the best n by the int8 numbers. It is overwritten by the next
// call.
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

// byBound returns the best k by the float32 numbers by way of the int8, or false where rounding leaves too many
// documents, and for L2.
func (r *Tuned) byBound(q *query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, bool) {
	if r.Parameters.Similarity == L2 || k >= r.docs.Len()/4 {
		return nil, false
	}
	x := r.factors(true)
	// |q·d − q'·d'| ≤ |q|·|d − d'| + |q − q'|·|d'|, by Cauchy and Schwarz, where q' and d' are rounded. Every score has moved by that much at most, so the best
	// k stay within twice the most of that of the k-th. The last terms cover the double precision, and the single of
	// losses.
	longest, length := sqrt(r.longest), sqrt(q.square)
	unit := 1.0 // a score times this is in the unit of moved
	if r.Parameters.Similarity == Cosine {
		longest, unit = 1, length
	}
	ofQuery, least := float64(lost(q.floats, q.row, q.scale)*x.reach),
		float64(float64(r.docs.Dim)*0x1p-50*float64(length*longest))
	movedBy := func(loss float64) float64 {
		m := float64(length*loss) + ofQuery
		return float64(m+float64(float64(m*0x1p-20)+least)) / float64(q.scale)
	}
	moved := movedBy(x.lost)
	if !(2*moved < math.MaxFloat32) {
		return nil, false
	}
	r.docs.scan(r.dots, q.row)
	at := r.choice.first(r.dots, x.of, k, 2*moved, passing(f))
	if len(at) > r.docs.Len()/2 { // few of them can be told from the best by what each of them has moved
		return nil, false
	}
	// Those that lead by the int8 are scored first. None that is not within what it has moved of the k-th of them can
	// be among the best k.
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

// byFloats returns the best k by the float32 numbers, exactly: a scan of the int8 or, where those tell too little, of
// the numbers themselves in 32 bits, whose error is bounded either way, tells which documents can be among them, and
// those alone are scored in double precision.
func (r *Tuned) byFloats(q *query, k int, f rank.Filter, dst []rank.Hit) []rank.Hit {
	if hits, ok := r.byBound(q, k, f, dst); ok {
		return hits
	}
	if r.approx == nil {
		r.approx, r.score64 = make([]float32, r.docs.Len()), make([]float64, r.docs.Len())
	}
	ScanFloats(r.approx, r.docs.Floats, q.floats)
	// |error of the scan| ≤ γ·Σ|q·d| ≤ γ·|q|·|d| with γ = n·u/(1 − n·u), where n roundings follow each other: the products, dim/16 of the sums, and
	// the folding (Higham 2002, Accuracy and Stability of Numerical Algorithms, §3.1). A quarter more covers the double
	// precision. What is too small for 32 bits adds up to the last term.
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

// explainScan explains the score of a scan that nothing follows.
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
		s = r.Parameters.Similarity.of(s, square, float64(r.whole[d]*scaleSquare(r.docs.Scales[d])))
	}
	return rank.Part{Score: s, Note: "The score of the numbers rounded to int8.",
		Values: []rank.Value{{Name: "dot", Value: float64(dot[0])},
			{Name: "query scale", Value: float64(q.scale)}, {Name: "document scale", Value: float64(r.docs.Scales[d])}}}
}
