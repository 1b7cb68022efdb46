// Package late ranks by late interaction: a document has one vector a token, and its score is the sum over the
// query's tokens of the largest dot product with a document token (MaxSim; Khattab and Zaharia 2020, ColBERT,
// §3.3). It encodes no text: a judged query without vectors gets rank.Unanswerable, and a typed query uses the mean
// vectors of its tokens.
//
// Order of the pipeline: query id or typed text → token vectors → (candidates by centroids, if few results are
// wanted) → MaxSim of each document → the best k.
package late

import (
	"fmt"
	"math/bits"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Tokens are the token vectors of many texts: int8 with one common scale. Each real value is the number × Scale.
type Tokens struct {
	Dim     int
	Scale   float32
	Rows    []int8   // len == Dim × the last of Offsets
	Offsets []uint32 // text i has the tokens Offsets[i] to Offsets[i+1]; len == texts + 1
	Words   []uint16 // index in Vocabulary by token; nil if unknown
	Vocab   []string
}

// Len returns the number of texts.
func (t *Tokens) Len() int { return len(t.Offsets) - 1 }

// Size returns the number of tokens.
func (t *Tokens) Size() int { return int(t.Offsets[len(t.Offsets)-1]) }

// Of returns the vectors of the tokens of text i.
func (t *Tokens) Of(i int) []int8 { return t.Rows[int(t.Offsets[i])*t.Dim : int(t.Offsets[i+1])*t.Dim] }

// Word returns token n as text, or its number if the vocabulary is unknown.
func (t *Tokens) Word(n int) string {
	if n < len(t.Words) {
		return t.Vocab[t.Words[n]]
	}
	return fmt.Sprintf("token %d", n+1)
}

// Check returns an error if the parts are inconsistent.
func (t *Tokens) Check() error {
	if t.Dim <= 0 || len(t.Offsets) == 0 || t.Offsets[0] != 0 {
		return fmt.Errorf("late: token vectors of %d dimensions, %d offsets", t.Dim, len(t.Offsets))
	}
	if !(t.Scale >= 0) || t.Scale > 1e30 {
		return fmt.Errorf("late: token vectors: scale %v", t.Scale)
	}
	for i := 1; i < len(t.Offsets); i++ {
		if t.Offsets[i] < t.Offsets[i-1] {
			return fmt.Errorf("late: token vectors: text %d begins at %d, after its end %d", i-1, t.Offsets[i-1],
				t.Offsets[i])
		}
	}
	if len(t.Rows) != t.Dim*t.Size() {
		return fmt.Errorf("late: token vectors: %d numbers are not %d tokens of %d", len(t.Rows), t.Size(), t.Dim)
	}
	if t.Words != nil && len(t.Words) != t.Size() {
		return fmt.Errorf("late: token vectors: %d words for %d tokens", len(t.Words), t.Size())
	}
	for i, w := range t.Words {
		if int(w) >= len(t.Vocab) {
			return fmt.Errorf("late: token vectors: token %d is word %d of %d", i, w, len(t.Vocab))
		}
	}
	return nil
}

// MaxSim writes the score of each document: Σ over the query's tokens i of the largest dot product of q[i] with a
// document token, in 32 bits and in this order; 0 without tokens. Document d has the tokens offsets[d] to
// offsets[d+1]; q has nq tokens. It is exact for sums below 2²⁴, as with vectors of length 1 and a scale above
// 1/200. It is a variable, so that a program can install a faster equivalent at start-up.
var MaxSim = func(dst []float32, tokens []int8, offsets []uint32, q []int8, nq int) {
	dim := len(q) / max(nq, 1)
	// Two query tokens share a multiplication: each occupies half of a 64-bit number.
	pairs := make([]int64, (nq+1)/2*dim)
	for i := range nq {
		for c, x := range q[i*dim : (i+1)*dim] {
			pairs[i/2*dim+c] += int64(x) << (i % 2 * 32)
		}
	}
	best := make([]int32, nq+1)
	for d := range dst {
		from, to := offsets[d], offsets[d+1]
		var sum float32
		if from < to {
			for i := range best {
				best[i] = -1 << 31
			}
			for t := from; t < to; t++ {
				row := tokens[int(t)*dim:][:dim]
				for p := range (nq + 1) / 2 {
					pair := pairs[p*dim:][:dim]
					var s int64
					for c, x := range row {
						s += pair[c] * int64(x)
					}
					low := int32(s)
					best[2*p] = max(best[2*p], low)
					best[2*p+1] = max(best[2*p+1], int32((s-int64(low))>>32))
				}
			}
			for _, b := range best[:nq] {
				sum += float32(b)
			}
		}
		dst[d] = sum
	}
}

// Ranker is late interaction over every document, or over candidates by centroid. It is not safe for concurrent
// use.
type Ranker struct {
	// Candidates is how many documents are scored with all their tokens: the best when each token is replaced by
	// its centroid. 0 means all.
	Candidates int
	// Limit is how many of a document's first tokens count; 0 means all.
	Limit int

	model         string
	docs, queries *Tokens
	row           map[string]int
	scores        []float32
	near          *centroids
	typed         typed
	averaged      bool    // the last query was a typed one
	scale         float64 // of the last query's vectors
	top, rough    rank.Top
	found         []rank.Hit
}

// New returns a ranker over docs, in ordinal order. queryIDs[i] names text i of queries. The ranker keeps the
// vectors without copying them.
func New(model string, docs, queries *Tokens, queryIDs []string) (*Ranker, error) {
	if err := docs.Check(); err != nil {
		return nil, err
	}
	if err := queries.Check(); err != nil {
		return nil, err
	}
	if docs.Dim != queries.Dim {
		return nil, fmt.Errorf("late: model %s: tokens of documents have %d dimensions, of queries %d", model, docs.Dim,
			queries.Dim)
	}
	if len(queryIDs) != queries.Len() {
		return nil, fmt.Errorf("late: model %s: %d query ids for the tokens of %d queries", model, len(queryIDs),
			queries.Len())
	}
	r := &Ranker{model: model, docs: docs, queries: queries, row: make(map[string]int, len(queryIDs))}
	for i, id := range queryIDs {
		r.row[id] = i
	}
	return r, nil
}

// query returns the query's token vectors as a text of the returned Tokens, with its index.
func (r *Ranker) query(q rank.Query) (*Tokens, int, error) {
	if r.averaged = q.ID == ""; r.averaged {
		t := &r.typed
		if t.tokens == nil || t.text != q.Text {
			if err := t.average(r.docs, r.model, q.Text); err != nil {
				return nil, 0, err
			}
		}
		r.scale = float64(r.docs.Scale)
		return t.tokens, 0, nil
	}
	r.scale = float64(r.queries.Scale)
	i, ok := r.row[q.ID]
	if !ok {
		return nil, 0, &rank.Unanswerable{Reason: "this query has no token vectors: " + r.model +
			" encoded other queries"}
	}
	return r.queries, i, nil
}

// Rank implements rank.Ranker. It omits documents without tokens. Cost: one multiplication per number of each
// document token and per query token.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	asked, i, err := r.query(q)
	if err != nil {
		return dst[:0], err
	}
	nq := int(asked.Offsets[i+1] - asked.Offsets[i])
	if nq == 0 || k <= 0 {
		return dst[:0], nil
	}
	rows := asked.Of(i)
	r.top.Reset(k, dst)
	if r.Candidates > 0 && r.Candidates < r.docs.Len() {
		for _, h := range r.first(rows, nq, f) {
			r.top.Push(rank.Hit{Doc: h.Doc, Score: r.scoreDocument(rows, nq, int(h.Doc))})
		}
		return r.top.Sorted(), nil
	}
	if few := countPassing(f); r.Limit > 0 || f != nil && 4*few < r.docs.Len() { // score one by one
		for d := range r.docs.Len() {
			if f.Has(uint32(d)) && r.docs.Offsets[d] < r.docs.Offsets[d+1] {
				r.top.Push(rank.Hit{Doc: uint32(d), Score: r.scoreDocument(rows, nq, d)})
			}
		}
		return r.top.Sorted(), nil
	}
	if r.scores == nil {
		r.scores = make([]float32, r.docs.Len())
	}
	MaxSim(r.scores, r.docs.Rows, r.docs.Offsets, rows, nq)
	for d, s := range r.scores {
		if r.docs.Offsets[d] < r.docs.Offsets[d+1] && f.Has(uint32(d)) {
			r.top.Push(rank.Hit{Doc: uint32(d), Score: r.scaled(s)})
		}
	}
	return r.top.Sorted(), nil
}

