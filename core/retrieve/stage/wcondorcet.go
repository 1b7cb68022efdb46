//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// WCondorcet ranks by duels as condorcet does, where each of two rankings has a weight: where they disagree the heavier
// one decides.
var WCondorcet = &Stage{
	Stage: pipeline.Stage{
		Name:    "wcondorcet",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		MaxArgs: 2,
		Doc: "Ranks by duels like condorcet, with a weight for each of two rankings: if they disagree, the " +
			"heavier one decides. ranx 0.3.21 counts a ranking without either document as a vote for the second, so " +
			"its order depends on the input order. Rankbox does not.",
		Formula: "duels won - duels lost; a ranking with only one of two documents puts it above, a ranking with " +
			"neither does not vote",
		Source: "Montague and Aslam 2002, Condorcet Fusion for Improved Retrieval; Copeland 1951 (circles)",
		Params: []pipeline.Param{weightParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Weighted Condorcet", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildCondorcet(c, n, func(n *pipeline.Node, r *fuse.Condorcet) {
			r.Weights = []float64{n.Number("weight"), 1 - n.Number("weight")}
		})
	},
}
