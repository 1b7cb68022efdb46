package rerank_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
	"github.com/rankbox/rankbox/core/text"
)

// list is a fixed ranking.
type list []rank.Hit

func (l list) Rank(_ rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	dst = dst[:0]
	for _, h := range l {
		if f.Has(h.Doc) && len(dst) < k {
			dst = append(dst, h)
		}
	}
	return dst, nil
}

func (l list) Explain(_ rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	p := rank.Part{Name: "list"}
	for _, h := range l {
		if h.Doc == d {
			p.Score = h.Score
		}
	}
	return p, nil
}

// Four documents with scores 10, 8, 4 and 2: relevance 1, 3/4, 1/4 and 0.
var four = list{{Doc: 5, Score: 10}, {Doc: 1, Score: 8}, {Doc: 7, Score: 4}, {Doc: 2, Score: 2}}

func docs(hits []rank.Hit) (out []uint32) {
	for _, h := range hits {
		out = append(out, h.Doc)
	}
	return out
}

// explained checks that every explanation has the ranked score and that its parts add up to it.
func explained(t *testing.T, name string, r rank.Ranker, hits []rank.Hit) {
	t.Helper()
	for _, h := range hits {
		p, err := r.Explain(rank.Query{}, nil, h.Doc)
		sum := 0.0
		for _, x := range p.Parts {
			sum += x.Score
		}
		if err != nil || p.Score != h.Score || math.Abs(sum-h.Score) > 1e-12 {
			t.Errorf("%s: document %d has %v, explained %v by parts of %v (%v)", name, h.Doc, h.Score, p.Score, sum,
				err)
		}
	}
}

