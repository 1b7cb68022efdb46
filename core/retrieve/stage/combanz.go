//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombANZ takes the mean score.
var CombANZ = &Stage{
	Stage: pipeline.Stage{
		Name:    "combanz",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc:     "Takes the mean of the scores over the rankings that hold the document.",
		Formula: "(sum of s) / m" + normed + " and m is their number",
		Source:  foxShaw,
		Params:  []pipeline.Param{normParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "CombANZ", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = scale(n), fuse.ANZ })
	},
}
