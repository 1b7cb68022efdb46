package bm25_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

type doc struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readJSON(t testing.TB, name string, v any) {
	if err := json.NewDecoder(shared.Open(t, name)).Decode(v); err != nil {
		t.Fatal(name, err)
	}
}

func readLines[T any](t testing.TB, name string) []T {
	var out []T
	for dec := json.NewDecoder(shared.Open(t, name)); dec.More(); {
		var v T
		if err := dec.Decode(&v); err != nil {
			t.Fatal(name, err)
		}
		out = append(out, v)
	}
	return out
}

// collection is a collection of the reference data with its documents in ordinal order.
type collection struct {
	name    string
	docs    []doc
	ordinal map[string]uint32
	queries []doc
	indexes map[string]*index.Index
}

var collections = map[string]*collection{}

func load(t testing.TB, name string) *collection {
	if c := collections[name]; c != nil {
		return c
	}
	c := &collection{name: name, ordinal: map[string]uint32{}, indexes: map[string]*index.Index{}}
	c.docs = readLines[doc](t, "data/"+name+"/corpus.jsonl")
	slices.SortFunc(c.docs, func(a, b doc) int { return strings.Compare(b.ID, a.ID) })
	for i, d := range c.docs {
		c.ordinal[d.ID] = uint32(i)
	}
	c.queries = readLines[doc](t, "data/"+name+"/queries.jsonl")
	collections[name] = c
	return c
}

func (c *collection) index(t testing.TB, analyzer string) *index.Index {
	if x := c.indexes[analyzer]; x != nil {
		return x
	}
	a, err := text.Get(analyzer)
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for _, d := range c.docs {
		b.Add(d.Title, d.Text)
	}
	c.indexes[analyzer] = b.Build()
	return c.indexes[analyzer]
}

type line struct {
	doc   string
	score float32
}

// readRun reads a run of Lucene. Its scores are the shortest decimals that read back to the same 32-bit numbers.
func readRun(t testing.TB, name string) map[string][]line {
	run := map[string][]line{}
	s := bufio.NewScanner(shared.Open(t, name))
	for s.Scan() {
		f := strings.Fields(s.Text())
		v, err := strconv.ParseFloat(f[4], 32)
		if err != nil {
			t.Fatal(err)
		}
		run[f[0]] = append(run[f[0]], line{f[2], float32(v)})
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return run
}

func newRanker(t testing.TB, x *index.Index, p bm25.Params) *bm25.Ranker {
	r, err := bm25.New(x, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func params(variant string, k1, b, title float64) bm25.Params {
	p := defaults(variant)
	p.K1, p.B, p.Title = k1, b, title
	return p
}

// defaults returns the default settings of a variant.
func defaults(variant string) bm25.Params {
	return stage.BM25Params(stage.MustParse("bm25(variant=" + variant + ")"))
}

// variantNames lists all variants.
func variantNames() []string { return stage.BM25.Param("variant").Words }

// compare compares a ranking with Lucene's: equal number of hits, equal 32-bit score at each rank, and equal
// documents except in the last group of ties, where the lists may differ.
func compare(t *testing.T, c *collection, query string, got []rank.Hit, want []line) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("query %s: %d hits, want %d", query, len(got), len(want))
	}
	wanted := map[string]float32{}
	for i, l := range want {
		wanted[l.doc] = l.score
		if got[i].Score != float64(l.score) {
			t.Fatalf("query %s rank %d: %v for %s, want %v for %s", query, i+1, got[i].Score, c.docs[got[i].Doc].ID,
				l.score, l.doc)
		}
		if i > 0 && got[i-1].Score == got[i].Score && got[i-1].Doc >= got[i].Doc {
			t.Fatalf("query %s rank %d: a tie is not in the order of ordinals", query, i+1)
		}
	}
	for i, h := range got {
		id := c.docs[h.Doc].ID
		if s, ok := wanted[id]; (!ok || float64(s) != h.Score) && h.Score != got[len(got)-1].Score {
			t.Fatalf("query %s rank %d: %s is not in Lucene's list with score %v", query, i+1, id, h.Score)
		}
	}
}

// Oracle: Lucene 10.3.2 (Harbour Wire: 9.12.3, the same bits), runs/*.run.gz. Every score bit for bit, every rank
// except ties.
func TestEqualsLucene(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		for _, run := range []struct {
			file, variant string
			k1, b, title  float64
		}{
			{"flat.bm25.k0.9-b0.4", "lucene", 0.9, 0.4, 1},
			{"flat.bm25.k1.2-b0.75", "lucene", 1.2, 0.75, 1},
			{"bm25f-title1-text1.bm25.k0.9-b0.4", "bm25f", 0.9, 0.4, 1},
			{"bm25f-title1-text1.bm25.k1.2-b0.75", "bm25f", 1.2, 0.75, 1},
			{"bm25f-title3-text1.bm25.k0.9-b0.4", "bm25f", 0.9, 0.4, 3},
			{"bm25f-title3-text1.bm25.k1.2-b0.75", "bm25f", 1.2, 0.75, 3},
			{"bm25f-title3-text1.bm25.k0.9-b0.4", "lucene", 0.9, 0.4, 3},
		} {
			t.Run(name+"/"+run.file+"/"+run.variant, func(t *testing.T) {
				c := load(t, name)
				r := newRanker(t, c.index(t, "lucene-english"), params(run.variant, run.k1, run.b, run.title))
				want := readRun(t, "oracle/lucene/runs/"+name+"."+run.file+".run.gz")
				var hits []rank.Hit
				lines := 0
				for _, q := range c.queries {
					var err error
					if hits, err = r.Rank(rank.Query{Text: q.Text}, 100, nil, hits); err != nil {
						t.Fatal(err)
					}
					compare(t, c, q.ID, hits, want[q.ID])
					lines += len(hits)
				}
				if lines == 0 {
					t.Fatal("nothing was compared")
				}
			})
		}
	}
}

