package matrix

import (
	"math"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Facets are what only a collection tells of the queries of a report: in how many documents their rarest word is, and
// the category that most of their relevant documents have.
func Facets(s *experiment.Session, r *report.Report) []analysis.Facet {
	b := s.Bundle()
	rarest, category := make([]float64, len(r.Queries)), make([]string, len(r.Queries))
	if unread(s) != "" {
		return nil
	}
	x, an, err := stage.Analyzed(s.Parts())
	place := make(map[string]int, len(b.Cards))
	for d := range b.Cards {
		place[b.Cards[d].ID] = d
	}
	qrels := s.Queries.Qrels()
	for i := range r.Queries {
		rarest[i] = math.NaN()
		if err == nil {
			for _, term := range an.Terms(r.Queries[i].Text) {
				if id, ok := x.ID(term); ok {
					if df := float64(x.DF(index.Contents, id)); !(df >= rarest[i]) {
						rarest[i] = df
					}
				}
			}
		}
		count := map[string]int{}
		qrels.Each(r.Queries[i].ID, func(doc string, grade float64) {
			d, ok := place[doc]
			if grade < 1 || !ok || b.Cards[d].Category == "" {
				return
			}
			c := b.Cards[d].Category
			if count[c]++; count[c] > count[category[i]] || count[c] == count[category[i]] && c < category[i] {
				category[i] = c
			}
		})
	}
	return []analysis.Facet{analysis.Thirds("documents with the rarest word", rarest),
		{Name: "category of the relevant documents", Values: category}}
}
