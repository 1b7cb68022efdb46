//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// VPRF moves the vector of the query towards the first documents.
var VPRF = &Stage{
	local: "vectors of the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "vprf",
		Role: pipeline.Transformer,
		Doc: "Searches again by vectors, with the query's vector moved towards those of the first documents. The " +
			"ranking before it may be by words.",
		Formula: "similarity of a document to alpha * query + beta * mean of the first documents",
		Source: "Li, Mourad, Zhuang, Koopman and Zuccon 2023, Pseudo Relevance Feedback with Deep Language Models " +
			"and Dense Retrievers; Rocchio 1971",
		Params: []pipeline.Param{modelParam,
			{Name: "docs", Kind: pipeline.Integer, Default: "3", Min: 1, Max: 1000,
				Doc: "How many of the first documents to treat as relevant."},
			{Name: "alpha", Kind: pipeline.Number, Default: "1", Min: 0, Max: 100, Doc: "The weight of the query."},
			{Name: "beta", Kind: pipeline.Number, Default: "0.4", Min: 0, Max: 100,
				Slide: pipeline.Range{Max: 2, Step: 0.05}, Doc: "The weight of the documents."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "vector feedback") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		m, err := modelNamed(c, n)
		if err != nil {
			return nil, err
		}
		l := &lazyDense{c: c, model: m}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			r := &dense.Feedback{Ranker: input, By: func(q rank.Query) (*dense.Tuned, error) {
				d, err := l.ranker(q)
				t, _ := d.(*dense.Tuned)
				return t, err
			}}
			return r, func(n *pipeline.Node) error {
				r.Docs, r.Alpha, r.Beta = n.Integer("docs"), n.Number("alpha"), n.Number("beta")
				return nil
			}, nil
		})
	},
}
