//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Condorcet ranks by duels: of two documents the one wins that more rankings put above the other, and a document is
// worth its duels won less those lost.
var Condorcet = &Stage{
	Stage: pipeline.Stage{
		Name:    "condorcet",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Ranks by duels: a document beats another if more rankings put it above. Its score is the duels won " +
			"minus the duels lost. ranx 0.3.21 counts a ranking without either document as a vote for the second, so " +
			"its order depends on the input order. Rankbox does not.",
		Formula: "duels won - duels lost; a ranking with only one of two documents puts it above, a ranking with " +
			"neither does not vote",
		Source: "Montague and Aslam 2002, Condorcet Fusion for Improved Retrieval; Copeland 1951 (circles)",
		Params: []pipeline.Param{depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "Condorcet", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildCondorcet(c, n, func(n *pipeline.Node, r *fuse.Condorcet) {})
	},
}