// Oracle: CombinedFieldQuery of Lucene 9.12.3 over WhitespaceAnalyzer, k1 = 0.9, b = 0.4. It sums the weighted
// totals of the fields in a long: 1.3 times its 9 title terms count as 11, 2.5 times as 22.
func TestFractionalTitleWeightsEqualLucene(t *testing.T) {
	x := buildIndex(t, []doc{
		{Title: "port strike ends", Text: "port workers return to the port after a strike of three weeks"},
		{Title: "ferry", Text: "the ferry waits"},
		{Title: "port fees rise again", Text: "fees at the port rise by five per cent and the ferry pays"},
		{Text: "strike strike strike"},
		{Title: "weather", Text: "a storm closes the port and the ferry stays"},
	}, "whitespace")
	type hit struct {
		doc   uint32
		score float32
	}
	for _, c := range []struct {
		title float64
		query string
		want  []hit
	}{
		{1, "port strike", []hit{{0, 0.9617127}, {3, 0.7195231}, {2, 0.340653}, {4, 0.28258964}}},
		{1, "ferry", []hit{{1, 0.4011975}, {4, 0.28258964}, {2, 0.2490178}}},
		{1.3, "port strike", []hit{{0, 0.9952258}, {3, 0.720376}, {2, 0.35671568}, {4, 0.28474024}}},
		{1.3, "ferry", []hit{{1, 0.41583985}, {4, 0.28474024}, {2, 0.24778098}}},
		{2.5, "port strike", []hit{{0, 1.0946726}, {3, 0.72410697}, {2, 0.4007203}, {4, 0.28542694}}},
		{2.5, "ferry", []hit{{1, 0.44765097}, {4, 0.28542694}, {2, 0.24413928}}},
		{3.7, "port strike", []hit{{0, 1.1598945}, {3, 0.7267366}, {2, 0.4271683}, {4, 0.2896977}}},
		{3.7, "ferry", []hit{{1, 0.46803427}, {4, 0.2896977}, {2, 0.24165794}}},
	} {
		got, err := newRanker(t, x, params("bm25f", 0.9, 0.4, c.title)).Rank(rank.Query{Text: c.query}, 10, nil, nil)
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("title=%v %q: %v, %v", c.title, c.query, got, err)
		}
		for i, h := range c.want {
			if got[i].Doc != h.doc || got[i].Score != float64(h.score) {
				t.Errorf("title=%v %q rank %d: document %d, %v; Lucene has %d, %v", c.title, c.query, i+1, got[i].Doc,
					float32(got[i].Score), h.doc, h.score)
			}
		}
	}
}

