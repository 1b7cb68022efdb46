//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// mmrLambdas are how much relevance counts for each type of query.
var mmrLambdas = [4]float64{classify.Factual: 0.90, classify.Breaking: 0.80, classify.Historical: 0.70,
	classify.Analytical: 0.65}

// MMR is maximal marginal relevance.
var MMR = &Stage{
	local: "vectors or words of the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "mmr",
		Role: pipeline.Transformer,
		Doc: "Maximal marginal relevance: moves documents behind others that they repeat. The similarity of two " +
			"documents is the dot product of their " +
			"vectors, in the precision of dense: double if they are stored as float32, else int8 with a scale each, " +
			"which changes the order " +
			"somewhere in the first hundred for 201 of 225 queries of Cranfield (MiniLM). Documents beyond depth " +
			"are dropped.",
		Formula: "lambda * relevance - (1 - lambda) * the largest similarity to a document above it; relevance is " +
			"the score, between 0 and 1 over the " +
			"first documents",
		Source: "Carbonell and Goldstein 1998, The Use of MMR, Diversity-Based Reranking for Reordering Documents " +
			"and Producing Summaries",
		Params: []pipeline.Param{
			byParam("fixed", "Whether lambda is fixed or follows the type of the query: factual 0.90, breaking 0.80, "+
				"historical 0.70, analytical 0.65."),
			{Name: "lambda", Kind: pipeline.Number, Default: "0.7", Min: 0, Max: 1, By: "by", Only: []string{"fixed"},
				Slide: pipeline.Range{Max: 1, Step: 0.05},
				Doc:   "How much relevance counts: 1 keeps the order, 0 uses only variety."},
			depthParam,
			modelParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "MMR") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		input, err := Build(c, n.Input)
		if err != nil {
			return nil, err
		}
		model, err := modelNamed(c, n)
		if err != nil {
			return nil, err
		}
		var v *Vectors
		r := &rerank.MMR{Ranker: input, Vectors: func() (*dense.Vectors, error) {
			if v == nil {
				if v, err = c.Models().Vectors(model.Name); err != nil {
					return nil, err
				}
			}
			return v.Docs, nil
		}}
		set := func(n *pipeline.Node) error {
			r.Lambda, r.Depth, r.Of = n.Number("lambda"), n.Integer("depth"), nil
			if n.Word("by") == "type" {
				r.Of = func(q rank.Query) (float64, string) {
					t := classify.Of(q.Text).Type
					return mmrLambdas[t], called(t)
				}
			}
			return input.Set(n.Input)
		}
		return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
	},
}