// countPassing returns how many documents pass a filter.
func countPassing(f rank.Filter) (n int) {
	for _, w := range f {
		n += bits.OnesCount64(w)
	}
	return n
}

// scoreDocument scores one document.
func (r *Ranker) scoreDocument(q []int8, nq, d int) float64 {
	var s [1]float32
	n := r.end(d) - r.docs.Offsets[d]
	MaxSim(s[:], r.docs.Of(d)[:int(n)*r.docs.Dim], []uint32{0, n}, q, nq)
	return r.scaled(s[0])
}

// end returns the end of the tokens of a document that count.
func (r *Ranker) end(d int) uint32 {
	if from := r.docs.Offsets[d]; r.Limit > 0 {
		return min(r.docs.Offsets[d+1], from+uint32(r.Limit))
	}
	return r.docs.Offsets[d+1]
}

// scaled converts a sum of integer dot products to real values.
func (r *Ranker) scaled(sum float32) float64 {
	return float64(float64(sum)*r.scale) * float64(r.docs.Scale)
}

// Explain implements rank.Ranker: each query token's contribution with its nearest document token, and a table of
// the pairs, limited to document tokens that are nearest to a query token.
func (r *Ranker) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	asked, i, err := r.query(q)
	if err != nil {
		return rank.Part{}, err
	}
	if int(d) >= r.docs.Len() {
		return rank.Part{}, fmt.Errorf("late: explain document %d: there are %d", d, r.docs.Len())
	}
	p := rank.Part{Note: "score = for each token of the query the dot product with the nearest token of the " +
		"document, added up."}
	from, to := int(r.docs.Offsets[d]), int(r.end(int(d)))
	first, last := int(asked.Offsets[i]), int(asked.Offsets[i+1])
	if from == to || first == last {
		p.Note = "The document or the query has no tokens, so nothing is compared."
		return p, nil
	}
	p.Score = r.scoreDocument(asked.Of(i), last-first, int(d))
	shown := make([]bool, to-from)
	for t := first; t < last; t++ {
		best, at := r.dot(asked, t, from), from
		for u := from + 1; u < to; u++ {
			if s := r.dot(asked, t, u); s > best {
				best, at = s, u
			}
		}
		shown[at-from] = true
		p.Parts = append(p.Parts, rank.Part{Name: asked.Word(t), Score: r.scaled(float32(best)),
			Note: "nearest: " + r.docs.Word(at) + ", token " + fmt.Sprint(at-from+1) + " of the document",
			Values: []rank.Value{{Name: "dot", Value: float64(best)},
				{Name: "token of the document", Value: float64(at - from + 1)}}})
	}
	g := &rank.Grid{}
	for t := first; t < last; t++ {
		g.Rows = append(g.Rows, asked.Word(t))
	}
	for u := from; u < to; u++ {
		if shown[u-from] {
			g.Columns = append(g.Columns, r.docs.Word(u))
		}
	}
	for t := first; t < last; t++ {
		for u := from; u < to; u++ {
			if shown[u-from] {
				g.Values = append(g.Values, r.scaled(float32(r.dot(asked, t, u))))
			}
		}
	}
	p.Grid = g
	return p, nil
}

// dot returns the dot product of token t of asked and token u of the documents.
func (r *Ranker) dot(asked *Tokens, t, u int) (s int32) {
	dim := r.docs.Dim
	row := r.docs.Rows[u*dim:][:dim]
	for c, x := range asked.Rows[t*dim:][:dim] {
		s += int32(x) * int32(row[c])
	}
	return s
}
