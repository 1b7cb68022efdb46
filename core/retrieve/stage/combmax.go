//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombMAX takes the largest score.
var CombMAX = &Stage{
	Stage: pipeline.Stage{
		Name:    "combmax",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Takes the largest of the scores of the rankings that hold the document. ranx 0.3.21 raises scores " +
			"below −1e9 to " +
			"−1e9, which norm=max can give if the largest score of a ranking is 0.",
		Formula: "largest s" + normed,
		Source:  foxShaw,
		Params:  []pipeline.Param{normParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "CombMAX", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = scale(n), fuse.Most })
	},
}
