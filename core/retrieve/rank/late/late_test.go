package late_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

// By hand, scales 0.5 and 2, so that a score is the sum of the dot products: q has the tokens x = (1, 0) and y = (0,
// 2). a: (3, 1), (0, 4) → x 3, y 8: 11. b: (11, 0) → x 11, y 0: 11, ties with a. c has no tokens. d: (−1, −1) → x −1, y
// −2: −3.
func small(t testing.TB) *late.Ranker {
	t.Helper()
	docs := &late.Tokens{Dim: 2, Scale: 2, Rows: []int8{3, 1, 0, 4, 11, 0, -1, -1}, Offsets: []uint32{0, 2, 3, 3, 4},
		Words: []uint16{0, 1, 0, 2}, Vocab: []string{"port", "ship", "##s"}}
	queries := &late.Tokens{Dim: 2, Scale: .5, Rows: []int8{1, 0, 0, 2}, Offsets: []uint32{0, 2, 2},
		Words: []uint16{2, 1}, Vocab: docs.Vocab}
	r, err := late.New("m", docs, queries, []string{"q", "empty"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRank(t *testing.T) {
	all := []rank.Hit{{Doc: 0, Score: 11}, {Doc: 1, Score: 11}, {Doc: 3, Score: -3}}
	for _, c := range []struct {
		name, query string
		k           int
		filter      rank.Filter
		want        []rank.Hit
	}{
		{"all, ties by ordinal, documents without tokens left out", "q", 9, nil, all},
		{"k", "q", 1, nil, all[:1]},
		{"filter", "q", 9, rank.Filter{0b1110}, all[1:]},
		{"a query without tokens", "empty", 9, nil, nil},
		{"k = 0", "q", 0, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := small(t).Rank(rank.Query{ID: c.query}, c.k, c.filter, nil)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
	var u *rank.Unanswerable
	if _, err := small(t).Rank(rank.Query{ID: "another"}, 9, nil, nil); !errors.As(err, &u) {
		t.Errorf("a query that was not encoded: %v", err)
	}
}

// By hand: x is nearest to (3, 1), y to (0, 4); both columns are shown.
func TestExplain(t *testing.T) {
	p, err := small(t).Explain(rank.Query{ID: "q"}, nil, 0)
	if err != nil || p.Score != 11 || len(p.Parts) != 2 || p.Parts[0].Name != "##s" || p.Parts[0].Score != 3 ||
		p.Parts[1].Score != 8 {
		t.Fatalf("%+v, %v", p, err)
	}
	if g := p.Grid; !slices.Equal(g.Rows, []string{"##s", "ship"}) ||
		!slices.Equal(g.Columns, []string{"port", "ship"}) || !slices.Equal(g.Values, []float64{3, 0, 2, 8}) {
		t.Errorf("%+v", g)
	}
	if p, err := small(t).Explain(rank.Query{ID: "q"}, nil, 2); err != nil || p.Score != 0 || p.Grid != nil {
		t.Errorf("a document without tokens: %+v, %v", p, err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	ok := &late.Tokens{Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 1}}
	for name, v := range map[string]*late.Tokens{
		"nothing":          {},
		"other dimension":  {Dim: 2, Scale: 1, Rows: []int8{1, 2}, Offsets: []uint32{0, 1}},
		"short rows":       {Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 2}},
		"backwards":        {Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 2, 1}},
		"negative scale":   {Dim: 1, Scale: -1, Rows: []int8{1}, Offsets: []uint32{0, 1}},
		"too few words":    {Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 1}, Words: []uint16{}},
		"a word not there": {Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 1}, Words: []uint16{0}},
	} {
		if _, err := late.New("m", ok, v, []string{"q"}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// random generates tokens around a few topics.
func random(r *rand.Rand, texts, dim int) *late.Tokens {
	t := &late.Tokens{Dim: dim, Scale: 1, Offsets: []uint32{0}}
	for range texts {
		n := r.IntN(12)
		topic := r.IntN(5)
		for range n {
			for c := range dim {
				x := r.IntN(41) - 20
				if c%5 == topic {
					x += 80
				}
				t.Rows = append(t.Rows, int8(x))
			}
		}
		t.Offsets = append(t.Offsets, t.Offsets[len(t.Offsets)-1]+uint32(n))
	}
	return t
}

// Oracle: the exact ranking. With all documents as candidates both agree; with fewer, the results have their exact
// scores.
func TestCandidatesByCentroids(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	docs, queries := random(r, 300, 20), random(r, 10, 20)
	var ids []string
	for i := range queries.Len() {
		ids = append(ids, fmt.Sprint(i))
	}
	x, err := late.New("m", docs, queries, ids)
	if err != nil {
		t.Fatal(err)
	}
	kept, of := 0, 0
	for _, id := range ids {
		x.Candidates = 0
		exact, _ := x.Rank(rank.Query{ID: id}, 300, nil, nil)
		x.Candidates = 299
		// The rest are documents without tokens.
		if got, _ := x.Rank(rank.Query{ID: id}, 300, nil, nil); !slices.Equal(got, exact) {
			t.Errorf("query %s: 299 candidates lose something", id)
		}
		x.Candidates = 60
		got, _ := x.Rank(rank.Query{ID: id}, 10, nil, nil)
		for _, h := range got {
			if !slices.Contains(exact, h) {
				t.Errorf("query %s: %v is not the exact score", id, h)
			}
		}
		for _, h := range exact[:min(10, len(exact))] {
			of++
			if slices.Contains(got, h) {
				kept++
			}
		}
	}
	if kept*10 < of*9 {
		t.Errorf("60 of 300 candidates keep %d of the first %d", kept, of)
	}
}

func array(t *testing.T, name string) *collection.Array {
	t.Helper()
	f, err := os.Open(shared.Path(t, "embeddings/"+name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := collection.ReadNPY(f, name, collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tokens(t *testing.T, name, kind string) *late.Tokens {
	rows := array(t, name+"/minilm-tokens/"+kind+"_tokens.i8.npy")
	out := &late.Tokens{Dim: rows.Dim(), Scale: 1, Rows: rows.Int8}
	for _, o := range array(t, name+"/minilm-tokens/"+kind+"_offsets.npy").Int32 {
		out.Offsets = append(out.Offsets, uint32(o))
	}
	return out
}

// Oracle: top20.json of the token vectors, exact integers by NumPy. Cranfield's documents 471 and 995 have no tokens
// and are not ranked.
func TestEqualToTheReference(t *testing.T) {
	t.Run("harbour-wire", func(t *testing.T) {
		equalToTheReference(t, "harbour-wire", "harbour-wire/minilm-tokens", 255)
	})
	t.Run("cranfield", func(t *testing.T) { equalToTheReference(t, "cranfield", "cranfield", 1398) })
}

// equalToTheReference compares a collection with ids in an embeddings folder and the given number of documents with
// tokens.
func equalToTheReference(t *testing.T, name, folder string, ranked int) {
	docs, queries := tokens(t, name, "doc"), tokens(t, name, "query")
	read := func(name string) []string {
		data, err := os.ReadFile(shared.Path(t, "embeddings/"+folder+"/"+name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(data))
	}
	ids, queryIDs := read("doc_ids.txt"), read("query_ids.txt")
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(ids[b], ids[a]) })
	sorted := &late.Tokens{Dim: docs.Dim, Scale: 1, Offsets: []uint32{0}}
	for _, i := range order {
		sorted.Rows = append(sorted.Rows, docs.Of(i)...)
		sorted.Offsets = append(sorted.Offsets, uint32(len(sorted.Rows)/docs.Dim))
	}
	r, err := late.New("minilm-tokens", sorted, queries, queryIDs)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(shared.Path(t, "embeddings/"+name+"/minilm-tokens/top20.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Results []struct {
			Query string `json:"query_id"`
			Hits  []struct {
				Doc   string `json:"doc_id"`
				Score float64
			}
		}
	}
	if err := json.Unmarshal(raw, &want); err != nil || len(want.Results) != 20 {
		t.Fatalf("%d queries, %v", len(want.Results), err)
	}
	queriesShown := want.Results
	if testing.Short() {
		queriesShown = queriesShown[:3]
	}
	for _, q := range queriesShown {
		got, err := r.Rank(rank.Query{ID: q.Query}, len(ids), nil, nil)
		if err != nil || len(got) != ranked {
			t.Fatalf("query %s: %d documents, %v; %d have tokens", q.Query, len(got), err, ranked)
		}
		for i, h := range q.Hits {
			if id := ids[order[got[i].Doc]]; id != h.Doc || got[i].Score != h.Score {
				t.Fatalf("query %s, rank %d: %s %v; want %s %v", q.Query, i+1, id, got[i].Score, h.Doc, h.Score)
			}
		}
	}
}

func Example() {
	docs := &late.Tokens{Dim: 2, Scale: 1, Rows: []int8{3, 1, 0, 4, 5, 0}, Offsets: []uint32{0, 2, 3}}
	queries := &late.Tokens{Dim: 2, Scale: 1, Rows: []int8{1, 0, 0, 2}, Offsets: []uint32{0, 2}}
	r, _ := late.New("my-colbert", docs, queries, []string{"q1"})
	hits, _ := r.Rank(rank.Query{ID: "q1"}, 10, nil, nil)
	fmt.Println(hits)
	// Output: [{0 11} {1 5}]
}

// By hand, as small: of each document's first token, a has (3, 1) → x 3, y 2: 5.
func TestTheFirstTokensOfADocument(t *testing.T) {
	r := small(t)
	r.Limit = 1
	got, err := r.Rank(rank.Query{ID: "q"}, 9, nil, nil)
	if want := []rank.Hit{{Doc: 1, Score: 11}, {Doc: 0, Score: 5}, {Doc: 3, Score: -3}}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if p, err := r.Explain(rank.Query{ID: "q"}, nil, 0); err != nil || p.Score != 5 || len(p.Grid.Columns) != 1 {
		t.Errorf("explained %+v, %v", p, err)
	}
}

// If few documents pass a filter, they are scored one by one, with equal scores.
func TestFewDocumentsAreScoredAsAmongAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	r, err := late.New("m", random(rnd, 64, 24), random(rnd, 3, 24), []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"a", "b", "c"} {
		all, err := r.Rank(rank.Query{ID: q}, 64, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		filter := rank.Filter{1<<3 | 1<<17 | 1<<40 | 1<<63}
		want := slices.DeleteFunc(slices.Clone(all), func(h rank.Hit) bool { return !filter.Has(h.Doc) })
		if got, err := r.Rank(rank.Query{ID: q}, 64, filter, nil); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; among all %v", q, got, err, want)
		}
	}
}

// By hand over small, whose documents N = 4 have port in two, ship and ##s in one each. idf: ln(1 + 2.5/2.5) = 0.6931,
// ln(1 + 3.5/1.5) = 1.2040 and again. port: (3, 1) and (11, 0), in sum (14, 1) of length 14.036, on average (√10 +
// 11)/2 = 7.081 long, times 0.6931/1.2040: (4.066, 0.290), rounded (4, 0). ship stays (0, 4), ##s (−1, −1). a: port 12,
// ##s −4, ship 16, times both scales 2 × 2: 96. b: 44, −11, 0: 132. d: −4, 2, −4: −24.
func TestATypedQueryHasAverages(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []rank.Hit
		note       string
	}{
		// the comma
		{"pieces", "Ports, ship", []rank.Hit{{Doc: 1, Score: 132}, {Doc: 0, Score: 96}, {Doc: 3, Score: -24}},
			"1 word is left out"},
		{"one piece of idf below the largest is as long as it is alone", "port",
			[]rank.Hit{{Doc: 1, Score: 308}, {Doc: 0, Score: 88}, {Doc: 3, Score: -32}}, "average"},
		{"twice counts twice", "ship ship", []rank.Hit{{Doc: 0, Score: 128}, {Doc: 1, Score: 0}, {Doc: 3, Score: -32}},
			"average"},
		{"nothing that documents have", "xylophone", nil, "1 word is left out"},
		{"nothing", "", nil, "average"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := small(t)
			if _, err := r.Rank(rank.Query{ID: "q"}, 9, nil, nil); err != nil || r.Account().Note != "" {
				t.Fatalf("a judged query: %q, %v", r.Account().Note, err)
			}
			got, err := r.Rank(rank.Query{Text: c.text}, 9, nil, nil)
			if err != nil || !slices.Equal(got, c.want) || !strings.Contains(r.Account().Note, c.note) {
				t.Fatalf("%v, %q, %v; want %v", got, r.Account().Note, err, c.want)
			}
			for _, h := range got {
				p, err := r.Explain(rank.Query{Text: c.text}, nil, h.Doc)
				sum := 0.0
				for _, part := range p.Parts {
					sum += part.Score
				}
				if err != nil || p.Score != h.Score || sum != h.Score || len(p.Grid.Rows) != len(p.Parts) {
					t.Errorf("document %d explained %+v, %v", h.Doc, p, err)
				}
			}
			if again, err := r.Rank(rank.Query{ID: "q"}, 9, nil, nil); err != nil || again[0].Score != 11 {
				t.Errorf("a judged query afterwards: %v, %v", again, err)
			}
		})
	}
	docs := &late.Tokens{Dim: 1, Scale: 1, Rows: []int8{1}, Offsets: []uint32{0, 1}}
	r, err := late.New("m", docs, docs, []string{"q"})
	var u *rank.Unanswerable
	if err == nil {
		_, err = r.Rank(rank.Query{Text: "port"}, 9, nil, nil)
	}
	if !errors.As(err, &u) {
		t.Errorf("tokens that are not named: %v", err)
	}
}
