//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Mixed adds the scores of two rankings up, each with its weight, and multiplies by the root of how many hold the
// document: between wsum and combmnz.
var Mixed = &Stage{
	Stage: pipeline.Stage{
		Name:    "mixed",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		MaxArgs: 2,
		Doc: "Adds the weighted scores of two rankings and multiplies by the square root of the number that hold " +
			"the document: between wsum and combmnz.",
		Formula: "sqrt(m) * sum of weight * s" + normed + " and m is their number",
		Source: "Wu, Bi, Zeng and Han 2009, Assigning Appropriate Weights for the Linear Combination Data Fusion " +
			"Method; as ranx",
		Params: []pipeline.Param{weightParam, normParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Mixed", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = scale(n), fuse.Mixed(n.Number("weight"), 1-n.Number("weight"))
		})
	},
}
