//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// PosFuse adds up how likely a document is relevant at its very rank in each ranking.
var PosFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "posfuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the probabilities that a document at its exact rank in each ranking is relevant. Learned from " +
			"the other judged queries.",
		Formula: "sum over the rankings of share of queries whose document at this rank is relevant",
		Source: "Lillis, Zhang, Toolan, Collier, Leonard and Dunnion 2010, Estimating Probabilities for Effective " +
			"Data Fusion; as ranx",
		Params: []pipeline.Param{foldsParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "PosFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner { return fuse.Positions() })
	},
}
