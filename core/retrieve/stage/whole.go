//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Whole is a Collection for which a model's own network may encode typed queries, so that they are compared with the
// vectors which that model made.
type Whole interface {
	// Network returns what encodes a text for one of the Models, nil where nothing does.
	Network(model string) func(text string) ([]float32, error)
}

// whole returns the ranker of typed queries by the model itself, nil where it is not in the page.
func (l *lazyDense) whole() denser {
	c, ok := bare(l.c).(Whole)
	if !ok {
		return nil
	}
	encode := c.Network(l.model.Name)
	if encode == nil {
		return nil
	}
	return encoded(func(q rank.Query) (*dense.Tuned, rank.Query, error) {
		v, err := l.c.Models().Vectors(l.model.Name)
		if err != nil {
			return nil, q, err
		}
		vector, err := encode(q.Text)
		if err != nil {
			return nil, q, &rank.Unanswerable{Reason: l.model.Label + " did not encode this query: " + err.Error()}
		}
		return alone(l.model, v.Docs, vector, l.settings, q)
	})
}

// encoded ranks by vectors that are made of a query when it is asked: it returns the ranker of this one query, and the
// query as that knows it.
type encoded func(q rank.Query) (*dense.Tuned, rank.Query, error)

// alone is the ranker of one query, whose vector is at hand.
func alone(m Model, docs *dense.Vectors, vector []float32, settings dense.SearchParameters, q rank.Query) (*dense.Tuned,
	rank.Query, error) {
	q.ID = "the query"
	t, err := dense.NewTuned(m.Label, docs, dense.Round(vector, docs.Dim), []string{q.ID}, settings)
	return t, q, err
}

// Rank implements rank.Ranker.
func (e encoded) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	t, q, err := e(q)
	if err != nil {
		return dst[:0], err
	}
	return t.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (e encoded) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	t, q, err := e(q)
	if err != nil {
		return rank.Part{}, err
	}
	return t.Explain(q, f, d)
}
