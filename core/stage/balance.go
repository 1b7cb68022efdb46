//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/rerank"
)

// Balance keeps one category from filling the first places.
var Balance = &Stage{
	Stage: pipeline.Stage{
		Name:    "balance",
		Role:    pipeline.Transformer,
		Doc:     "Lets no category have more than its share of the first places: documents beyond it move behind those places, in the order they had. Documents without a category stay.",
		Formula: "each place keeps the score that the ranking had there, or the next smaller number where that would be a tie",
		Source:  "of our own; Celis, Straszak and Vishnoi 2018, Ranking with Fairness Constraints (a quota a category)",
		Params: []pipeline.Param{
			{Name: "share", Kind: pipeline.Number, Default: "0.5", Min: 0, Max: 1, Slide: pipeline.Range{Min: 0.1, Max: 1, Step: 0.05}, Doc: "Of the first places, what one category may have; at least one of them."},
			{Name: "top", Kind: pipeline.Integer, Default: "20", Min: 1, Max: 1000, Doc: "How many places are balanced."},
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
