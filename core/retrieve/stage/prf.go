//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
)

// PRF expands the query by the most frequent new words.
var PRF = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name: "prf",
		Role: pipeline.Transformer,
		Doc: "Searches again, with the most frequent new words of the first documents added to the query: the " +
			"simplest kind of " +
			"feedback.",
		Formula: "weight of a term = its count in the query, or weight for a new one; new ones are the terms with " +
			"the largest sum of tf over the first documents",
		Source: "Xu and Croft 1996, Query Expansion Using Local and Global Document Analysis (local feedback); terms " +
			"as Anserini chooses them for RM3",
		Params: []pipeline.Param{docsParam, termsParam,
			{Name: "weight", Kind: pipeline.Number, Default: "0.2", Min: 0, Max: 10,
				Slide: pipeline.Range{Max: 1, Step: 0.05},
				Doc:   "The weight of a new word compared with one of the query."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "PRF") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFeedback(c, n, func(n *pipeline.Node) feedback.Expand {
			docs, terms, weight := n.Integer("docs"), n.Integer("terms"), float32(n.Number("weight"))
			return func(x *index.Index, q []feedback.Word, hits []rank.Hit) []feedback.Term {
				return feedback.Frequent(x, q, hits, docs, terms, weight)
			}
		})
	},
}
