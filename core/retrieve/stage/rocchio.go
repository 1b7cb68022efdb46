//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
)

// Rocchio moves the query towards the first documents.
var Rocchio = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name:    "rocchio",
		Role:    pipeline.Transformer,
		Doc:     "Searches again, with the query moved towards the mean of the first documents.",
		Formula: "alpha * query + beta * mean of the documents, over the heaviest terms, all of length 1",
		Source: "Rocchio 1971, Relevance Feedback in Information Retrieval; arithmetic as Anserini 1.7.1, without " +
			"negative feedback",
		Params: []pipeline.Param{docsParam, termsParam,
			{Name: "alpha", Kind: pipeline.Number, Default: "1", Min: 0, Max: 100,
				Doc: "The weight of the original query."},
			{Name: "beta", Kind: pipeline.Number, Default: "0.75", Min: 0, Max: 100,
				Slide: pipeline.Range{Max: 2, Step: 0.05},
				Doc:   "The weight of the documents."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "Rocchio") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFeedback(c, n, func(n *pipeline.Node) feedback.Expand {
			docs, terms, alpha, beta := n.Integer("docs"), n.Integer("terms"), float32(n.Number("alpha")),
				float32(n.Number("beta"))
			return func(x *index.Index, q []feedback.Word, hits []rank.Hit) []feedback.Term {
				return feedback.Rocchio(x, q, hits, docs, terms, alpha, beta)
			}
		})
	},
}
