//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// ISR is inverse square rank fusion.
var ISR = &Stage{
	Stage: pipeline.Stage{
		Name:    "isr",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc:     "Inverse square rank fusion: the first ranks count most, and documents in several rankings gain.",
		Formula: "m * sum over the m rankings that hold the document of 1 / rank^2, rank from 1",
		Source:  "Mourao, Martins and Magalhaes 2014, Inverse Square Rank Fusion for Multimodal Search",
		Params:  []pipeline.Param{depthParam},
		Label:   func(n *pipeline.Node) string { return fusionLabel(n, "ISR", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = fuse.InverseSquare(), fuse.MNZ
		})
	},
}