// By hand, weight 1/2 and the value 1 for document 2 alone: 5 has 1/2, 1 has 3/8, 7 has 1/8, 2 has 0 + 1/2: a tie, so
// the smaller number is first.
func TestBlend(t *testing.T) {
	b := &rerank.Blend{Ranker: four, Depth: 10, Name: "value",
		Of: func(rank.Query) (float64, string, func(uint32) (float64, []rank.Value)) {
			return 0.5, "because", func(d uint32) (float64, []rank.Value) {
				if d == 2 {
					return 1, nil
				}
				return 0, nil
			}
		}}
	got, err := b.Rank(rank.Query{}, 10, nil, nil)
	want := []rank.Hit{{Doc: 2, Score: .5}, {Doc: 5, Score: .5}, {Doc: 1, Score: .375}, {Doc: 7, Score: .125}}
	if err != nil || !slices.Equal(got, want) || b.Account().Note != "because" {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	explained(t, "blend", b, got)
	// With weight 0 the ranking is unchanged.
	b.Of = func(rank.Query) (float64, string, func(uint32) (float64, []rank.Value)) { return 0, "", nil }
	if got, _ := b.Rank(rank.Query{}, 2, nil, nil); !slices.Equal(got, four[:2]) {
		t.Errorf("without weight: %v", got)
	}
	// a depth of 2: relevance is 1 and 0 over the two
	b.Depth = 2
	b.Of = func(rank.Query) (float64, string, func(uint32) (float64, []rank.Value)) {
		return 0.25, "", func(uint32) (float64, []rank.Value) { return 1, nil }
	}
	if got, _ := b.Rank(rank.Query{}, 10, nil, nil); !slices.Equal(got,
		[]rank.Hit{{Doc: 5, Score: 1}, {Doc: 1, Score: .25}}) {
		t.Errorf("depth 2: %v", got)
	}
}

// By hand. 2024 is a leap year; 2000-03-01 is day 11,017 (30 years of 365 days, 7 leap days, 60 days); ½^(60/30) = 1/4.
func TestDaysAndRecency(t *testing.T) {
	for _, tt := range []struct {
		date string
		day  int
		ok   bool
	}{{"1970-01-01", 0, true}, {"1970-02-01", 31, true}, {"1969-12-31", -1, true}, {"2000-03-01", 11017, true},
		{"", 0, false}, {"2024-13-01", 0, false}, {"20240101xx", 0, false}} {
		if d, ok := rerank.Day(tt.date); ok != tt.ok || ok && d != tt.day {
			t.Errorf("%q: day %d, %v", tt.date, d, ok)
		}
	}
	a, _ := rerank.Day("2024-02-28")
	b, _ := rerank.Day("2024-03-01")
	if b-a != 2 {
		t.Errorf("from 28 February to 1 March 2024 are %d days", b-a)
	}
	if rerank.Recency(60, 30) != 0.25 || rerank.Recency(0, 30) != 1 || rerank.Recency(-5, 30) != 1 {
		t.Errorf("%v, %v, %v", rerank.Recency(60, 30), rerank.Recency(0, 30), rerank.Recency(-5, 30))
	}
}

func TestDates(t *testing.T) {
	for text, want := range map[string][]rerank.PartialDate{
		"temperature record 12 August 2025": {{Year: 2025, Month: 8, Day: 12}},
		"March 4, 2024":                     {{Year: 2024, Month: 3, Day: 4}},
		"storms of march 2024 and of 1931":  {{Year: 2024, Month: 3}, {Year: 1931}},
		"96 posts, 10000 people, 0999":      nil,
		"":                                  nil,
	} {
		if got := rerank.Dates(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if w := (rerank.PartialDate{Year: 2025, Month: 8}); !w.Holds("2025-08-12") || w.Holds("2025-09-12") || w.Holds("") {
		t.Error("a month holds its days and no others")
	}
}

// By hand: 7 repeats 5 and 2 repeats 1.
func TestSieve(t *testing.T) {
	s := &rerank.Sieve{Ranker: four, Depth: 10, Keep: 1, Like: func(hits []rank.Hit) (func(a, b int) (string, bool),
		error) {
		return func(a, b int) (string, bool) {
			x, y := hits[a].Doc, hits[b].Doc
			return "like", x == 5 && y == 7 || x == 1 && y == 2
		}, nil
	}}
	got, err := s.Rank(rank.Query{}, 10, nil, nil)
	if err != nil || !slices.Equal(got, four[:2]) {
		t.Errorf("%v, %v", got, err)
	}
	if gone := s.Account().Gone; !slices.Equal(gone,
		[]rank.Gone{{Doc: 7, By: 5, Why: "like"}, {Doc: 2, By: 1, Why: "like"}}) {
		t.Errorf("gone: %v", gone)
	}
	p, err := s.Explain(rank.Query{}, nil, 7)
	if err != nil || p.Score != 0 || len(p.Parts) != 2 || p.Parts[0].Score != 4 || p.Parts[1].Score != -4 ||
		p.Parts[1].Name != "taken out: like" {
		t.Errorf("the document that was taken out: %+v, %v", p, err)
	}
	s.Keep = 2
	if got, _ := s.Rank(rank.Query{}, 3, nil, nil); !slices.Equal(got, four[:3]) {
		t.Errorf("two of a kind stay: %v", got)
	}
}

// By hand, two places with a share of a half, so one each: 1 has the category of 5, so it moves behind 7; after the
// first two places the order stays. Each rank keeps its score.
func TestBalance(t *testing.T) {
	b := &rerank.Balance{Ranker: four, Depth: 10, Top: 2, Share: 0.5, Category: func(d uint32) string {
		return map[uint32]string{5: "a", 1: "a", 7: "b"}[d]
	}}
	got, err := b.Rank(rank.Query{}, 10, nil, nil)
	want := []rank.Hit{{Doc: 5, Score: 10}, {Doc: 7, Score: 8}, {Doc: 1, Score: 4}, {Doc: 2, Score: 2}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	explained(t, "balance", b, got)
	if gone := b.Account().Gone; len(gone) != 1 || gone[0].Doc != 1 {
		t.Errorf("put back: %v", gone)
	}
	// Without other documents nothing moves.
	b.Category = func(uint32) string { return "a" }
	if got, _ := b.Rank(rank.Query{}, 10, nil, nil); !slices.Equal(docs(got), docs(four)) ||
		len(b.Account().Gone) != 0 {
		t.Errorf("one category alone: %v, put back %v", got, b.Account().Gone)
	}
	// Equal scores never put a document before one that it was moved behind: the second 8 becomes the next smaller
	// number.
	same := list{{Doc: 1, Score: 8}, {Doc: 2, Score: 8}, {Doc: 3, Score: 8}}
	b = &rerank.Balance{Ranker: same, Depth: 10, Top: 2, Share: 0.5, Category: func(d uint32) string {
		return map[uint32]string{1: "a", 2: "a", 3: "b"}[d]
	}}
	got, _ = b.Rank(rank.Query{}, 10, nil, nil)
	if !slices.Equal(docs(got), []uint32{1, 3, 2}) || got[1].Score != 8 || got[2].Score != math.Nextafter(8, 0) {
		t.Errorf("equal scores: %v", got)
	}
}

// By hand: of the first three documents 1 and 7 are rescored, 7 best; 5 and those beyond the depth follow in order.
func TestAgain(t *testing.T) {
	by := list{{Doc: 7, Score: 0.9}, {Doc: 1, Score: 0.2}, {Doc: 2, Score: 0.1}}
	a := &rerank.Again{Ranker: four, By: by, Name: "another", Docs: 8, Depth: 3, Threshold: -10}
	got, err := a.Rank(rank.Query{}, 10, nil, nil)
	below := math.Nextafter(0.2, 0)
	want := []rank.Hit{{Doc: 7, Score: 0.9}, {Doc: 1, Score: 0.2}, {Doc: 5, Score: below},
		{Doc: 2, Score: math.Nextafter(below, 0)}}
	if err != nil || !slices.Equal(got, want) || a.Account().Note == "" || a.Account().Aside {
		t.Errorf("got %v, %v, %+v; want %v", got, err, a.Account(), want)
	}
	tests := []struct {
		name string
		set  func()
		want []uint32
	}{
		{"a threshold leaves what is below it in its place behind", func() { a.Threshold = 0.5 }, []uint32{7, 5, 1, 2}},
		{"two documents stay", func() { a.Keep = 2 }, []uint32{7, 5}},
		{"one chunk of a document is scored", func() {
			a.Threshold, a.Keep, a.PerGroup, a.Group = -10, 0, 1, func(d uint32) string {
				return map[uint32]string{1: "x", 7: "x"}[d]
			}
		}, []uint32{1, 5, 7, 2}},
		{"nobody scores anything: the order stays, and that is said", func() {
			a.By, a.PerGroup = list{}, 0
		}, []uint32{5, 1, 7, 2}},
	}
	for _, tt := range tests {
		tt.set()
		got, err := a.Rank(rank.Query{}, 10, nil, nil)
		if err != nil || !slices.Equal(docs(got), tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.name, docs(got), err, tt.want)
		}
		for i := 1; i < len(got); i++ {
			if !rank.Better(got[i-1], got[i]) {
				t.Errorf("%s: %v does not stand above %v", tt.name, got[i-1], got[i])
			}
		}
	}
	if !a.Account().Aside {
		t.Error("that nothing was scored is not said")
	}
}

func TestStored(t *testing.T) {
	s := &rerank.Stored{Name: "mine", Lists: map[string][]rank.Hit{"q": four}}
	if got, err := s.Rank(rank.Query{ID: "q"}, 2, rank.Filter{1<<1 | 1<<2}, nil); err != nil ||
		!slices.Equal(docs(got), []uint32{1, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, q := range []rank.Query{{Text: "typed"}, {ID: "other"}} {
		if _, err := s.Rank(q, 2, nil, nil); err == nil {
			t.Errorf("%v was answered", q)
		}
	}
}

func TestNarrow(t *testing.T) {
	n := &rerank.Narrow{Ranker: four, Pass: rank.Filter{1<<5 | 1<<7}}
	if got, _ := n.Rank(rank.Query{}, 10, rank.Filter{1<<7 | 1<<1}, nil); !slices.Equal(docs(got), []uint32{7}) {
		t.Errorf("%v", got)
	}
	if got, _ := n.Rank(rank.Query{}, 1, nil, nil); !slices.Equal(docs(got), []uint32{5}) {
		t.Errorf("%v", got)
	}
}

// By construction: three documents each about boats, trams and music, with one common word.
func TestCluster(t *testing.T) {
	an, err := text.Get("lucene-english")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(an)
	for _, s := range []string{
		"sailing boats harbour tide", "violin concert orchestra hall", "tramline tickets rails depot",
		"boats tide sailing mast", "orchestra violin concert solo",
		"rails depot tramline strike", "harbour tide boats sailing", "concert hall orchestra violin",
		"depot tickets rails tramline"} {
		b.Add("", s)
	}
	var l list
	for d := range uint32(9) {
		l = append(l, rank.Hit{Doc: d, Score: float64(20 - d)})
	}
	c := &rerank.Cluster{Ranker: l, Index: b.Build(), Depth: 9, Least: 2, Most: 5, Words: 3,
		Surface: func(terms []string, _ []uint32) []string {
			return terms
		}}
	hits, err := c.Rank(rank.Query{}, 4, nil, nil)
	if err != nil || !slices.Equal(docs(hits), []uint32{0, 1, 2, 3}) {
		t.Fatalf("the ranking changed: %v, %v", hits, err)
	}
	groups := c.Account().Groups
	var got [][]uint32
	for _, g := range groups {
		got = append(got, g.Docs)
		if strings.Count(g.Name, ", ") != 2 {
			t.Errorf("%q is not three words", g.Name)
		}
	}
	if want := [][]uint32{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}; !reflect.DeepEqual(got, want) {
		t.Errorf("topics %v, want %v", groups, want)
	}
	named := &rerank.Cluster{Ranker: l, Index: c.Index, Depth: 9, Least: 2, Most: 5, Words: 3, Surface: c.Surface,
		Tells: func(w string) bool { return w != "tide" && w != "rails" }}
	if _, err := named.Rank(rank.Query{}, 4, nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, g := range named.Account().Groups {
		if strings.Count(g.Name, ", ") != 2 || strings.Contains(g.Name, "tide") || strings.Contains(g.Name, "rails") {
			t.Errorf("%q is not three words that may name a topic", g.Name)
		}
	}
	again := &rerank.Cluster{Ranker: l, Index: c.Index, Depth: 9, Least: 2, Most: 5, Words: 3, Surface: c.Surface}
	if _, err := again.Rank(rank.Query{}, 4, nil, nil); err != nil ||
		!reflect.DeepEqual(again.Account().Groups, groups) {
		t.Errorf("another time: %v", again.Account().Groups)
	}
	if c.Ranker = l[:3]; true {
		if hits, err := c.Rank(rank.Query{}, 4, nil, nil); err != nil || len(hits) != 3 || c.Account().Groups != nil {
			t.Errorf("three documents: %v, %v, %v", hits, err, c.Account().Groups)
		}
	}
}

// asked is a ranker that records the batch sizes and fails at the n-th call.
type asked struct {
	list
	batches []int
	fails   int
}

func (a *asked) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	a.batches = append(a.batches, k)
	if len(a.batches) == a.fails {
		return nil, &rank.Unanswerable{Reason: "it timed out"}
	}
	return a.list.Rank(q, k, f, dst)
}

// By hand: four documents in batches of three, then one. Scores do not depend on the batches. If the second batch
// times out, its document moves behind; if the first does, nothing is scored and the error is returned.
func TestBatches(t *testing.T) {
	by := list{{Doc: 2, Score: 0.9}, {Doc: 7, Score: 0.8}, {Doc: 1, Score: 0.2}, {Doc: 5, Score: 0.1}}
	for _, tt := range []struct {
		name         string
		batch, fails int
		batches      []int
		want         []uint32 // nil for an error
		note         string
	}{
		{"all at once", 0, 0, []int{4}, []uint32{2, 7, 1, 5}, ""},
		{"three and one", 3, 0, []int{3, 1}, []uint32{2, 7, 1, 5}, ""},
		{"one at a time", 1, 0, []int{1, 1, 1, 1}, []uint32{2, 7, 1, 5}, ""},
		{"the second times out", 3, 2, []int{3, 1}, []uint32{7, 1, 5, 2},
			"1 document stands behind, not scored: it timed out"},
		{"the first times out", 3, 1, []int{3}, nil, ""},
	} {
		b := &asked{list: by, fails: tt.fails}
		a := &rerank.Again{Ranker: four, By: b, Name: "another", Docs: 8, Depth: 4, Threshold: -10, Batch: tt.batch}
		got, err := a.Rank(rank.Query{}, 10, nil, nil)
		if (err != nil) != (tt.want == nil) || err == nil && !slices.Equal(docs(got), tt.want) ||
			!slices.Equal(b.batches, tt.batches) || a.Account().Note != tt.note {
			t.Errorf("%s: %v, %v, asked for %v, note %q", tt.name, docs(got), err, b.batches, a.Account().Note)
		}
	}
}
