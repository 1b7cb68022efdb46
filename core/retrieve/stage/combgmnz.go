//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// CombGMNZ is CombMNZ with a weight for the number of rankings.
var CombGMNZ = &Stage{
	Stage: pipeline.Stage{
		Name:    "combgmnz",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "CombMNZ with a weight for agreement: the number of rankings that hold the document counts to the " +
			"power of gamma.",
		Formula: "m^gamma * sum of s" + normed + " and m is their number",
		Source:  "Lee 1997, Analyses of Multiple Evidence Combination; norms as ranx",
		Params: []pipeline.Param{
			{Name: "gamma", Kind: pipeline.Number, Default: "1", Min: 0, Max: 10,
				Doc: "How much agreement counts: 0 is combsum, 1 is combmnz."},
			normParam, depthParam,
		},
		Label: func(n *pipeline.Node) string { return fusionLabel(n, "CombGMNZ", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFusion(c, n, func(n *pipeline.Node, r *fuse.Fusion) {
			r.Scale, r.Method = scale(n), fuse.GMNZ(n.Number("gamma"))
		})
	},
}
