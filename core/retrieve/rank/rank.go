// Package rank defines the interface of a retriever. Its rooms (bm25, dense, fuse, …) implement it; this package
// scores nothing.
//
// Documents are named by ordinal. Ordinals follow the document ids in descending byte order. So trec_eval's order
// of ties, document id descending, is simply the smaller ordinal first.
package rank

import "slices"

// Hit is one retrieved document: its ordinal and its score (higher is better, never NaN).
type Hit struct {
	Doc   uint32
	Score float64
}

// Query is the input of a retriever. Text may be empty for a query with a precomputed vector. ID names a judged
// query of the collection, else it is "".
type Query struct {
	ID   string
	Text string
}

// Filter is the set of documents that may be retrieved; a nil Filter passes all. Bit d%64 of word d/64 is document
// d.
type Filter []uint64

// Has reports whether document d passes.
func (f Filter) Has(d uint32) bool {
	return f == nil || f[d>>6]&(1<<(d&63)) != 0
}

// Ranker ranks the documents of one collection.
type Ranker interface {
	// Rank returns the best k documents that pass f, score descending, ties by ascending ordinal (document id
	// descending). It returns fewer if fewer match. It appends the hits to dst[:0]. An error says why this ranker
	// cannot answer this query, for example because it has no vector for it.
	Rank(q Query, k int, f Filter, dst []Hit) ([]Hit, error)
	// Explain returns the parts of the score of document d for q among the documents that pass f. Their scores add
	// up to Part.Score.
	Explain(q Query, f Filter, d uint32) (Part, error)
}

// Part is a node in the explanation of a score: a stage, a fused list or a query term. The scores of Parts add up
// to Score in double precision, then rounded like the ranker: within one unit in the last place.
type Part struct {
	Name   string  // the stage, the list, or the term
	Score  float64 // contribution of this part
	Values []Value // the numbers behind it, in reading order: tf, df, idf, length norm …
	Note   string  // a sentence on how the numbers make the score; "" if Parts show it
	Parts  []Part
	Grid   *Grid // pairwise comparisons; nil if a table adds nothing
}

// Grid is a table of numbers behind a score, for example of query tokens by document tokens.
type Grid struct {
	Rows, Columns []string
	Values        []float64 // row by row: len == len(Rows) × len(Columns)
}

// Value is one named number of an explanation.
type Value struct {
	Name  string
	Value float64
}

// Unanswerable is the error of a working ranker that cannot answer one query, for example a dense ranker without a
// vector for a typed query. Reason is a sentence for the user.
type Unanswerable struct {
	Reason string // not empty

	// Wrong says that the question itself was wrong: its backend is gone or was replaced. No other ranking may
	// replace its answer.
	Wrong bool
}

func (e *Unanswerable) Error() string { return "rank: " + e.Reason }

// Better reports whether hit a ranks above hit b: higher score, or equal score and smaller ordinal.
func Better(a, b Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc
}

// Sort sorts hits best first, in the order of Better.
func Sort(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		switch {
		case Better(a, b):
			return -1
		case Better(b, a):
			return 1
		}
		return 0
	})
}

// Top keeps the best k of the pushed hits, in O(log k) each. The zero value keeps none: call Reset first.
type Top struct {
	k    int
	heap []Hit // the worst kept hit is at the root
}

// Reset empties the list, sets k and reuses dst's memory.
func (t *Top) Reset(k int, dst []Hit) {
	t.k, t.heap = k, dst[:0]
}

// Push offers a hit.
func (t *Top) Push(h Hit) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		i := len(t.heap) - 1
		for i != 0 {
			p := (i - 1) / 2
			if !Better(t.heap[p], t.heap[i]) {
				break
			}
			t.heap[p], t.heap[i] = t.heap[i], t.heap[p]
			i = p
		}
		return
	}
	// Comparing the scores first avoids a call for most hits: the first program is compiled without inlining.
	if t.k == 0 || h.Score < t.heap[0].Score || !Better(h, t.heap[0]) {
		return
	}
	t.heap[0] = h
	t.down(0, len(t.heap))
}

func (t *Top) down(i, n int) {
	for {
		c := 2*i + 1
		if c >= n {
			return
		}
		if c+1 < n && Better(t.heap[c], t.heap[c+1]) {
			c++
		}
		if !Better(t.heap[i], t.heap[c]) {
			return
		}
		t.heap[i], t.heap[c] = t.heap[c], t.heap[i]
		i = c
	}
}

// Worst returns the worst kept hit, or false if fewer than k are kept.
func (t *Top) Worst() (Hit, bool) {
	if len(t.heap) == 0 || len(t.heap) < t.k {
		return Hit{}, false
	}
	return t.heap[0], true
}

// Sorted returns the kept hits, best first, and empties the list.
func (t *Top) Sorted() []Hit {
	for n := len(t.heap) - 1; n > 0; n-- {
		t.heap[0], t.heap[n] = t.heap[n], t.heap[0]
		t.down(0, n)
	}
	out := t.heap
	t.heap = nil
	return out
}
