//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// Balance keeps one category from filling the first places.
var Balance = &Stage{
	local: "the documents' categories",
	Stage: pipeline.Stage{
		Name: "balance",
		Role: pipeline.Transformer,
		Doc: "Limits each category to its share of the first places. Documents beyond the share move behind " +
			"those places, in their order. Documents without a category stay.",
		Formula: "each place keeps its score in the ranking, or the next smaller number to avoid a tie",
		Source:  "by Rankbox; Celis, Straszak and Vishnoi 2018, Ranking with Fairness Constraints (a quota a category)",
		Params: []pipeline.Param{
			{Name: "share", Kind: pipeline.Number, Default: "0.5", Min: 0, Max: 1,
				Slide: pipeline.Range{Min: 0.1, Max: 1, Step: 0.05},
				Doc:   "The share of the first places for one category; at least one place."},
			{Name: "top", Kind: pipeline.Integer, Default: "20", Min: 1, Max: 1000, Doc: "How many places to balance."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "balance") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			b := &rerank.Balance{Ranker: input, Category: func(d uint32) string { return c.Card(d).Category }}
			return b, func(n *pipeline.Node) error {
				b.Share, b.Top, b.Depth = n.Number("share"), n.Integer("top"), n.Integer("depth")
				return nil
			}, nil
		})
	},
}
