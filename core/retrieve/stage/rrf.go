//go:build !lessons

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// RRF is reciprocal rank fusion.
var RRF = &Stage{
	Stage: pipeline.Stage{
		Name:    "rrf",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: manual("Reciprocal rank fusion: documents that rank high in several rankings come first. Only ranks " +
			"count, so the " +
			"scores need not be comparable."),
		Formula: manual("sum over the rankings that hold the document of 1 / (k + rank), rank from 1"),
		Source: manual("Cormack, Clarke and Buettcher 2009, Reciprocal Rank Fusion Outperforms Condorcet and " +
			"Individual Rank Learning " +
			"Methods"),
		Params: []pipeline.Param{
			{Name: "k", Kind: pipeline.Number, Default: "60", Min: 0, Max: 10000,
				Doc: manual("Smooths the first ranks: the larger k, the less the top rank is worth.")},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "Fusion", true) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method, r.Values = fuse.Reciprocal(n.Number("k")), fuse.Sum,
				[]rank.Value{{Name: "k", Value: n.Number("k")}}
		})
	},
}
