//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank/fuse"
)

// Borda counts points.
var Borda = &Stage{
	Stage: pipeline.Stage{
		Name:    "borda",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc:     "Borda count: a ranking gives each of the C documents of all rankings a point less than the one before, and the ones it does not hold share the rest.",
		Formula: "sum over the rankings of C - rank + 1, or of (C - n + 1)/2 where a ranking of n documents does not hold the document",
		Source:  "Aslam and Montague 2001, Models for Metasearch",
		Params:  []pipeline.Param{depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "Borda", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = fuse.Points(), fuse.Sum })
	},
}
