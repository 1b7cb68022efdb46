//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// WMNZ adds the scores of two rankings up and multiplies the sum by the weights of those that hold the document: a
// document in both counts more, and in the heavier one too.
var WMNZ = &Stage{
	Stage: pipeline.Stage{
		Name:    "wmnz",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		MaxArgs: 2,
		Doc: "Adds the scores of two rankings and multiplies the sum by the weights of those that hold the " +
			"document. Being in both, or in the heavier one, counts more.",
		Formula: "(sum of the weights of the rankings that hold the document) * (sum of s)" + normed,
		Source: "Wu and Crestani 2002, Data Fusion with Estimated Weights; weights on the number and not on the " +
			"scores, as ranx",
		Params: []pipeline.Param{weightParam, normParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Weighted MNZ", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = scale(n), fuse.WMNZ(n.Number("weight"), 1-n.Number("weight"))
		})
	},
}
