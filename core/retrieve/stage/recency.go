//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// recencyWeights are what being new counts for each type of query.
var recencyWeights = [4]float64{classify.Factual: 0.05, classify.Analytical: 0.05, classify.Breaking: 0.15,
	classify.Historical: 0}

// Recency lifts what is new.
var Recency = &Stage{
	local: "the documents' dates",
	Stage: pipeline.Stage{
		Name: "recency",
		Role: pipeline.Transformer,
		Doc: "Boosts new documents: one that is halflife days older than the newest of the collection gets half " +
			"the boost. " +
			"Documents without a date get none.",
		Formula: "(1 - weight) * relevance + weight * 2^(-age/halflife); relevance is the score, scaled to 0 to 1 " +
			"over the first documents",
		Source: "Li and Croft 2003, Time-Based Language Models (exponential decay, here in a weighted mean)",
		Params: []pipeline.Param{
			byParam("fixed", "Whether weight is fixed or follows the type of the query: factual and analytical 0.05, "+
				"breaking 0.15, historical 0."),
			{Name: "weight", Kind: pipeline.Number, Default: "0.2", Min: 0, Max: 1,
				Slide: pipeline.Range{Max: 1, Step: 0.05}, By: "by", Only: []string{"fixed"},
				Doc: "The weight of being new; relevance has the rest to 1."},
			{Name: "halflife", Kind: pipeline.Number, Default: "30", Min: 0.1, Max: 100000,
				Doc: "Days until the boost is halved."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "recency") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index("")
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			b := &rerank.Blend{Ranker: input, Name: "how new it is",
				Lack: "None of these documents has a date"}
			newest, known := 0, false
			for d := range x.Docs() {
				if day, ok := rerank.Day(c.Card(uint32(d)).Date); ok && (!known || day > newest) {
					newest, known = day, true
				}
			}
			return b, func(n *pipeline.Node) error {
				byType, half, fixed := n.Word("by") == "type", n.Number("halflife"), n.Number("weight")
				b.Depth = n.Integer("depth")
				b.Of = func(q rank.Query) (float64, string, func(d uint32) (float64, []rank.Value)) {
					weight, why := fixed, ""
					if byType {
						t := classify.Of(q.Text).Type
						weight, why = recencyWeights[t], called(t)
					}
					if !known {
						weight, why = 0, "The collection has no dates"
					}
					return weight, why, func(d uint32) (float64, []rank.Value) {
						day, ok := rerank.Day(c.Card(d).Date)
						if !ok {
							return 0, nil
						}
						return rerank.Recency(newest-day, half),
							[]rank.Value{{Name: "days old", Value: float64(newest - day)}}
					}
				}
				return nil
			}, nil
		})
	},
}
