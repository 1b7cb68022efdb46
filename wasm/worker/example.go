//go:build !first

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// exampleSystems are the runs of the example.
var exampleSystems = []struct {
	name, notation string
}{{"bm25", "bm25"}, {"dense", "dense"}, {"hybrid", "rrf(bm25, dense)"}}

// exampleDepth is how many documents of each query the example's runs hold.
const exampleDepth = 20

// example runs three systems on the open collection.
func (lr *localRuns) example() (*compare.Input, error) {
	if lr.open.session == nil {
		return nil, errors.New("the example needs the demo collection, which is not open")
	}
	b := lr.open.session.Bundle()
	in := &compare.Input{Name: b.Manifest.Name, Qrels: collection.NewQrels(), Queries: b.Queries}
	for _, j := range b.Judgments {
		in.Qrels.Add(b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	for _, x := range exampleSystems {
		n, err := stage.Parse(x.notation)
		if err != nil {
			return nil, err
		}
		ranker, err := lr.open.session.Rankers.Of(n)
		if err != nil {
			return nil, err
		}
		run := collection.NewRunBuilder(x.name)
		for _, q := range b.Queries {
			hits, err := ranker.Rank(rank.Query{ID: q.ID, Text: q.Text}, exampleDepth, nil, nil)
			if err != nil {
				continue // the query is missing in the run, which is what the report says then
			}
			for _, h := range hits {
				if err := run.Add(q.ID, b.Cards[h.Doc].ID, h.Score); err != nil {
					return nil, err
				}
			}
		}
		made, _ := run.Run()
		in.Runs = append(in.Runs, compare.Named{Name: x.name, Run: made})
	}
	return in, nil
}
