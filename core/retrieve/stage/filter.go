//go:build !first

package stage

import (
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// Filter lets only some documents be ranked.
var Filter = &Stage{
	local: "the documents' dates, categories and names",
	Stage: pipeline.Stage{
		Name: "filter",
		Role: pipeline.Transformer,
		Doc: "Makes the stages before it rank only documents of a category, about an entity, or from a period. " +
			"They still return the requested number.",
		Formula: "scores do not change",
		Source:  "as the filter clause of a Boolean query",
		Params: []pipeline.Param{
			{Name: "category", Kind: pipeline.Word, Doc: "The only category, ignoring case; _ means a space."},
			{Name: "entity", Kind: pipeline.Word, Doc: "The only entity, the same."},
			{Name: "from", Kind: pipeline.Integer, Default: "0", Min: 0, Max: 99991231,
				Doc: "The first day, as 20240504; 0 for no first day."},
			{Name: "to", Kind: pipeline.Integer, Default: "99991231", Min: 0, Max: 99991231, Doc: "The last day."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "filter") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, err := c.Index("")
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			r := &rerank.Narrow{Ranker: input}
			return r, func(n *pipeline.Node) error {
				category, entity := spaced(n.Word("category")), spaced(n.Word("entity"))
				from, to := day(n.Integer("from")), day(n.Integer("to"))
				dated := n.IsSet("from") || n.IsSet("to")
				r.Pass = make(rank.Filter, (x.Docs()+63)/64)
				for d := range uint32(x.Docs()) {
					card := c.Card(d)
					ok := (category == "" || strings.ToLower(card.Category) == category) &&
						(!dated || card.Date != "" && card.Date >= from && card.Date <= to)
					about := entity == ""
					for _, e := range card.Entities {
						about = about || strings.ToLower(e.Name) == entity
					}
					if ok && about {
						r.Pass[d>>6] |= 1 << (d & 63)
					}
				}
				return nil
			}, nil
		})
	},
}

func spaced(word string) string { return strings.ToLower(strings.ReplaceAll(word, "_", " ")) }

// day writes 20240504 as 2024-05-04.
func day(n int) string { return fmt.Sprintf("%04d-%02d-%02d", n/10000, n/100%100, n%100) }
