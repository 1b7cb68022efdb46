//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// WSum adds two scores up with weights.
var WSum = &Stage{
	Stage: pipeline.Stage{
		Name:    "wsum",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		MaxArgs: 2,
		Doc:     "Normalises the scores of two rankings and adds them, each with its weight.",
		Formula: "weight * s of the first + (1 - weight) * s of the second, 0 if a ranking lacks the document; " +
			"s after norm",
		Source: "Bruch, Gai and Ingber 2023, An Analysis of Fusion Functions for Hybrid Retrieval; norms as ranx",
		Params: []pipeline.Param{
			weightParam,
			normParam, depthParam,
		},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "Weighted sum", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = scale(n), fuse.Weighted(n.Number("weight"), 1-n.Number("weight"))
		})
	},
}
