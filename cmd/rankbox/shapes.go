package main

import (
	"fmt"
	"io"

	"github.com/rankbox/rankbox/core/collection"
)

// shapes are the JSON shapes that hold more than judgments.
var shapes = []string{"benchmark", "dataset", "judged"}

// shaped returns what writes judgments, the queries they are for and, where they are known, the documents as one of
// shapes. A query without a text has its id for one. resolved says that the ids of qrels are those of documents: a
// benchmark whose references were not looked up is written with them.
func shaped(c *collection.Content, format string, resolved bool) (func(io.Writer) error, error) {
	if format == "benchmark" && c.Benchmark != nil && !resolved {
		return func(w io.Writer) error { return collection.WriteBenchmark(w, c.Benchmark) }, nil
	}
	all := collection.Collection{Name: c.Name, Queries: c.Queries, Docs: c.Docs, Qrels: c.Qrels}
	if c.Collection != nil {
		all = *c.Collection
	}
	if all.Qrels == nil || c.Diversity != nil {
		return nil, usagef("output %q needs qrels with one grade a document", format)
	}
	known := map[string]collection.Query{}
	for _, q := range all.Queries {
		known[q.ID] = q
	}
	all.Queries = nil
	b := &collection.Benchmark{Version: "1.0"}
	for _, id := range all.Qrels.Queries() {
		q := known[id]
		if q.ID = id; q.Text == "" {
			q.Text = id
		}
		all.Queries = append(all.Queries, q)
		bq, bad := collection.BenchmarkQuery{Key: id, Text: q.Text}, error(nil)
		all.Qrels.Each(id, func(doc string, grade float64) {
			if grade < 0 || grade > 3 {
				bad = fmt.Errorf("document %q has grade %v for query %q: benchmark grades go from 0 to 3", doc, grade,
					id)
			}
			bq.Relevant = append(bq.Relevant, collection.BenchmarkJudgment{Ref: collection.DocRef{DocumentID: doc},
				Grade: grade})
		})
		if format == "benchmark" && bad != nil {
			return nil, bad
		}
		b.Queries = append(b.Queries, bq)
	}
	switch format {
	case "benchmark":
		return func(w io.Writer) error { return collection.WriteBenchmark(w, b) }, nil
	case "dataset":
		return func(w io.Writer) error { return collection.WriteDataset(w, &all) }, nil
	}
	return func(w io.Writer) error { return collection.WriteJudgedQueries(w, all.Queries, all.Qrels) }, nil
}
