package feedback_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
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

// open opens a collection: its index, by ascending ids, Anserini's order of ties; its analyzer, ids and query
// texts.
func open(t *testing.T, name string) (x *index.Index, an *text.Analyzer, ids []string, texts map[string]string) {
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
		ids = append(ids, d.ID)
	}
	texts = map[string]string{}
	each(t, "data/"+name+"/queries.jsonl", func(q query) { texts[q.ID] = q.Text })
	return b.Build(), an, ids, texts
}

// Oracle: Anserini 1.7.1 (pyserini 1.6.0; Harbour Wire: 0.25.0), -rm3 and -rocchio over -bm25, all weights of all
// queries, to the bit. Anserini orders ties by ascending id; so does this test, since the tenth document may be
// tied.
func TestWeightsEqualAnserini(t *testing.T) {
	for _, name := range []string{"harbour-wire", "cranfield", "scifact"} {
		t.Run(name, func(t *testing.T) {
			x, an, _, texts := open(t, name)
			r, err := bm25.New(x, bm25.Params{Variant: "lucene", K1: 0.9, B: 0.4, Title: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []string{"rm3", "rocchio"} {
				t.Run(kind, func(t *testing.T) {
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
		})
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

// Oracle: Anserini 1.7.1's own runs (Harbour Wire: 0.25.0's), top 100. It rounds scores to 1e-4 and lowers ties by
// 1e-6 a rank. So each of our scores must be within 1e-4 of its, for all common documents, and only documents at
// the end may differ.
func TestRunsEqualAnserini(t *testing.T) {
	for _, name := range []string{"harbour-wire", "cranfield", "scifact"} {
		t.Run(name, func(t *testing.T) {
			x, _, ids, texts := open(t, name)
			for _, kind := range []string{"rm3", "rocchio"} {
				t.Run(kind, func(t *testing.T) {
					words, err := bm25.New(x, bm25.Params{Variant: "lucene", K1: 0.9, B: 0.4, Title: 1})
					if err != nil {
						t.Fatal(err)
					}
					r, err := feedback.New(x, words)
					if err != nil {
						t.Fatal(err)
					}
					r.Docs = 10
					r.Expand = func(x *index.Index, q []feedback.Word, hits []rank.Hit) []feedback.Term {
						if kind == "rm3" {
							return feedback.RM3(x, q, hits, 10, 10, 0.5)
						}
						return feedback.Rocchio(x, q, hits, 10, 10, 1, 0.75)
					}
					want := run(t, "oracle/lucene/anserini/runs/"+name+".bm25-"+kind+".run.gz")
					for id, list := range want {
						q := rank.Query{ID: id, Text: texts[id]}
						hits, err := r.Rank(q, 100, nil, nil)
						if err != nil {
							t.Fatal(err)
						}
						if len(hits) != len(list) {
							t.Errorf("query %s: %d documents, want %d", id, len(hits), len(list))
						}
						last := 0.0
						for _, h := range hits {
							score, ok := list[ids[h.Doc]]
							last = h.Score
							if ok && math.Abs(score-h.Score) > 1e-4 {
								t.Errorf("query %s: %s scores %v, Anserini says %v", id, ids[h.Doc], h.Score, score)
							}
							if !ok && h.Score > hits[len(hits)-1].Score+2e-4 {
								t.Errorf("query %s: %s with %v is not among Anserini's, which end at %v", id,
									ids[h.Doc], h.Score, last)
							}
						}
						p, err := r.Explain(q, nil, hits[0].Doc)
						if err != nil || math.Abs(p.Score-hits[0].Score) > 1e-6 {
							t.Errorf("query %s: the explanation adds up to %v (%v), the score is %v", id, p.Score, err,
								hits[0].Score)
						}
					}
					if len(want) < 200 && name != "harbour-wire" || len(want) < 44 {
						t.Errorf("%d queries", len(want))
					}
				})
			}
		})
	}
}

// run reads a TREC run: query → document → score.
func run(t *testing.T, name string) map[string]map[string]float64 {
	t.Helper()
	z := shared.Open(t, name)
	out := map[string]map[string]float64{}
	for s := bufio.NewScanner(z); s.Scan(); {
		c := strings.Fields(s.Text())
		score, err := strconv.ParseFloat(c[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		if out[c[0]] == nil {
			out[c[0]] = map[string]float64{}
		}
		out[c[0]][c[2]] = score
	}
	return out
}