// Oracle: Lucene 10.3.2, doclengths.*.tsv.gz: the length of every document, its decoded length, and the byte.
func TestLengthsEqualLucene(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		s := bufio.NewScanner(shared.Open(t, "oracle/lucene/doclengths."+name+".tsv.gz"))
		for s.Scan() {
			f := strings.Split(s.Text(), "\t")
			n, _ := strconv.Atoi(f[1])
			b := index.EncodeLength(uint32(n))
			if strconv.Itoa(int(index.DecodeLength(b))) != f[2] || strconv.Itoa(int(b)) != f[3] {
				t.Fatalf("%s %s: length %d has byte %d for %d, want %s for %s", name, f[0], n, b, index.DecodeLength(b),
					f[3], f[2])
			}
		}
	}
}

// Oracle: bm25s 0.3.16 and rank-bm25 0.2.2: the scores of the 20 best documents of 30 queries per setting.
//
// The variant lucene follows Lucene and so differs from bm25s in two ways: scores have 32 bits, and documents
// without words count neither for N nor for avgdl (Cranfield has two). There direct, with either way of counting,
// is the link between both.
func TestEqualsPython(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			var oracle struct {
				Documents, Tokens, Vocabulary int
				Avgdl                         float64
				Queries                       map[string][]string
				Results                       []struct {
					Tool, Method, Dtype string
					K1, B               float64
					Delta, Epsilon      *float64
					Top20               map[string][][2]any
				}
			}
			readJSON(t, "oracle/bm25/"+name+".json", &oracle)
			c := load(t, name)
			x := c.index(t, "whitespace")
			s := x.Stats(index.Contents)
			if s.Tokens != oracle.Tokens || s.Terms != oracle.Vocabulary || x.Docs() != oracle.Documents ||
				float64(s.Tokens)/float64(x.Docs()) != oracle.Avgdl {
				t.Fatalf("%s: %d documents and %+v, want %d, %d tokens, %d terms", name, x.Docs(), s, oracle.Documents,
					oracle.Tokens, oracle.Vocabulary)
			}
			a, _ := text.Get("whitespace")
			brute := count(a, c.docs)
			for _, o := range oracle.Results {
				variant, tolerance := o.Method, 1e-12
				switch {
				case o.Method == "BM25L":
					continue // a defect of rank_bm25 that no paper has: see Ranker
				case o.Method == "BM25Okapi":
					variant = "okapi"
					tolerance = 2e-12 // rank_bm25's mean idf is a plain sum of 87,379 terms, off by 1.6e-12
				case o.Method == "BM25Plus":
					variant = "bm25+"
				case o.Dtype == "float32":
					tolerance = 1e-6
				}
				label := fmt.Sprintf("%s/%s/%s/k1=%v,b=%v", o.Tool, o.Method, o.Dtype, o.K1, o.B)
				p := params(variant, o.K1, o.B, 1)
				if o.Delta != nil {
					p.Delta = *o.Delta
					label += fmt.Sprintf(",delta=%v", p.Delta)
				}
				if o.Epsilon != nil {
					p.Epsilon = *o.Epsilon
				}
				p.Exact = variant == "lucene"
				t.Run(label, func(t *testing.T) {
					r := newRanker(t, x, p)
					for i, id := range slices.Sorted(maps.Keys(oracle.Queries)) {
						if variant == "lucene" && i%5 != 0 {
							continue // the formula is slow
						}
						tokens := oracle.Queries[id]
						k := 100
						if variant == "lucene" {
							k = x.Docs() // compare all with the formula
						}
						hits, err := r.Rank(rank.Query{Text: strings.Join(tokens, " ")}, k, nil, nil)
						if err != nil {
							t.Fatal(err)
						}
						score := map[int]float64{}
						for _, h := range hits {
							score[int(h.Doc)] = h.Score
						}
						if variant == "lucene" {
							for d, want := range brute.direct(tokens, p, true) {
								if !near(score[d], want, 1e-6) {
									t.Fatalf("query %s: %s has %v, want %v", id, c.docs[d].ID, score[d], want)
								}
							}
							score = brute.direct(tokens, p, false)
						}
						for i, e := range o.Top20[id] {
							want := e[1].(float64)
							if want == 0 {
								continue // bm25s pads with documents that match nothing
							}
							if got, ok := score[int(c.ordinal[e[0].(string)])]; !ok || !near(got, want, tolerance) {
								t.Fatalf("query %s: %s has %v, want %v", id, e[0], got, want)
							}
							if variant != "lucene" && !near(hits[i].Score, want, tolerance) {
								t.Fatalf("query %s: rank %d has %v, want %v", id, i+1, hits[i].Score, want)
							}
						}
					}
				})
			}
		})
	}
}

