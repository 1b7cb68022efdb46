// Package rank defines what a retriever is. Its rooms (bm25, dense, fuse, …) implement it; it holds no scoring itself.
//
// Documents are named by ordinal. Ordinals follow the document ids in descending byte order, so that "equal scores:
// document id descending", the order in which trec_eval measures, is simply "equal scores: smaller ordinal first".
package rank

import "slices"

// Hit is one retrieved document: its ordinal and its score (higher is better, never NaN).
type Hit struct {
	Doc   uint32
	Score float64
}

// Query is what a retriever is asked. Text may be empty where only a precomputed vector is asked for; ID names a judged
// query of the collection, "" otherwise.
type Query struct {
	ID   string
	Text string
}

// Filter says which documents may be retrieved; a nil Filter lets every one pass. Bit d%64 of word d/64 is document d.
type Filter []uint64

// Has reports whether document d passes.
func (f Filter) Has(d uint32) bool {
	return f == nil || f[d>>6]&(1<<(d&63)) != 0
}

// Ranker ranks the documents of one collection.
type Ranker interface {
	// Rank returns the best k documents that pass f, score descending, equal scores by ordinal ascending (document id
	// descending). Fewer than k are returned where fewer match; documents that match nothing are not returned. The hits
	// are appended to dst[:0]. An error says why this query cannot be answered by this ranker (no vector for it, say).
	Rank(q Query, k int, f Filter, dst []Hit) ([]Hit, error)
	// Explain returns the parts that make up the score of document d for q among the documents that pass f; their Score
	// fields add up to Part.Score.
	Explain(q Query, f Filter, d uint32) (Part, error)
}

// Part is a node of the explanation of a score: a stage, a list that was fused, or a query term. The scores of Parts
// add up to Score (in double precision, then rounded as the ranker rounds: within one unit of the last place of its
// precision).
type Part struct {
	Name   string  // the stage, the list, or the term
	Score  float64 // what this part adds
	Values []Value // the numbers behind it, in the order in which they are read: tf, df, idf, length norm …
	Note   string  // how the numbers make the score, a sentence; "" where Parts say it
	Parts  []Part
	Grid   *Grid // what was compared with what, nil where a table says nothing more
}

// Grid is a table of numbers behind a score: of every token of a query with tokens of a document, say.
type Grid struct {
	Rows, Columns []string
	Values        []float64 // row after row: len == len(Rows) × len(Columns)
}

// Value is one named number of an explanation.
type Value struct {
	Name  string
	Value float64
}

// Unanswerable is the error of a ranker that cannot answer one query, though it works: a dense ranker that has no
// vector for a typed query, say. Reason is a sentence for the person who asked.
type Unanswerable struct {
	Reason string // not empty

	// Wrong says that the question should not have been asked: of a backend that is not there, or is another one
	// now. No other ranking stands for its answer.
	Wrong bool
}

func (e *Unanswerable) Error() string { return "rank: " + e.Reason }

// Better reports whether hit a stands above hit b: higher score, or equal score and smaller ordinal.
func Better(a, b Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Doc < b.Doc
}

// Sort puts the best first, in the order of Better.
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

// Top keeps the best k of the hits that are pushed, in O(log k) each. The zero value keeps none; call Reset first.
type Top struct {
	k    int
	heap []Hit // the worst of the kept hits is at the root
}

// Reset empties the list, keeps k hits from now on, and reuses dst's memory.
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
	// Most hits end at the first comparison of scores, without a call: the first program is compiled without inlining.
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

// Worst returns the worst of the kept hits; false where there is room for more.
func (t *Top) Worst() (Hit, bool) {
	if len(t.heap) == 0 || len(t.heap) < t.k {
		return Hit{}, false
	}
	return t.heap[0], true
}

// Sorted returns the kept hits, best first; the list is empty afterwards.
func (t *Top) Sorted() []Hit {
	for n := len(t.heap) - 1; n > 0; n-- {
		t.heap[0], t.heap[n] = t.heap[n], t.heap[0]
		t.down(0, n)
	}
	out := t.heap
	t.heap = nil
	return out
}
