package bm25_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/text"
)

// counted is a collection as word counts, for direct.
type counted struct {
	docs          []words
	filled        float64          // documents with words
	titles, bodys float64          // totals over all documents
	where         map[string][]int // the documents with a word
}

// words holds the counts of each word in a document's title and text, and the totals.
type words struct {
	title, body   map[string]float64
	titles, bodys float64
}

func count(a *text.Analyzer, docs []doc) *counted {
	c := &counted{where: map[string][]int{}}
	for i, d := range docs {
		w := words{title: map[string]float64{}, body: map[string]float64{}}
		add := func(to map[string]float64, length *float64, text string) {
			for _, term := range a.Terms(text) {
				if w.title[term]+w.body[term] == 0 {
					c.where[term] = append(c.where[term], i)
				}
				to[term]++
				*length++
			}
		}
		add(w.title, &w.titles, d.Title)
		add(w.body, &w.bodys, d.Text)
		c.titles += w.titles
		c.bodys += w.bodys
		if w.titles+w.bodys > 0 {
			c.filled++
		}
		c.docs = append(c.docs, w)
	}
	return c
}

// direct evaluates a variant by its paper's formula, over words and in double precision: the score of every
// document with at least one of them. N and avgdl count all documents, or only those with words. It does not know
// bm25f, whose df and N are the larger of two fields'.
func (c *counted) direct(query []string, p bm25.Params, onlyWithWords bool) map[int]float64 {
	n := float64(len(c.docs))
	if onlyWithWords {
		n = c.filled
	}
	tf := func(d int, w string) float64 { return p.Title*c.docs[d].title[w] + c.docs[d].body[w] }
	dl := func(d int) float64 { return p.Title*c.docs[d].titles + c.docs[d].bodys }
	avgdl := (p.Title*c.titles + c.bodys) / n
	df := map[string]float64{}
	vocabulary := query
	if p.Variant == "okapi" {
		vocabulary = slices.Sorted(maps.Keys(c.where))
	}
	mean, terms := 0.0, 0.0
	for _, w := range vocabulary {
		if _, had := df[w]; had {
			continue
		}
		df[w] = 0
		for _, d := range c.where[w] {
			if tf(d, w) > 0 {
				df[w]++
			}
		}
		if df[w] > 0 {
			mean += math.Log((n - df[w] + 0.5) / (df[w] + 0.5))
			terms++
		}
	}
	mean /= terms
	out := map[int]float64{}
	candidates := map[int]bool{}
	for _, w := range query {
		for _, d := range c.where[w] {
			candidates[d] = true
		}
	}
	for i := range candidates {
		l := 1 - p.B + p.B*dl(i)/avgdl
		score, matches := 0.0, false
		for _, w := range query {
			d, f := df[w], tf(i, w)
			if d == 0 {
				continue
			}
			matches = matches || f > 0
			switch p.Variant {
			case "lucene":
				if f > 0 {
					score += math.Log(1+(n-d+0.5)/(d+0.5)) * f / (f + p.K1*l)
				}
			case "robertson":
				if f > 0 {
					score += math.Log(math.Max(1, (n-d+0.5)/(d+0.5))) * f / (f + p.K1*l)
				}
			case "atire":
				if f > 0 {
					score += math.Log(n/d) * f * (p.K1 + 1) / (f + p.K1*l)
				}
			case "okapi":
				idf := math.Log((n - d + 0.5) / (d + 0.5))
				if idf < 0 {
					idf = p.Epsilon * mean
				}
				if f > 0 {
					score += idf * f * (p.K1 + 1) / (f + p.K1*l)
				}
			case "bm25+":
				score += math.Log((n+1)/d) * p.Delta
				if f > 0 {
					score += math.Log((n+1)/d) * f * (p.K1 + 1) / (f + p.K1*l)
				}
			case "bm25l":
				ctd := p.Delta
				if f > 0 {
					ctd += f / l
				}
				if ctd > 0 {
					score += math.Log((n+1)/(d+0.5)) * (p.K1 + 1) * ctd / (p.K1 + ctd)
				}
			}
		}
		if matches {
			out[i] = score
		}
	}
	return out
}

