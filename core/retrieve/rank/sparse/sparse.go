// Package sparse ranks by learned weights: a score is the dot product of document and query weights, precomputed by
// a model such as SPLADE or uniCOIL. It encodes no text and uses no idf or length: the weights contain them.
//
// Order of the pipeline: query id → its weights → postings of its terms → scores → the best k.
package sparse

import (
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Weights are the term weights of many texts. Terms are numbered in ascending byte order.
type Weights struct {
	Terms   []string  // distinct, ascending
	Offsets []uint32  // text i has the entries Offsets[i] to Offsets[i+1]; len == texts + 1
	Term    []uint32  // by entry, ascending within a text
	Weight  []float32 // by entry, finite
}

// Len returns the number of texts.
func (w *Weights) Len() int { return len(w.Offsets) - 1 }

// Check returns an error if the parts are inconsistent.
func (w *Weights) Check() error {
	if len(w.Offsets) == 0 || w.Offsets[0] != 0 || int(w.Offsets[len(w.Offsets)-1]) != len(w.Term) ||
		len(w.Term) != len(w.Weight) {
		return fmt.Errorf("sparse: weights: %d offsets, %d terms, %d weights", len(w.Offsets), len(w.Term),
			len(w.Weight))
	}
	for i := 1; i < len(w.Terms); i++ {
		if w.Terms[i-1] >= w.Terms[i] {
			return fmt.Errorf("sparse: weights: term %q stands behind %q", w.Terms[i], w.Terms[i-1])
		}
	}
	for i := range w.Len() {
		from, to := w.Offsets[i], w.Offsets[i+1]
		if from > to {
			return fmt.Errorf("sparse: weights: text %d begins at %d, after its end %d", i, from, to)
		}
		for j := from; j < to; j++ {
			if int(w.Term[j]) >= len(w.Terms) || j > from && w.Term[j] <= w.Term[j-1] {
				return fmt.Errorf("sparse: weights: text %d: entry %d is term %d of %d, or stands in no order", i,
					j-from, w.Term[j], len(w.Terms))
			}
			if x := w.Weight[j]; x-x != 0 {
				return fmt.Errorf("sparse: weights: text %d: term %q weighs %v", i, w.Terms[w.Term[j]], x)
			}
		}
	}
	return nil
}

// Of builds weights from maps, one a text.
func Of(texts []map[string]float32) *Weights {
	w := &Weights{Offsets: []uint32{0}}
	seen := map[string]uint32{}
	for _, t := range texts {
		for term := range t {
			seen[term] = 0
		}
	}
	for term := range seen {
		w.Terms = append(w.Terms, term)
	}
	slices.Sort(w.Terms)
	for i, term := range w.Terms {
		seen[term] = uint32(i)
	}
	for _, t := range texts {
		from := len(w.Term)
		for term := range t {
			w.Term = append(w.Term, seen[term])
		}
		slices.Sort(w.Term[from:])
		for _, id := range w.Term[from:] {
			w.Weight = append(w.Weight, t[w.Terms[id]])
		}
		w.Offsets = append(w.Offsets, uint32(len(w.Term)))
	}
	return w
}

// Ranker is exact retrieval by weights. It is not safe for concurrent use.
type Ranker struct {
	model         string
	docs, queries *Weights
	row           map[string]int
	starts        []uint32 // start of the postings of each term of docs
	posts         []posting
	docTerm       []uint32 // query term → document term; none if no document has it
	scores        []float64
	touched       []bool
	top           rank.Top
}

type posting struct {
	doc    uint32
	weight float32
}

const none = 1<<32 - 1

// New returns a ranker over docs, in ordinal order. queryIDs[i] names text i of queries. The ranker keeps the
// weights without copying them.
func New(model string, docs, queries *Weights, queryIDs []string) (*Ranker, error) {
	if err := docs.Check(); err != nil {
		return nil, err
	}
	if err := queries.Check(); err != nil {
		return nil, err
	}
	if len(queryIDs) != queries.Len() {
		return nil, fmt.Errorf("sparse: model %s: %d query ids for the weights of %d queries", model, len(queryIDs),
			queries.Len())
	}
	r := &Ranker{model: model, docs: docs, queries: queries, row: make(map[string]int, len(queryIDs)),
		starts: make([]uint32, len(docs.Terms)+1),
		posts:  make([]posting, len(docs.Term)), scores: make([]float64, docs.Len()), touched: make([]bool, docs.Len())}
	for i, id := range queryIDs {
		r.row[id] = i
	}
	for _, t := range docs.Term {
		r.starts[t+1]++
	}
	for t := range docs.Terms {
		r.starts[t+1] += r.starts[t]
	}
	next := slices.Clone(r.starts)
	for d := range docs.Len() {
		for j := docs.Offsets[d]; j < docs.Offsets[d+1]; j++ {
			t := docs.Term[j]
			r.posts[next[t]] = posting{uint32(d), docs.Weight[j]}
			next[t]++
		}
	}
	for _, term := range queries.Terms {
		id, ok := slices.BinarySearch(docs.Terms, term)
		if !ok {
			id = none
		}
		r.docTerm = append(r.docTerm, uint32(id))
	}
	return r, nil
}

func (r *Ranker) query(q rank.Query) (from, to uint32, err error) {
	i, ok := r.row[q.ID]
	if !ok || q.ID == "" {
		return 0, 0, &rank.Unanswerable{Reason: "this query has no term weights: " + r.model +
			" encoded only the judged queries"}
	}
	return r.queries.Offsets[i], r.queries.Offsets[i+1], nil
}

// Rank implements rank.Ranker. It omits documents that share no term with the query. Scores are added in double
// precision, in ascending order of the terms.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	from, to, err := r.query(q)
	if err != nil {
		return dst[:0], err
	}
	clear(r.scores)
	clear(r.touched)
	for j := from; j < to; j++ {
		t := r.docTerm[r.queries.Term[j]]
		if t == none {
			continue
		}
		weight := float64(r.queries.Weight[j])
		for _, p := range r.posts[r.starts[t]:r.starts[t+1]] {
			r.scores[p.doc] += float64(weight * float64(p.weight))
			r.touched[p.doc] = true
		}
	}
	r.top.Reset(k, dst)
	for d, s := range r.scores {
		if r.touched[d] && f.Has(uint32(d)) {
			r.top.Push(rank.Hit{Doc: uint32(d), Score: s})
		}
	}
	return r.top.Sorted(), nil
}

// Explain implements rank.Ranker: the contribution of each query term.
func (r *Ranker) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	from, to, err := r.query(q)
	if err != nil {
		return rank.Part{}, err
	}
	if int(d) >= r.docs.Len() {
		return rank.Part{}, fmt.Errorf("sparse: explain document %d: there are %d", d, r.docs.Len())
	}
	p := rank.Part{
		Note: "score = weight in the query × weight in the document, of every term that both have, added up."}
	own := r.docs.Term[r.docs.Offsets[d]:r.docs.Offsets[d+1]]
	for j := from; j < to; j++ {
		at, ok := slices.BinarySearch(own, r.docTerm[r.queries.Term[j]])
		if !ok {
			continue
		}
		a, b := float64(r.queries.Weight[j]), float64(r.docs.Weight[int(r.docs.Offsets[d])+at])
		s := float64(a * b)
		p.Score += s
		p.Parts = append(p.Parts, rank.Part{Name: r.queries.Terms[r.queries.Term[j]], Score: s,
			Values: []rank.Value{{Name: "weight in the query", Value: a}, {Name: "weight in the document", Value: b}}})
	}
	return p, nil
}
