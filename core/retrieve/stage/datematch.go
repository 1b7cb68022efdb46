//go:build !first

package stage

import (
	"strconv"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// DateMatch lifts documents of a date that the query names.
var DateMatch = &Stage{
	local: "the documents' dates",
	Stage: pipeline.Stage{
		Name: "datematch",
		Role: pipeline.Transformer,
		Doc: "Boosts documents of a date in the query, such as 1931, March 2024 or 12 August 2025: those published " +
			"then, and those that contain the year " +
			"as a word. A query without a date does not change.",
		Formula: "(1 - weight) * relevance + weight if the date matches; relevance is the score, scaled to 0 to 1 " +
			"over the first documents",
		Source: "by Rankbox; Metzler et al. 2009, Improving Search Relevance for Implicitly Temporal Queries " +
			"(the idea)",
		Params: []pipeline.Param{
			byParam("type", "Apply to every query with a date, or only to queries predicted as historical."),
			{Name: "weight", Kind: pipeline.Number, Default: "0.3", Min: 0, Max: 1,
				Slide: pipeline.Range{Max: 1, Step: 0.05}, Doc: "The weight of the date; relevance has the rest to 1."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "dates") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index("")
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			b := &rerank.Blend{Ranker: input, Name: "date of the query",
				Lack: "None of these documents is of the date in the query"}
			return b, func(n *pipeline.Node) error {
				byType, fixed := n.Word("by") == "type", n.Number("weight")
				b.Depth = n.Integer("depth")
				b.Of = func(q rank.Query) (float64, string, func(d uint32) (float64, []rank.Value)) {
					dates := rerank.Dates(q.Text)
					if len(dates) == 0 {
						return 0, "The query names no date", nil
					}
					if t := classify.Of(q.Text).Type; byType && t != classify.Historical {
						return 0, called(t), nil
					}
					return fixed, "", func(d uint32) (float64, []rank.Value) {
						date := c.Card(d).Date
						for _, w := range dates {
							if w.Holds(date) {
								return 1, nil
							}
							if id, ok := x.ID(strconv.Itoa(w.Year)); ok {
								l := x.List(id)
								if _, ok := l.Find(d); ok {
									return 1, nil
								}
							}
						}
						return 0, nil
					}
				}
				return nil
			}, nil
		})
	},
}
