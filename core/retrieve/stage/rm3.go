//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
)

// RM3 expands the query by a relevance model.
var RM3 = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name: "rm3",
		Role: pipeline.Transformer,
		Doc: "Searches again, with distinctive words of the first documents added to the query: it finds documents " +
			"that say the same in " +
			"other words, and drifts if the first documents are wrong.",
		Formula: "weight of a term = original * its share of the query + (1 - original) * its share of the feedback, " +
			"where feedback = " +
			"sum over the documents of score * tf / (tf of their chosen terms)",
		Source: "Abdul-Jaleel et al. 2004, UMass at TREC 2004: Novelty and HARD; arithmetic as Anserini 1.7.1",
		Params: []pipeline.Param{docsParam, termsParam,
			{Name: "original", Kind: pipeline.Number, Default: "0.5", Min: 0, Max: 1,
				Slide: pipeline.Range{Max: 1, Step: 0.05},
				Doc:   "The weight of the original query; the rest is feedback."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "RM3") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return buildFeedback(c, n, func(n *pipeline.Node) feedback.Expand {
			docs, terms, original := n.Integer("docs"), n.Integer("terms"), float32(n.Number("original"))
			return func(x *index.Index, q []feedback.Word, hits []rank.Hit) []feedback.Term {
				return feedback.RM3(x, q, hits, docs, terms, original)
			}
		})
	},
}
