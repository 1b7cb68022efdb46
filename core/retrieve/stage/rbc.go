//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// RBC is rank-biased centroid fusion.
var RBC = &Stage{
	Stage: pipeline.Stage{
		Name:    "rbc",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Rank-biased centroids: the weight of a rank falls geometrically, for a reader who continues with " +
			"probability phi.",
		Formula: "sum over the rankings that hold the document of (1 - phi) * phi^(rank - 1), rank from 1",
		Source:  "Bailey, Moffat, Scholer and Thomas 2017, Retrieval Consistency in the Presence of Query Variations",
		Params: []pipeline.Param{
			{Name: "phi", Kind: pipeline.Number, Default: "0.8", Min: 0.01, Max: 0.999,
				Doc: "The probability that a reader continues to the next rank."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "RBC", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = fuse.Geometric(n.Number("phi")), fuse.Sum
		})
	},
}
