//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// MAPFuse adds up reciprocal ranks, each times the mean average precision of the ranking.
var MAPFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "mapfuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds reciprocal ranks, each weighted by the mean average precision of its ranking. Learned from " +
			"the other judged queries.",
		Formula: "sum over the rankings of AP of the ranking / rank",
		Source: "Lillis, Zhang, Toolan, Collier, Leonard and Dunnion 2010, Estimating Probabilities for Effective " +
			"Data Fusion; as ranx",
		Params: []pipeline.Param{foldsParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "MAPFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner { return fuse.MeanPrecision() })
	},
}
