//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// LogISR inverse square ranks with the logarithm of how many rankings hold the document: one that is in a single
// ranking gets nothing.
var LogISR = &Stage{
	Stage: pipeline.Stage{
		Name:    "logisr",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Inverse square ranks times the logarithm of the number of rankings that hold the document: a " +
			"document in one ranking scores 0.",
		Formula: "ln(m) * sum of 1 / rank^2, rank from 1, and m is the number of rankings that hold the document",
		Source: "Mourao, Martins and Magalhaes 2014, Multimodal Medical Information Retrieval with Unsupervised " +
			"Rank Fusion",
		Params: []pipeline.Param{depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Log ISR", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = fuse.InverseSquare(), fuse.Logarithmic(0)
		})
	},
}
