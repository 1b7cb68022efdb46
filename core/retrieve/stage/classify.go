//go:build !first

package stage

import (
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
)

// Classify says of which type the query is.
var Classify = &Stage{
	Stage: pipeline.Stage{
		Name: "classify",
		Role: pipeline.Transformer,
		Doc: "Predicts the type of the query (factual, analytical, breaking or historical) and shows the signs. It " +
			"leaves the ranking " +
			"unchanged; stages with by=type use the prediction. It is right for 33 of the demo's 41 queries " +
			"(docs/classify.md).",
		Formula: "scores and order do not change",
		Source: "rules by Rankbox, with weights learned by multinomial logistic regression from the demo's " +
			"judged queries",
		Label: func(n *pipeline.Node) string { return n.Input.Label() },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			return &classified{Ranker: input}, nil, nil
		})
	},
}

// classified is a ranking with a word about the query.
type classified struct {
	rank.Ranker
	said string
}

// Rank implements rank.Ranker.
func (c *classified) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	class := classify.Of(q.Text)
	c.said = called(class.Type)
	if class.Signs != nil {
		c.said += ": it " + strings.Join(class.Signs, ", ")
	}
	return c.Ranker.Rank(q, k, f, dst)
}

// Account implements rank.Accountable.
func (c *classified) Account() rank.Account { return rank.Account{Note: c.said} }

// Explain implements rank.Ranker.
func (c *classified) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	p, err := c.Ranker.Explain(q, f, d)
	return rank.Part{Score: p.Score, Parts: []rank.Part{rank.Before(p)}}, err
}
