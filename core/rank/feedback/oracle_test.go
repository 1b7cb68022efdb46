package feedback_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/bm25"
	"github.com/rankbox/rankbox/core/rank/feedback"
	"github.com/rankbox/rankbox/core/text"
)

// each calls f with every JSON object of a file of the reference data, gzipped or not.
func each[T any](t testing.TB, name string, f func(T)) {
	file, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = bufio.NewReader(file)
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	for d := json.NewDecoder(r); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		f(v)
	}
}

type document struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

type query struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

// Oracle: Anserini 1.7.1 (pyserini 1.6.0), -rm3 and -rocchio over -bm25, all weights of all queries, to the bit. Anserini orders equal
// scores by id ascending; so does this test, since the tenth document may be one of several.
func TestWeightsEqualAnserini(t *testing.T) {
	for _, name := range []string{"cranfield", "scifact"} {
		var docs []document
		each(t, "data/"+name+"/corpus.jsonl", func(d document) { docs = append(docs, d) })
		slices.SortFunc(docs, func(a, b document) int { return strings.Compare(a.ID, b.ID) })
		an, err := text.Get("lucene-english")
		if err != nil {
			t.Fatal(err)
		}
		b := index.NewBuilder(an)
		for _, d := range docs {
			b.Add(d.Title, d.Text)
		}
		x := b.Build()
		r, err := bm25.New(x, bm25.Params{Variant: "lucene", K1: 0.9, B: 0.4, Title: 1})
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		each(t, "data/"+name+"/queries.jsonl", func(q query) { texts[q.ID] = q.Text })
		for _, kind := range []string{"rm3", "rocchio"} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				queries, weights := 0, 0
				each(t, "oracle/lucene/anserini/queries/"+name+".bm25-"+kind+".jsonl.gz", func(want struct {
					ID       string             `json:"query_id"`
					Feedback map[string]float64 `json:"feedback"`
				}) {
					q := words(x, an, texts[want.ID])
					hits, err := r.Rank(rank.Query{Text: texts[want.ID]}, 10, nil, nil)
					if err != nil {
						t.Fatal(err)
					}
					var got []feedback.Term
					if kind == "rm3" {
						got = feedback.RM3(x, q, hits, 10, 10, 0.5)
					} else {
						got = feedback.Rocchio(x, q, hits, 10, 10, 1, 0.75)
					}
					queries++
					for _, g := range got {
						weights++
						w, ok := want.Feedback[x.Term(g.ID)]
						if !ok {
							t.Errorf("query %s: %q (%v) is not Anserini's", want.ID, x.Term(g.ID), g.Weight)
						} else if float32(w) != g.Weight {
							t.Errorf("query %s: %q weighs %v, Anserini says %v", want.ID, x.Term(g.ID), g.Weight, w)
						}
					}
					known := 0
					for term := range want.Feedback {
						if _, ok := x.ID(term); ok {
							known++
						}
					}
					if known != len(got) {
						t.Errorf("query %s: %d terms, Anserini has %d of the index", want.ID, len(got), known)
					}
				})
				t.Logf("%d queries, %d weights", queries, weights)
			})
		}
	}
}

func words(x *index.Index, an *text.Analyzer, s string) []feedback.Word {
	var out []feedback.Word
	at := map[string]int{}
	an.Each(s, func(term string, _, _ int) {
		i, ok := at[term]
		if !ok {
			id, known := x.ID(term)
			i = len(out)
			at[term] = i
			out = append(out, feedback.Word{ID: id, Known: known})
		}
		out[i].Count++
	})
	return out
}
