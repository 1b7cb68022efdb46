package lm_test

import (
	"bufio"
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
	"github.com/rankbox/rankbox/core/retrieve/rank/lm"
	"github.com/rankbox/rankbox/core/text"
)

type doc struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func read(t testing.TB, name string) []doc {
	f, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []doc
	for dec := json.NewDecoder(f); dec.More(); {
		var d doc
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// build returns the index of a collection of the reference data, and its ids by ordinal.
func build(t testing.TB, name string) (*index.Index, []string) {
	docs := read(t, "data/"+name+"/corpus.jsonl")
	slices.SortFunc(docs, func(a, b doc) int { return strings.Compare(b.ID, a.ID) })
	a, err := text.Get("lucene-english")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	var ids []string
	for _, d := range docs {
		b.Add(d.Title, d.Text)
		ids = append(ids, d.ID)
	}
	return b.Build(), ids
}

type line struct {
	doc   string
	score float64
}

func readRun(t testing.TB, name string) map[string][]line {
	z := shared.Open(t, name)
	run := map[string][]line{}
	s := bufio.NewScanner(io.Reader(z))
	for s.Scan() {
		f := strings.Fields(s.Text())
		v, err := strconv.ParseFloat(f[4], 32)
		if err != nil {
			t.Fatal(err)
		}
		run[f[0]] = append(run[f[0]], line{f[2], v})
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return run
}

// Oracle: Lucene 10.3.2, runs/*.flat.ql-*.run.gz: every score bit for bit, and every document except in the last
// group of ties, where the lists may differ.
func TestEqualsLucene(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			x, ids := build(t, name)
			queries := read(t, "data/"+name+"/queries.jsonl")
			for file, p := range map[string]lm.Params{
				"ql-dirichlet.mu1000": {Mu: 1000, Lambda: 0.1},
				"ql-jm.lambda0.1":     {Jelinek: true, Mu: 1000, Lambda: 0.1},
			} {
				t.Run(file, func(t *testing.T) {
					r, err := lm.New(x, p)
					if err != nil {
						t.Fatal(err)
					}
					run := readRun(t, "oracle/lucene/runs/"+name+".flat."+file+".run.gz")
					compared := 0
					for _, q := range queries {
						want := run[q.ID]
						got, err := r.Rank(rank.Query{Text: q.Text}, 100, nil, nil)
						if err != nil || len(got) != len(want) {
							t.Fatalf("query %s: %d hits, want %d, %v", q.ID, len(got), len(want), err)
						}
						wanted := map[string]float64{}
						for i, l := range want {
							wanted[l.doc] = l.score
							if got[i].Score != l.score {
								t.Fatalf("query %s rank %d: %v for %s, want %v for %s", q.ID, i+1, got[i].Score,
									ids[got[i].Doc], l.score, l.doc)
							}
							if i > 0 && !rank.Better(got[i-1], got[i]) {
								t.Fatalf("query %s rank %d: out of order", q.ID, i+1)
							}
						}
						for i, h := range got {
							if s, ok := wanted[ids[h.Doc]]; (!ok || s != h.Score) && h.Score != got[len(got)-1].Score {
								t.Fatalf("query %s rank %d: %s is not in Lucene's list with score %v", q.ID, i+1,
									ids[h.Doc], h.Score)
							}
						}
						compared += len(got)
					}
					if compared < 50*len(queries) {
						t.Errorf("only %d scores were compared", compared)
					}
				})
			}
		})
	}
}

func small(t *testing.T) *index.Index {
	a, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	b.Add("", "port port strike ferry") // 4 terms
	b.Add("", "port noon")
	b.Add("", "")
	b.Add("strike", "a b c d e f g h i") // 10 terms, with the title
	return b.Build()
}

// By hand: T = 16 terms. Document 0 has port twice (F = 3, p = 4/17) and strike once (F = 2, p = 3/17).
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     lm.Params
		query string
		want  []float64 // of documents 0, 1 and 3; 0 without a match
	}{
		{"dirichlet", lm.Params{Mu: 2, Lambda: 1}, "port",
			[]float64{math.Log(1+2/(2*4./17)) + math.Log(2./6), math.Log(1+1/(2*4./17)) + math.Log(2./4), 0}},
		{"dirichlet, two words, one twice", lm.Params{Mu: 2, Lambda: 1}, "strike port port",
			[]float64{math.Log(1+1/(2*3./17)) + math.Log(2./6) + 2*(math.Log(1+2/(2*4./17))+math.Log(2./6)),
				2 * (math.Log(1+1/(2*4./17)) + math.Log(2./4)), 0}},
		{"jm", lm.Params{Mu: 1, Lambda: 0.5, Jelinek: true}, "strike",
			[]float64{math.Log(1 + .5*1/4/(.5*3./17)), 0, math.Log(1 + .5*1/10/(.5*3./17))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := lm.New(small(t), c.p)
			if err != nil {
				t.Fatal(err)
			}
			hits, _ := r.Rank(rank.Query{Text: c.query}, 10, nil, nil)
			got := map[uint32]float64{}
			for _, h := range hits {
				got[h.Doc] = h.Score
				part, err := r.Explain(rank.Query{Text: c.query}, nil, h.Doc)
				sum := 0.0
				for _, p := range part.Parts {
					sum += p.Score
				}
				if err != nil || part.Score != h.Score || float64(float32(sum)) != h.Score {
					t.Errorf("document %d: explained %v, sum %v, ranked %v, %v", h.Doc, part.Score, sum, h.Score, err)
				}
			}
			for i, d := range []uint32{0, 1, 3} {
				// Negative scores become 0 but still match.
				if want := max(0, c.want[i]); math.Abs(got[d]-want) > 1e-6 {
					t.Errorf("document %d: %v, want %v", d, got[d], want)
				}
			}
		})
	}
}

// A word that every document has less often than the collection predicts adds 0, and the document still matches.
func TestAWordNeverCountsAgainstADocument(t *testing.T) {
	r, err := lm.New(small(t), lm.Params{Mu: 0.001, Lambda: 1})
	if err != nil {
		t.Fatal(err)
	}
	only := rank.Filter{1 << 3}
	hits, _ := r.Rank(rank.Query{Text: "strike unheard"}, 10, only, nil)
	if len(hits) != 1 || hits[0].Doc != 3 || hits[0].Score < 0 {
		t.Errorf("%v", hits)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		p    lm.Params
		says string
	}{
		{"mu 0", lm.Params{Lambda: 1}, "mu = 0"},
		{"mu not a number", lm.Params{Mu: math.NaN(), Lambda: 1}, "mu = NaN"},
		{"lambda 0", lm.Params{Mu: 1}, "lambda = 0"},
		{"lambda above 1", lm.Params{Mu: 1, Lambda: 1.1}, "lambda = 1.1"},
	} {
		if _, err := lm.New(small(t), c.p); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	r, _ := lm.New(small(t), lm.Params{Mu: 1, Lambda: 1})
	if _, err := r.Explain(rank.Query{}, nil, 4); err == nil {
		t.Error("a document that is not there is explained")
	}
}
