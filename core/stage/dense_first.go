//go:build first && !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank/dense"
)

// tuning is how vectors are searched: here there is one way.
type tuning struct{}

// denseParams are the parameters of dense.
var denseParams = []pipeline.Param{modelParam}

func tuned(*pipeline.Node) bool { return false }

func tuningLabel(*pipeline.Node) string { return "" }

func (l *lazyDense) tune(*pipeline.Node) {}

// over returns the ranker of queries that have vectors.
func (l *lazyDense) over(v *Vectors) (denser, error) {
	return dense.New(l.model.Label, v.Docs, v.Queries, v.QueryIDs)
}

// encoded returns the ranker of typed queries: none.
func (l *lazyDense) encoded() (denser, error) { return nil, dense.NoVector(l.model.Label) }

func buildRemoteDense(Collection, Model, *pipeline.Node) (Ranker, error) { return nil, ErrBeyond }

const makeThem = "" // a richer program says how
