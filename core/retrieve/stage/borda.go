//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Borda counts points.
var Borda = &Stage{
	Stage: pipeline.Stage{
		Name:    "borda",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Borda count: a ranking gives each of the C documents of all rankings one point less than the one " +
			"before. Documents that it lacks share the remaining points.",
		Formula: "sum over the rankings of C - rank + 1, or of (C - n + 1)/2 if a ranking of n documents lacks " +
			"the document",
		Source: "Aslam and Montague 2001, Models for Metasearch",
		Params: []pipeline.Param{depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Borda", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) { r.Scale, r.Method = fuse.Points(), fuse.Sum })
	},
}
