package sparse_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// By hand: q has port 2, ship 0.5, gone 9 (which no document has). a: port 3, ship 4 → 6 + 2 = 8. b: ship 16, tide 1 →
// 8, which ties with a and comes behind it. c: tide 5 shares nothing. d: port −1 → −2: a weight may be negative, and a
// document that shares a term is returned.
func small(t testing.TB) *sparse.Ranker {
	docs := sparse.Of([]map[string]float32{{"port": 3, "ship": 4}, {"ship": 16, "tide": 1}, {"tide": 5}, {"port": -1},
		nil})
	queries := sparse.Of([]map[string]float32{{"ship": .5, "port": 2, "gone": 9}, {"none": 1}, nil})
	r, err := sparse.New("m", docs, queries, []string{"q", "lost", "empty"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRank(t *testing.T) {
	all := []rank.Hit{{Doc: 0, Score: 8}, {Doc: 1, Score: 8}, {Doc: 3, Score: -2}}
	for _, c := range []struct {
		name, query string
		k           int
		filter      rank.Filter
		want        []rank.Hit
	}{
		{"all", "q", 10, nil, all},
		{"k", "q", 1, nil, all[:1]},
		{"again: nothing is left of the query before", "q", 10, nil, all},
		{"filter", "q", 10, rank.Filter{0b1010}, all[1:]},
		{"terms that no document has", "lost", 10, nil, nil},
		{"no terms", "empty", 10, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := small(t).Rank(rank.Query{ID: c.query}, c.k, c.filter, nil)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
	var u *rank.Unanswerable
	if _, err := small(t).Rank(rank.Query{Text: "port"}, 10, nil, nil); !errors.As(err, &u) {
		t.Errorf("a typed query: %v", err)
	}
}

func TestTheExplanationIsTheScore(t *testing.T) {
	p, err := small(t).Explain(rank.Query{ID: "q"}, nil, 0)
	if err != nil || p.Score != 8 || len(p.Parts) != 2 || p.Parts[0].Name != "port" || p.Parts[0].Score != 6 ||
		p.Parts[1].Score != 2 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	ok := sparse.Of([]map[string]float32{{"a": 1}})
	for name, w := range map[string]*sparse.Weights{
		"nothing":              {},
		"entries without text": {Terms: []string{"a"}, Offsets: []uint32{0}, Term: []uint32{0}, Weight: []float32{1}},
		"backwards": {Terms: []string{"a"}, Offsets: []uint32{0, 1, 0, 1}, Term: []uint32{0},
			Weight: []float32{1}},
		"a term beyond": {Terms: []string{"a"}, Offsets: []uint32{0, 1}, Term: []uint32{1}, Weight: []float32{1}},
		"a term twice": {Terms: []string{"a"}, Offsets: []uint32{0, 2}, Term: []uint32{0, 0},
			Weight: []float32{1, 1}},
		"terms in no order": {Terms: []string{"b", "a"}, Offsets: []uint32{0}},
		"NaN": {Terms: []string{"a"}, Offsets: []uint32{0, 1}, Term: []uint32{0},
			Weight: []float32{float32(math.NaN())}},
	} {
		if _, err := sparse.New("m", w, ok, []string{"q"}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := sparse.New("m", ok, ok, nil); err == nil {
		t.Error("queries without ids: accepted")
	}
}

func Example() {
	docs := sparse.Of([]map[string]float32{{"port": 3}, {"port": 1, "ship": 2}})
	r, _ := sparse.New("splade", docs, sparse.Of([]map[string]float32{{"port": 1, "ship": 2}}), []string{"q1"})
	hits, _ := r.Rank(rank.Query{ID: "q1"}, 10, nil, nil)
	fmt.Println(hits)
	// Output: [{1 5} {0 3}]
}
