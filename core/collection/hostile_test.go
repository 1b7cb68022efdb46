package collection

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// hostileID makes an id of pieces that mean something to some format.
func hostileID(r *rand.Rand) string {
	pieces := []string{"d", "1", "q9", " ", "\n", "\r", "\t", "\v", "\x00", "\x7f", "\"", "'", ",", ";", "#", "0", "Q0",
		"=", "+", "-", "@", "{", "}", "[", "<top>", "</top>", "<", "&amp;", "&", "\\", "\\n", "\u00a0", "\ufeff",
		"\u2028",
		"é", "\xff", "PK\x03\x04", "null", "1e9", "\n9 0 forged 3", "\n9 Q0 forged 1 9 t", "query-id", "_id"}
	id := ""
	for range 1 + r.IntN(4) {
		id += pieces[r.IntN(len(pieces))]
	}
	return id
}

// Whatever the ids of queries and documents are, every writer either refuses them and writes nothing of it, or what it
// writes is read back as it was, with nothing added.
func TestEveryWriterKeepsOrRefusesHostileIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 6))
	kept, refused, failed := map[string]int{}, map[string]int{}, 0
	for range 10_000 {
		query, doc := hostileID(r), hostileID(r)
		b := NewRunBuilder("t")
		if b.Add(query, doc, 2.5) != nil {
			continue // no run can hold it
		}
		run, _ := b.Run()
		qrels, div := NewQrels(), NewDiversity()
		qrels.Add(query, doc, 2)
		div.add(view(query), view("s"), view(doc), 1)
		queries, docs := []Query{{ID: query, Text: "t"}}, []Doc{{ID: doc, Title: "t", Text: "x"}}
		whole := &Collection{Queries: queries, Docs: docs, Qrels: qrels}
		bench := &Benchmark{Version: "1.0",
			Queries: []BenchmarkQuery{{Key: query, Text: "t",
				Relevant: []BenchmarkJudgment{{Ref: DocRef{DocumentID: doc}, Grade: 2}}}}}
		asRun := func(c *Content) bool {
			return c.Run != nil && c.Run.Len() == 1 && c.Run.Query(query) == 0 &&
				c.Run.Ranked(0, DocIDDescending, nil)[0].Doc == doc
		}
		graded := func(q *Qrels) bool {
			if q == nil || q.Len() != 1 {
				return false
			}
			g, ok := q.Grade(query, doc)
			return ok && g == 2
		}
		asQrels := func(c *Content) bool { return graded(c.Qrels) }
		asQueries := func(c *Content) bool { return len(c.Queries) == 1 && c.Queries[0].ID == query }
		for _, x := range []struct {
			name  string
			kind  Format
			write func(io.Writer) error
			same  func(*Content) bool
		}{
			{"run trec", RunTREC, run.WriteTREC, asRun},
			{"run json", RunJSON, run.WriteJSON, asRun},
			{"run csv", RunCSV, run.WriteCSV, asRun},
			{"qrels trec", QrelsTREC, qrels.WriteTREC, asQrels},
			{"qrels tsv", QrelsTSV, qrels.WriteTSV, asQrels},
			{"qrels json", QrelsJSON, qrels.WriteJSON, asQrels},
			{"qrels csv", QrelsCSV, qrels.WriteCSV, asQrels},
			{"subtopics", QrelsTREC, div.WriteTREC, func(c *Content) bool {
				return c.Qrels != nil && c.Qrels.Len() == 1 && c.Qrels.Has(query)
			}},
			{"queries jsonl", QueriesJSONL, func(w io.Writer) error { return WriteQueries(w, queries) }, asQueries},
			{"queries tsv", QueriesTSV, func(w io.Writer) error { return WriteQueriesTSV(w, queries) }, asQueries},
			{"topics", Topics, func(w io.Writer) error { return WriteTopics(w, queries) }, asQueries},
			{"corpus", CorpusJSONL, func(w io.Writer) error {
				return WriteCorpus(w, docs)
			}, func(c *Content) bool { return len(c.Docs) == 1 && c.Docs[0].ID == doc }},
			{"dataset", DatasetJSON, func(w io.Writer) error {
				return WriteDataset(w, whole)
			}, func(c *Content) bool { return c.Collection != nil && graded(c.Collection.Qrels) }},
			{"judged", JudgedQueryJSON, func(w io.Writer) error {
				return WriteJudgedQueries(w, queries, qrels)
			}, func(c *Content) bool { return asQrels(c) || c.Collection != nil && graded(c.Collection.Qrels) }},
			{"benchmark", BenchmarkJSON, func(w io.Writer) error {
				return WriteBenchmark(w, bench)
			}, func(c *Content) bool {
				return c.Benchmark != nil && len(c.Benchmark.Queries) == 1 && c.Benchmark.Queries[0].Key == query &&
					len(c.Benchmark.Queries[0].Relevant) == 1 &&
					c.Benchmark.Queries[0].Relevant[0].Ref.DocumentID == doc
			}},
		} {
			var out bytes.Buffer
			if err := x.write(&out); err != nil {
				if refused[x.name]++; out.Len() > 0 {
					t.Fatalf("%s of %q, %q: refused, and wrote %q", x.name, query, doc, out.String())
				}
				continue
			}
			c, err := Read("again", bytes.NewReader(out.Bytes()), Options{Kind: x.kind})
			if err != nil || !x.same(c) {
				t.Errorf("%s of %q, %q: %v, read back from %q as %s", x.name, query, doc, err, out.String(), told(c))
				if failed++; failed > 20 {
					t.FailNow()
				}
				continue
			}
			kept[x.name]++
		}
	}
	for name, n := range kept {
		if n < 1000 || strings.Contains(name, "trec") && refused[name] < 1000 {
			t.Errorf("%s: %d kept, %d refused", name, n, refused[name])
		}
	}
}

func told(c *Content) string {
	if c == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %v", c.Format, c.Warnings)
}
