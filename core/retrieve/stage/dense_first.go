//go:build first && !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
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

// encoded returns the ranker of typed queries: by the static encoder.
func (l *lazyDense) encoded() (denser, error) {
	encode, docs, err := l.static()
	if err != nil {
		return nil, err
	}
	return dense.Encoding(l.model.Label, docs, encode)
}

func buildRemoteDense(Collection, Model, *pipeline.Node) (Ranker, error) { return nil, ErrBeyond }
