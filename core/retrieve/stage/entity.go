//go:build !first

package stage

import (
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// Entity lifts documents about what the query names.
var Entity = &Stage{
	local: "the names in the documents",
	soft:  true,
	Stage: pipeline.Stage{
		Name: "entity",
		Role: pipeline.Transformer,
		Doc: "Boosts documents about entities in the query: people, places and organisations that the collection " +
			"lists for its documents.",
		Formula: "(1 - weight) * relevance + weight * the largest confidence of an entity of the document whose name " +
			"is in the query; relevance is the score, scaled to 0 to 1 over the first documents",
		Source: "by Rankbox; the collection's entities and their confidence",
		Params: []pipeline.Param{
			{Name: "weight", Kind: pipeline.Number, Default: "0.2", Min: 0, Max: 1,
				Slide: pipeline.Range{Max: 1, Step: 0.05}, Doc: "The weight of a name; relevance has the rest to 1."},
			depthParam,
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "entities") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			b := &rerank.Blend{Ranker: input, Name: "named in the query",
				Lack: "The query names no entity of these documents"}
			return b, func(n *pipeline.Node) error {
				weight := n.Number("weight")
				b.Depth = n.Integer("depth")
				b.Of = func(q rank.Query) (float64, string, func(d uint32) (float64, []rank.Value)) {
					words := plainWords(q.Text)
					return weight, "", func(d uint32) (v float64, _ []rank.Value) {
						for _, e := range c.Card(d).Entities {
							if name := plainWords(e.Name); len(name) > 2 && strings.Contains(words, name) {
								v = max(v, min(1, max(0, e.Confidence)))
							}
						}
						return v, nil
					}
				}
				return nil
			}, nil
		})
	},
}