// near reports whether two scores are within a relative distance.
func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(b), 1e-3)
}

// value returns a number of an explanation.
func value(p rank.Part, name string) float64 {
	for _, v := range p.Values {
		if v.Name == name {
			return v.Value
		}
	}
	return math.NaN()
}

// harbour is a small collection whose documents are in ordinal order.
func harbour() []doc {
	docs := []doc{
		{ID: "", Title: "Port strike enters second week",
			Text: "The strike at the port goes on . Dockers and the port authority talk ."},
		{ID: "", Title: "Ferry timetable", Text: "The ferry leaves the port at noon ."},
		{ID: "", Title: "", Text: "No ferry , no port : storm closes the harbour for a week"},
		{ID: "", Title: "", Text: ""},
		{ID: "", Title: "Storm", Text: ""},
		{ID: "", Title: "Strike strike strike", Text: "strike"},
	}
	for i := range 300 {
		d := doc{Title: fmt.Sprintf("note %d", i%13)}
		for j := range i % 60 {
			d.Text += fmt.Sprintf("w%d ", (i*i+j*j*j)%97)
			if (i+j)%9 == 0 {
				d.Text += "port "
			}
		}
		docs = append(docs, d)
	}
	docs = append(docs, doc{Text: strings.Repeat("storm ", 300) + "ferry", Title: strings.Repeat("storm ", 2)})
	return docs
}

func buildIndex(t testing.TB, docs []doc, analyzer string) *index.Index {
	a, err := text.Get(analyzer)
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for _, d := range docs {
		b.Add(d.Title, d.Text)
	}
	return b.Build()
}

// variants lists all variants, each with its defaults and with other settings.
func variants() []bm25.Params {
	var out []bm25.Params
	for _, v := range variantNames() {
		p := defaults(v)
		out = append(out, p)
		for _, c := range [][4]float64{{1.2, 0.75, 3, 0.7}, {0, 0, 1, 0}, {2, 1, 0, 0.3}, {0.5, 1, 2.5, 1},
			{3, 0, 0.5, 2}} {
			p.K1, p.B, p.Title, p.Delta = c[0], c[1], c[2], c[3]
			out = append(out, p)
			if v == "lucene" || v == "bm25f" {
				e := p
				e.Exact = true
				out = append(out, e)
			}
		}
	}
	return out
}

var harbourQueries = []string{"port", "port strike", "strike strike ferry", "w1 w2 w3 port the", "storm unknownword",
	"unknownword", "", "the the the note", "w5 5 note"}

// Oracle: the formulas of the papers, evaluated directly.
func TestEqualsFormulas(t *testing.T) {
	docs := harbour()
	x := buildIndex(t, docs, "whitespace")
	a, _ := text.Get("whitespace")
	brute := count(a, docs)
	for _, p := range variants() {
		if p.Variant == "bm25f" || p.Variant == "lucene" && p.Title != 1 {
			continue // equal to Lucene's runs; direct does not know them
		}
		p.Exact = p.Variant == "lucene"
		r := newRanker(t, x, p)
		tolerance := 1e-12
		if p.Variant == "lucene" {
			tolerance = 1e-6
		}
		for _, q := range harbourQueries {
			want := brute.direct(a.Terms(q), p, p.Variant == "lucene")
			hits, err := r.Rank(rank.Query{Text: q}, 1000, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) != len(want) {
				t.Fatalf("%+v %q: %d hits, want %d", p, q, len(hits), len(want))
			}
			for i, h := range hits {
				if w, ok := want[int(h.Doc)]; !ok || !near(h.Score, w, tolerance) {
					t.Fatalf("%+v %q: document %d has %v, want %v (%v)", p, q, h.Doc, h.Score, w, ok)
				}
				if i > 0 && !rank.Better(hits[i-1], h) {
					t.Fatalf("%+v %q: rank %d stands above rank %d", p, q, i+1, i)
				}
			}
		}
	}
}

