//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombMNZ adds scores up and favours documents that several rankings hold.
var CombMNZ = &Stage{
	Stage: pipeline.Stage{
		Name:    "combmnz",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the scores of several rankings and multiplies the sum by the number of rankings that hold " +
			"the document.",
		Formula: "m * sum of s" + normed + " and m is their number",
		Source:  foxShaw,
		Params:  []pipeline.Param{normParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "CombMNZ", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = scale(n), fuse.MNZ })
	},
}