// Oracle: Anserini 1.7.1 with -bm25.accurate (exact document lengths). It prints scores to 1e-4 and lowers ties by
// 1e-6 a rank.
func TestExactLengthsEqualAnserini(t *testing.T) {
	for _, name := range []string{"scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			c := load(t, name)
			p := params("lucene", 0.9, 0.4, 1)
			p.Exact = true
			r := newRanker(t, c.index(t, "lucene-english"), p)
			run := readRun(t, "oracle/lucene/anserini/runs/"+name+".bm25-accurate.run.gz")
			for _, q := range c.queries {
				hits, err := r.Rank(rank.Query{Text: q.Text}, 100, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(hits) != len(run[q.ID]) {
					t.Fatalf("%s query %s: %d hits, want %d", name, q.ID, len(hits), len(run[q.ID]))
				}
				for i, want := range run[q.ID] {
					if got := hits[i].Score; math.Abs(got-float64(want.score)) > 2e-4 {
						t.Fatalf("%s query %s rank %d: %v, want %v", name, q.ID, i+1, got, want.score)
					}
				}
			}
		})
	}
}

// node is a node of Lucene's explanations.
type node struct {
	Description string
	Value       float32
	Details     []node
}

// find returns the first node below n whose description begins with a prefix.
func (n *node) find(prefix string) *node {
	for i := range n.Details {
		d := &n.Details[i]
		if strings.HasPrefix(d.Description, prefix) {
			return d
		}
		if f := d.find(prefix); f != nil {
			return f
		}
	}
	return nil
}

// Oracle: Lucene 10.3.2, explain.*.json: every number of its explanation trees, bit for bit.
func TestExplainEqualsLucene(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			c := load(t, name)
			x := c.index(t, "lucene-english")
			var oracle []struct {
				Query, Form string
				Doc         string `json:"doc_id"`
				K1, B       float64
				Score       float32
				Explanation node
			}
			readJSON(t, "oracle/lucene/explain."+name+".json", &oracle)
			compared := 0
			for _, o := range oracle {
				var p bm25.Params
				switch o.Form {
				case "flat":
					p = params("lucene", o.K1, o.B, 1)
				case "bm25f title^3 text^1":
					p = params("bm25f", o.K1, o.B, 3)
				default:
					continue // multifield: a sum of two rankings, which we do not have
				}
				part, err := newRanker(t, x, p).Explain(rank.Query{Text: o.Query}, nil, c.ordinal[o.Doc])
				if err != nil {
					t.Fatal(err)
				}
				label := fmt.Sprintf("%s %s %q", o.Doc, o.Form, o.Query)
				if part.Score != float64(o.Score) || o.Explanation.Value != o.Score {
					t.Errorf("%s: %v, want %v", label, part.Score, o.Score)
				}
				trees := o.Explanation.Details
				if len(trees) == 0 || strings.HasPrefix(o.Explanation.Description, "weight(") {
					trees = []node{o.Explanation}
				}
				matched := 0
				for _, term := range part.Parts {
					if value(term, "tf") > 0 {
						matched++
					}
				}
				if matched != len(trees) {
					t.Errorf("%s: %d terms match, want %d", label, matched, len(trees))
				}
				for _, tree := range trees {
					// weight(contents:rare in 3444) …, weight(CombinedFieldQuery((text title^3.0)(genom)) in 2425), …
					term := tree.Description[:strings.LastIndex(tree.Description, " in ")]
					term = strings.TrimRight(term[strings.LastIndexAny(term, ":(")+1:], ")")
					i := slices.IndexFunc(part.Parts, func(p rank.Part) bool { return p.Name == term })
					if i < 0 {
						t.Errorf("%s: no part for %q", label, term)
						continue
					}
					got := part.Parts[i]
					boost := float32(1)
					if b := tree.find("boost"); b != nil {
						boost = b.Value
					}
					freq := tree.find("freq, occurrences")
					if freq == nil {
						freq = tree.find("termFreq=")
					}
					for _, v := range []struct {
						name      string
						got, want float32
					}{
						{"score", float32(got.Score), tree.Value},
						{"boost", float32(value(got, "boost")), boost},
						{"idf", float32(value(got, "idf")), tree.find("idf,").Value},
						{"df", float32(value(got, "df")), tree.find("n, number").Value},
						{"N", float32(value(part, "N")), tree.find("N, total").Value},
						{"tf", float32(value(got, "tf")), freq.Value},
						{"saturation", float32(value(got, "saturation")), tree.find("tf, computed").Value},
						{"dl", float32(value(part, "dl")), tree.find("dl, length").Value},
						{"avgdl", float32(value(part, "avgdl")), tree.find("avgdl,").Value},
						{"k1", float32(value(part, "k1")), tree.find("k1,").Value},
						{"b", float32(value(part, "b")), tree.find("b,").Value},
					} {
						if v.got != v.want {
							t.Errorf("%s %s: %s %v, want %v", label, term, v.name, v.got, v.want)
						}
					}
					compared++
				}
			}
			if compared < 50 {
				t.Errorf("%s: %d terms compared", name, compared)
			}
		})
	}
}

