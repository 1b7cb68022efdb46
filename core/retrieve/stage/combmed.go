//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombMED takes the median score.
var CombMED = &Stage{
	Stage: pipeline.Stage{
		Name:    "combmed",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc:     "Takes the median of the scores of the rankings that hold the document.",
		Formula: "median of s" + normed,
		Source:  foxShaw,
		Params:  []pipeline.Param{normParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "CombMED", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = scale(n), fuse.Median })
	},
}
