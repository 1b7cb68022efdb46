package fuse

import (
	"errors"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Judged is a query with its relevant documents.
type Judged struct {
	Query    rank.Query
	Relevant map[uint32]bool
	Of       int // number of relevant documents, including those absent from the collection
}

// Trained fuses by values learned from judged queries, cross-validated so that no judged query is answered by what
// was learned from it. The queries are dealt out to folds in turn, and the other folds teach the values for each.
// Any other query uses all folds. It is not safe for concurrent use.
//
// Order of the pipeline: every list answers every judged query, once → a learner derives each list's values → the
// lists' values are added.
type Trained struct {
	Lists   []rank.Ranker
	Names   []string // names of the lists, for explanations; len == len(Lists)
	Depth   int      // how many documents of each list take part, ≥ 1
	Learner Learner
	Queries []Judged
	Folds   int // ≥ 2

	fold  map[string]int // query id → its fold
	taken [][]Values     // [fold][list], learned without the fold's queries; the last row from all queries
	fused Fusion
}

// Forget discards the learned values, after a list or a setting has changed.
func (t *Trained) Forget() { t.taken = nil }

// learn asks every list every judged query. It skips queries that a list cannot answer.
func (t *Trained) learn() error {
	examples := make([][]Example, len(t.Lists))
	t.fold = map[string]int{}
	var of []int // example → fold
	var hits []rank.Hit
	for _, j := range t.Queries {
		t.fold[j.Query.ID] = len(t.fold) % t.Folds
		row := make([]Example, len(t.Lists))
		answered := true
		for i, l := range t.Lists {
			var err error
			if hits, err = l.Rank(j.Query, t.Depth, nil, hits); err != nil {
				if u, ok := errors.AsType[*rank.Unanswerable](err); !ok || u.Wrong {
					return err
				}
				answered = false
				break
			}
			row[i].Of = j.Of
			for _, h := range hits {
				row[i].Relevant = append(row[i].Relevant, j.Relevant[h.Doc])
			}
		}
		if !answered {
			continue
		}
		of = append(of, t.fold[j.Query.ID])
		for i := range row {
			examples[i] = append(examples[i], row[i])
		}
	}
	t.taken = make([][]Values, t.Folds+1)
	for f := range t.taken {
		for i := range t.Lists {
			var from []Example
			for e, fold := range of {
				if fold != f {
					from = append(from, examples[i][e])
				}
			}
			if from != nil {
				t.taken[f] = append(t.taken[f], t.Learner.learn(from))
			}
		}
	}
	t.fused = Fusion{Names: t.Names, Depth: t.Depth, Scale: Scale{values: Raw().values, ranks: true}, Method: t.add}
	for _, l := range t.Lists {
		t.fused.Lists = append(t.fused.Lists, &valued{Ranker: l, depth: t.Depth})
	}
	return nil
}

// add fills in the values of lists that lack the document.
func (t *Trained) add(row []float64) {
	for i, v := range row {
		if math.IsNaN(v) {
			row[i] = t.Learner.missing
		}
	}
}

// prepare selects the learned values that may answer q.
func (t *Trained) prepare(q rank.Query) error {
	if t.taken == nil {
		if err := t.learn(); err != nil {
			return err
		}
	}
	f, judged := t.fold[q.ID]
	if !judged {
		f = t.Folds
	}
	if t.taken[f] == nil {
		return &rank.Unanswerable{
			Reason: "this fusion learns from other judged queries, but all of its parts answer none"}
	}
	for i, l := range t.fused.Lists {
		l.(*valued).values = t.taken[f][i]
	}
	return nil
}

// Rank implements rank.Ranker.
func (t *Trained) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := t.prepare(q); err != nil {
		return dst[:0], err
	}
	return t.fused.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (t *Trained) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := t.prepare(q); err != nil {
		return rank.Part{}, err
	}
	return t.fused.Explain(q, f, d)
}

// valued replaces the scores of a list by the learned values of their ranks.
type valued struct {
	rank.Ranker
	depth  int
	values Values
	out    []float64
}

// Rank implements rank.Ranker, except that it keeps the list's order.
func (v *valued) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	hits, err := v.Ranker.Rank(q, k, f, dst)
	v.out = append(v.out[:0], make([]float64, len(hits))...)
	v.values(hits, v.out)
	for i := range hits {
		hits[i].Score = v.out[i]
	}
	return hits, err
}

// Explain implements rank.Ranker: the value of the document's rank, and the list's own explanation.
func (v *valued) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	inner, err := v.Ranker.Explain(q, f, d)
	if err != nil {
		return inner, err
	}
	hits, err := v.Rank(q, v.depth, f, nil)
	out := rank.Part{Name: "worth of the place, learned from judged queries", Parts: []rank.Part{inner},
		Note: "What stands below made the place; it is not added."}
	if i := slices.IndexFunc(hits, func(h rank.Hit) bool { return h.Doc == d }); i >= 0 {
		out.Score = hits[i].Score
	}
	return out, err
}
