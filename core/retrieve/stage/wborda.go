//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// WBorda borda count with a weight for each of two rankings: the points that a ranking gives are worth its weight.
var WBorda = &Stage{
	Stage: pipeline.Stage{
		Name:    "wborda",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		MaxArgs: 2,
		Doc:     "Borda count of two rankings, each with a weight for its points.",
		Formula: "sum over the rankings of weight * points, points as borda gives them",
		Source:  "Aslam and Montague 2001, Models for Metasearch",
		Params:  []pipeline.Param{weightParam, depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "Weighted Borda", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = fuse.Points(), fuse.Weighted(n.Number("weight"), 1-n.Number("weight"))
		})
	},
}
