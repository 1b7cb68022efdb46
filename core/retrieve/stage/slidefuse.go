//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// SlideFuse adds up how likely a document is relevant at about its rank in each ranking: posfuse, evened out over the
// ranks beside it.
var SlideFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "slidefuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the probabilities that a document near its rank in each ranking is relevant: posfuse, " +
			"smoothed over neighbouring ranks. Learned from the other judged queries.",
		Formula: "sum over the rankings of mean of what posfuse gives to the ranks from rank - window to rank + window",
		Source: "Lillis, Toolan, Collier and Dunnion 2008, Extending Probabilistic Data Fusion Using Sliding " +
			"Windows; as ranx",
		Params: []pipeline.Param{
			{Name: "window", Kind: pipeline.Integer, Default: "5", Min: 0, Max: 1000,
				Doc: "How many ranks on either side count."},
			foldsParam, depthParam},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "SlideFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner { return fuse.Sliding(n.Integer("window")) })
	},
}
