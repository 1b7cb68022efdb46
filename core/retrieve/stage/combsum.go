//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombSUM adds scores up.
var CombSUM = &Stage{
	Stage: pipeline.Stage{
		Name:    "combsum",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc:     "Normalises the scores of several rankings and adds them.",
		Formula: "sum of s" + normed,
		Source:  foxShaw,
		Params:  []pipeline.Param{normParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "CombSUM", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = scale(n), fuse.Sum })
	},
}