// The parts of every explanation add up to its score, which equals the ranked one.
func TestExplainAddsUp(t *testing.T) {
	docs := harbour()
	x := buildIndex(t, docs, "whitespace")
	for _, p := range variants() {
		r := newRanker(t, x, p)
		for _, q := range harbourQueries {
			hits, err := r.Rank(rank.Query{Text: q}, 1000, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				part, err := r.Explain(rank.Query{Text: q}, nil, h.Doc)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, t := range part.Parts {
					sum += t.Score
				}
				single := p.Variant == "lucene" || p.Variant == "bm25f"
				if single && (float64(float32(sum)) != part.Score || part.Score != h.Score) ||
					!single && (part.Score != h.Score || !near(sum, part.Score, 1e-14)) {
					t.Fatalf("%+v %q document %d: ranked with %v, explained with %v, the parts add up to %v", p, q,
						h.Doc, h.Score, part.Score, sum)
				}
			}
		}
	}
}

func TestExplainOthers(t *testing.T) {
	x := buildIndex(t, harbour(), "whitespace")
	r := newRanker(t, x, params("lucene", 0.9, 0.4, 1))
	part, err := r.Explain(rank.Query{Text: "ferry Port port unknownword strike"}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range part.Parts {
		got = append(got, fmt.Sprintf("%s boost=%v tf=%v df=%v %.3f", p.Name, value(p, "boost"), value(p, "tf"),
			value(p, "df"), p.Score))
	}
	want := []string{"ferry boost=1 tf=2 df=3 3.387", "port boost=2 tf=1 df=278 0.119",
		"unknownword boost=1 tf=0 df=0 0.000", "strike boost=1 tf=0 df=2 0.000"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := r.Explain(rank.Query{Text: "port"}, nil, uint32(x.Docs())); err == nil {
		t.Error("a document beyond the last was explained")
	}
	if part, err := r.Explain(rank.Query{}, nil, 3); err != nil || part.Score != 0 || len(part.Parts) != 0 {
		t.Errorf("nothing asked of an empty document: %v, %v", part, err)
	}
}

// A filter gives the rest of the unfiltered ranking, and the hits use the caller's memory.
func TestFilter(t *testing.T) {
	x := buildIndex(t, harbour(), "whitespace")
	f := make(rank.Filter, (x.Docs()+63)/64)
	for d := range x.Docs() {
		if d%3 != 1 {
			f[d/64] |= 1 << (d % 64)
		}
	}
	for _, p := range variants() {
		r := newRanker(t, x, p)
		for _, q := range harbourQueries {
			all, err := r.Rank(rank.Query{Text: q}, 1000, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(all, func(h rank.Hit) bool { return !f.Has(h.Doc) })
			room := make([]rank.Hit, 3, 1000)
			for _, k := range []int{-1, 0, 1, 7, 1000} {
				got, err := r.Rank(rank.Query{Text: q}, k, f, room)
				if err != nil || !slices.Equal(got, all[:min(max(k, 0), len(all))]) {
					t.Fatalf("%+v %q k=%d: %v, %v, want %v", p, q, k, got, err, all)
				}
				if len(got) > 0 && &got[0] != &room[0] {
					t.Fatalf("%+v %q k=%d: the hits are not in the caller's memory", p, q, k)
				}
			}
		}
	}
}

// Every score of every variant has the bits that this constant was computed from on amd64. The same test runs in
// wasm.
func TestBits(t *testing.T) {
	const want = 0xb8a59e7ef7ff1891
	h := fnv.New64a()
	x := buildIndex(t, harbour(), "lucene-english")
	var b [12]byte
	for _, p := range variants() {
		r := newRanker(t, x, p)
		for _, q := range harbourQueries {
			hits, err := r.Rank(rank.Query{Text: q}, 50, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, hit := range hits {
				binary.LittleEndian.PutUint32(b[:], hit.Doc)
				binary.LittleEndian.PutUint64(b[4:], math.Float64bits(hit.Score))
				h.Write(b[:])
			}
		}
	}
	if got := h.Sum64(); got != want {
		t.Errorf("%#x, want %#x", got, uint64(want))
	}
}

// Set gives the same as New, whatever was set before; after an error the old settings remain.
func TestSet(t *testing.T) {
	x := buildIndex(t, harbour(), "whitespace")
	moved := newRanker(t, x, params("lucene", 0.9, 0.4, 1))
	for _, p := range variants() {
		if err := moved.Set(p); err != nil || moved.Params() != p {
			t.Fatal(err, moved.Params(), p)
		}
		bad := p
		bad.B = math.NaN()
		if err := moved.Set(bad); err == nil || moved.Params() != p {
			t.Fatalf("b = NaN: %v, %+v", err, moved.Params())
		}
		fresh := newRanker(t, x, p)
		for _, q := range harbourQueries {
			a, errA := moved.Rank(rank.Query{Text: q}, 30, nil, nil)
			b, errB := fresh.Rank(rank.Query{Text: q}, 30, nil, nil)
			if errA != nil || errB != nil || !slices.Equal(a, b) {
				t.Fatalf("%+v %q: %v, want %v", p, q, a, b)
			}
		}
	}
}

// named is an analyzer under another name.
type named struct {
	*text.Analyzer
	name    string
	version int
}

func (n named) Name() string { return n.name }
func (n named) Version() int { return n.version }

func TestErrors(t *testing.T) {
	a, _ := text.Get("whitespace")
	for _, c := range []struct {
		name     string
		analyzer named
		change   func(p *bm25.Params)
		says     string
	}{
		{"k1 below 0", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.K1 = -0.1
		}, "bm25: k1 = -0.1: must be a number of at least 0"},
		{"k1 not a number", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.K1 = math.NaN()
		}, "k1 = NaN"},
		{"b above 1", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.B = 1.1
		}, "b = 1.1: must be at most 1"},
		{"an infinite delta", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.Delta = math.Inf(1)
		}, "delta = +Inf"},
		{"epsilon below 0", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.Epsilon = -1
		}, "epsilon = -1"},
		{"title below 0", named{a, "whitespace", a.Version()}, func(p *bm25.Params) { p.Title = -1 }, "title = -1"},
		{"an unknown variant", named{a, "whitespace", a.Version()}, func(p *bm25.Params) {
			p.Variant = "bm26"
		}, `variant "bm26": unknown`},
		{"an unknown analyzer", named{a, "klingon", 1}, nil, `text: get analyzer "klingon"`},
		{"another version", named{a, "whitespace", 99}, nil, "version 99 of analyzer whitespace"},
	} {
		b := index.NewBuilder(c.analyzer)
		b.Add("a", "b")
		p := params("lucene", 0.9, 0.4, 1)
		if c.change != nil {
			c.change(&p)
		}
		if r, err := bm25.New(b.Build(), p); err == nil || r != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// An index without documents, or without terms, returns nothing.
func TestEmptyIndex(t *testing.T) {
	for _, docs := range [][]doc{nil, make([]doc, 3)} {
		x := buildIndex(t, docs, "lucene-english")
		for _, p := range variants() {
			hits, err := newRanker(t, x, p).Rank(rank.Query{Text: "port strike"}, 10, nil, nil)
			if err != nil || len(hits) > 0 {
				t.Fatalf("%+v: %v, %v", p, hits, err)
			}
		}
	}
}

// FuzzRank: any collection and query, compared with the formulas.
func FuzzRank(f *testing.F) {
	f.Add("a b\tc\na a\tb c d\n\n\tc", "a c c x", uint8(0), 0.9, 0.4, 1.0)
	f.Add("x\ty\ny\tx x x", "x y", uint8(5), 2.0, 1.0, 3.0)
	a, _ := text.Get("whitespace")
	f.Fuzz(func(t *testing.T, collection, query string, variant uint8, k1, b, title float64) {
		names := []string{"lucene", "robertson", "atire", "okapi", "bm25+", "bm25l"}
		p := params(names[int(variant)%len(names)], k1, b, title)
		if p.Variant == "lucene" {
			p.Title, p.Exact = 1, true
		}
		if !(k1 >= 0 && k1 < 100 && b >= 0 && b <= 1 && p.Title >= 0 && p.Title < 100) || len(collection) > 2000 ||
			len(query) > 200 {
			return
		}
		var docs []doc
		for _, l := range strings.Split(collection, "\n") {
			title, body, _ := strings.Cut(l, "\t")
			docs = append(docs, doc{Title: title, Text: body})
		}
		want := count(a, docs).direct(a.Terms(query), p, p.Variant == "lucene")
		hits, err := newRanker(t, buildIndex(t, docs, "whitespace"), p).Rank(rank.Query{Text: query}, len(docs), nil,
			nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != len(want) {
			t.Fatalf("%+v: %d hits, want %d", p, len(hits), len(want))
		}
		for i, h := range hits {
			// Lucene's w − w/(1 + x) loses small values beside w.
			tolerance := 1e-12
			if p.Variant == "lucene" {
				tolerance = 1e-6
			}
			if w := want[int(h.Doc)]; !math.IsNaN(w) &&
				math.Abs(h.Score-w) > tolerance*(math.Abs(w)+float64(10*len(query))) {
				t.Fatalf("%+v: document %d has %v, want %v", p, h.Doc, h.Score, want[int(h.Doc)])
			}
			if i > 0 && !rank.Better(hits[i-1], h) {
				t.Fatalf("%+v: rank %d stands above rank %d", p, i+1, i)
			}
		}
	})
}

func BenchmarkRank(b *testing.B) {
	c := load(b, "scifact")
	x := c.index(b, "lucene-english")
	for _, v := range variantNames() {
		b.Run("docs=5183/k=100/"+v, func(b *testing.B) {
			p := defaults(v)
			r := newRanker(b, x, p)
			var hits []rank.Hit
			i := 0
			for b.Loop() {
				hits, _ = r.Rank(rank.Query{Text: c.queries[i%len(c.queries)].Text}, 100, nil, hits)
				i++
			}
		})
	}
}

func BenchmarkSet(b *testing.B) {
	x := load(b, "scifact").index(b, "lucene-english")
	for _, v := range variantNames() {
		b.Run("docs=5183/"+v, func(b *testing.B) {
			p := defaults(v)
			r := newRanker(b, x, p)
			for b.Loop() {
				p.K1 += 1e-9
				if err := r.Set(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleRanker() {
	a, err := text.Get("lucene-english")
	if err != nil {
		panic(err)
	}
	b := index.NewBuilder(a)
	b.Add("Port strike", "The dockers' strike enters its second week.")
	b.Add("Ferry timetable", "A ferry leaves the port at noon.")
	r, err := bm25.New(b.Build(), bm25.Params{Variant: "lucene", K1: 0.9, B: 0.4, Title: 1})
	if err != nil {
		panic(err)
	}
	q := rank.Query{Text: "strikes at the port"}
	hits, err := r.Rank(q, 10, nil, nil)
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		why, err := r.Explain(q, nil, h.Doc)
		if err != nil {
			panic(err)
		}
		fmt.Printf("document %d: %.4f\n", h.Doc, h.Score)
		for _, t := range why.Parts {
			fmt.Printf("  %s: %.4f\n", t.Name, t.Score)
		}
	}
	// Output:
	// document 0: 0.5631
	//   strike: 0.4697
	//   port: 0.0934
	// document 1: 0.0986
	//   strike: 0.0000
	//   port: 0.0986
}
