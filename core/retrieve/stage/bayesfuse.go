//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// BayesFuse adds up the log odds that a document at about its rank in each ranking is relevant.
var BayesFuse = &Stage{
	Stage: pipeline.Stage{
		Name:    "bayesfuse",
		Role:    pipeline.Combiner,
		MinArgs: 2,
		Doc: "Adds the log odds that a document near its rank in each ranking is relevant. Learned from the " +
			"other judged queries.",
		Formula: "sum over the rankings of ln(p / (1 - p)), where p is the share of relevant documents between ranks " +
			"1–5, 6–10, 11–15, 16–20, 21–30, 31–100, 101–200, 201–500 or 501–1000, at least 0.001",
		Source: "Aslam and Montague 2001, Models for Metasearch; as ranx",
		Params: []pipeline.Param{foldsParam, depthParam},
		Label:  func(n *pipeline.Node) string { return fusionLabel(n, "BayesFuse", false) },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildTrained(c, n, func(n *pipeline.Node) fuse.Learner { return fuse.Odds() })
	},
}
