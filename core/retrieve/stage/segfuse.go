//go:build !first

package stage

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// SegFuse adds up the scores of the rankings, each times how likely a document is relevant in its segment; segments
// grow with the rank.
var SegFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "segfuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the scores of the rankings, each times the probability that a document in its segment is " +
			"relevant. Segments grow with the rank. Learned from the other judged queries.",
		Formula: "sum over the rankings of share of relevant documents in the segment * (s + 1), where s is the " +
			"score after norm; segments end at ranks 5, 15, 35, 75, …",
		Source: "Shokouhi 2007, Segmentation of Search Engine Results for Effective Data-Fusion; as ranx",
		Params: []pipeline.Param{orderly(normParam), foldsParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "SegFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner { return fuse.Segments(scale(n)) })
	},
}

// orderly is the parameter without the norms that turn a ranking round, or that need the others.
func orderly(p pipeline.Param) pipeline.Param {
	p.Words = slices.DeleteFunc(slices.Clone(p.Words), func(w string) bool { return w == "inverted" || w == "borda" })
	p.Doc = "How to normalise the scores of a ranking: between 0 and 1, divided by the largest or by their sum, with " +
		"mean 0 and variance 1, by rank, or not at all."
	return p
}
