// Package rank defines what a retriever is. Its rooms (bm25, dense, fuse, …) implement it; it holds no scoring itself.
//
// Documents are named by ordinal. Ordinals follow the document ids in descending byte order, so that "equal scores: document
// id descending", the order in which trec_eval measures, is simply "equal scores: smaller ordinal first".
package rank

// Hit is one retrieved document: its ordinal and its score (higher is better, never NaN).
type Hit struct {
	Doc   uint32
	Score float64
}

// Query is what a retriever is asked. Text may be empty where only a precomputed vector is asked for; ID names a judged query
// of the collection, "" otherwise.
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
	// descending). Fewer than k are returned where fewer match; documents that match nothing are not returned. The hits are
	// appended to dst[:0]. An error says why this query cannot be answered by this ranker (no vector for it, say).
	Rank(q Query, k int, f Filter, dst []Hit) ([]Hit, error)
	// Explain returns the parts that make up the score of document d for q; their Score fields add up to Part.Score.
	Explain(q Query, d uint32) (Part, error)
}

// Part is a node of the explanation of a score: a stage, a list that was fused, or a query term. The scores of Parts add up
// to Score (in double precision, then rounded as the ranker rounds: within one unit of the last place of its precision).
type Part struct {
	Name   string  // "bm25", "dense", or the term
	Score  float64 // what this part adds
	Values []Value // the numbers behind it, in the order in which they are read: tf, df, idf, length norm …
	Parts  []Part
}

// Value is one named number of an explanation.
type Value struct {
	Name  string
	Value float64
}
