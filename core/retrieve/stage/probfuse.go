//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// ProbFuse adds up how likely a document is relevant in its segment of each ranking, every ranking being cut into as
// many segments of one size.
var ProbFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "probfuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the probabilities that a document in its segment of each ranking is relevant. All rankings " +
			"have the same number of equal segments. Learned from the other judged queries.",
		Formula: "sum over the rankings of share of relevant documents in the segment / number of the segment",
		Source:  "Lillis, Toolan, Collier and Dunnion 2006, ProbFuse: A Probabilistic Approach to Data Fusion; as ranx",
		Params: []pipeline.Param{
			{Name: "segments", Kind: pipeline.Integer, Default: "25", Min: 1, Max: 1000,
				Doc: "How many segments to cut a ranking into."},
			foldsParam, depthParam},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "ProbFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner {
			return fuse.Probabilities(n.Integer("segments"))
		})
	},
}
