//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// LogNISR as logisr, with a little added to the number of rankings, so that a document in a single one still counts for
// something.
var LogNISR = &Stage{
	Stage: pipeline.Stage{
		Name:    "lognisr",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Like logisr, with a little added to the number of rankings, so a document in one ranking " +
			"still scores.",
		Formula: "ln(m + sigma) * sum of 1 / rank^2, rank from 1, and m is the number of rankings that hold " +
			"the document",
		Source: "Mourao, Martins and Magalhaes 2014, Multimodal Medical Information Retrieval with Unsupervised " +
			"Rank Fusion",
		Params: []pipeline.Param{{Name: "sigma", Kind: pipeline.Number, Default: "0.01", Min: 0, Max: 10,
			Doc: "The number to add to the number of rankings."}, depthParam},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "LogN ISR", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = fuse.InverseSquare(), fuse.Logarithmic(n.Number("sigma"))
		})
	},
}
