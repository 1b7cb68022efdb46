package main

import (
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

const mostFeedback = 10 // documents

// Expansion is a query under RM3 with 1 to 10 feedback documents. Its parts are what the stage gives at the ends: all
// weight for the query, and all for the feedback.
func (d *lessonData) Expansion(query string) (out figure.Expansion, err error) {
	qi := slices.IndexFunc(d.Queries(), func(q report.Query) bool { return q.ID == query })
	if qi < 0 {
		return out, fmt.Errorf("there is no query %q", query)
	}
	grades, err := d.judged("test")
	if err != nil {
		return out, err
	}
	cards := d.s.Bundle().Cards
	q := rank.Query{ID: query, Text: d.Queries()[qi].Text}
	out.Query = q.Text
	for _, c := range cards {
		out.Docs = append(out.Docs, figure.Expanded{Grade: grades[query][c.ID],
			Feedback: make([]float64, mostFeedback)})
	}
	ranker := func(docs int, original string) (rank.Ranker, []rank.Hit, error) {
		n, err := stage.Parse(fmt.Sprintf("bm25 >> rm3(docs=%d, original=%s)", docs, original))
		if err != nil {
			return nil, nil, err
		}
		r, err := d.s.Rankers.Of(n)
		if err != nil {
			return nil, nil, err
		}
		hits, err := r.Rank(q, len(cards), nil, nil)
		return r, hits, err
	}
	_, hits, err := ranker(1, "1")
	if err != nil {
		return out, err
	}
	for i, h := range hits {
		out.Docs[h.Doc].Query = h.Score
		if i < mostFeedback {
			out.First = append(out.First, out.Docs[h.Doc].Grade)
		}
	}
	if len(hits) < mostFeedback {
		return out, fmt.Errorf("query %s finds %d documents", query, len(hits))
	}
	for docs := 1; docs <= mostFeedback; docs++ {
		_, hits, err := ranker(docs, "0")
		if err != nil {
			return out, err
		}
		for _, h := range hits {
			out.Docs[h.Doc].Feedback[docs-1] = h.Score
		}
		r, hits, err := ranker(docs, "0.5")
		if err != nil {
			return out, err
		}
		part, err := r.Explain(q, nil, hits[0].Doc)
		if err != nil {
			return out, err
		}
		var added []figure.Weighted
		for _, term := range part.Parts {
			for _, v := range term.Values {
				share := figure.Weighted{Name: term.Name, Weight: 2 * v.Value} // the half of it at original = 0.5
				switch {
				case v.Value == 0:
				case v.Name == "from query" && docs == 1:
					out.Words = append(out.Words, share)
				case v.Name == "from feedback":
					added = append(added, share)
				}
			}
		}
		out.Added = append(out.Added, added)
	}
	return out, nil
}
