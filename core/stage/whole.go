//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/dense"
)

// Whole is a Collection for which a model's own network may encode typed queries, so that they are compared with the vectors which that model made.
type Whole interface {
	// Network returns what encodes a text for one of the Models, nil where nothing does.
	Network(model string) func(text string) ([]float32, error)
}

// wholeDense ranks typed queries by the vectors that the model itself makes of them.
type wholeDense struct {
	by     *lazyDense // its collection and settings
	encode func(text string) ([]float32, error)
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
	return &wholeDense{l, encode}
}

func (w *wholeDense) ranker(q rank.Query) (*dense.Tuned, rank.Query, error) {
	v, err := w.by.c.Vectors(w.by.model.Name)
	if err != nil {
		return nil, q, err
	}
	vector, err := w.encode(q.Text)
	if err != nil {
		return nil, q, &rank.Unanswerable{Reason: w.by.model.Label + " did not encode this query: " + err.Error()}
	}
	q.ID = "the query"
	t, err := dense.NewTuned(w.by.model.Label, v.Docs, dense.Round(vector, v.Docs.Dim), []string{q.ID}, w.by.settings)
	return t, q, err
}

// Rank implements rank.Ranker.
func (w *wholeDense) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	t, q, err := w.ranker(q)
	if err != nil {
		return dst[:0], err
	}
	return t.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (w *wholeDense) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	t, q, err := w.ranker(q)
	if err != nil {
		return rank.Part{}, err
	}
	return t.Explain(q, f, d)
}