// Oracle: Lucene 10.3.2 with trec_eval's measures (pytrec-eval-terrier 0.5.11), figures.tsv, to the digits in the
// issue and the literature.
func TestFigures(t *testing.T) {
	for _, want := range []struct {
		collection, variant string
		title               float64
		k                   int // recall cutoff; at 100 of Harbour Wire's 255 documents the cut splits ties
		ndcg, recall        string
	}{
		{"harbour-wire", "lucene", 1, 50, "0.6317", "0.8101"},
		{"harbour-wire", "lucene", 3, 50, "0.6311", "0.8119"},
		{"scifact", "lucene", 1, 100, "0.6789", "0.9253"},
		{"scifact", "lucene", 3, 100, "0.6814", "0.9287"},
		{"cranfield", "lucene", 1, 100, "0.3513", "0.7218"},
		{"cranfield", "lucene", 3, 100, "0.3584", "0.7278"},
	} {
		t.Run(fmt.Sprint(want.collection, " title=", want.title), func(t *testing.T) {
			c := load(t, want.collection)
			r := newRanker(t, c.index(t, "lucene-english"), params(want.variant, 0.9, 0.4, want.title))
			qrels := map[string]map[string]float64{}
			s := bufio.NewScanner(shared.Open(t, "data/"+want.collection+"/qrels/test.tsv"))
			for s.Scan() {
				if f := strings.Fields(s.Text()); f[0] != "query-id" {
					if qrels[f[0]] == nil {
						qrels[f[0]] = map[string]float64{}
					}
					qrels[f[0]][f[1]], _ = strconv.ParseFloat(f[2], 64)
				}
			}
			var ndcg, recall float64
			for _, q := range c.queries {
				judged := qrels[q.ID]
				if judged == nil {
					continue
				}
				hits, err := r.Rank(rank.Query{Text: q.Text}, want.k, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				dcg, found, relevant := 0.0, 0.0, 0.0
				for i, h := range hits {
					if g := judged[c.docs[h.Doc].ID]; g > 0 {
						found++
						if i < 10 {
							dcg += g / math.Log2(float64(i+2))
						}
					}
				}
				var gains []float64
				for _, g := range judged {
					if g > 0 {
						relevant++
						gains = append(gains, g)
					}
				}
				slices.Sort(gains)
				slices.Reverse(gains)
				ideal := 0.0
				for i, g := range gains[:min(10, len(gains))] {
					ideal += g / math.Log2(float64(i+2))
				}
				if relevant > 0 {
					ndcg += dcg / ideal
					recall += found / relevant
				}
			}
			n := float64(len(qrels))
			if got := fmt.Sprintf("%.4f", ndcg/n); got != want.ndcg {
				t.Errorf("%s title %v: nDCG@10 %s, want %s", want.collection, want.title, got, want.ndcg)
			}
			if got := fmt.Sprintf("%.4f", recall/n); got != want.recall {
				t.Errorf("%s title %v: R@%d %s, want %s", want.collection, want.title, want.k, got, want.recall)
			}
		})
	}
}
