package rank_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// The oracle is a full sort.
func TestTopKeepsWhatAFullSortWouldPutFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var top rank.Top
	for range 500 {
		n, k := r.IntN(60), r.IntN(30)
		hits := make([]rank.Hit, n)
		for i := range hits {
			hits[i] = rank.Hit{Doc: uint32(i), Score: float64(r.IntN(6))}
		}
		r.Shuffle(n, func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
		top.Reset(k, nil)
		for _, h := range hits {
			top.Push(h)
		}
		worst, full := top.Worst()
		got := top.Sorted()
		if full != (k > 0 && n >= k) || full && worst != got[k-1] {
			t.Fatalf("k=%d of %d: the worst is %v, %v", k, n, worst, full)
		}
		slices.SortFunc(hits, func(a, b rank.Hit) int {
			if rank.Better(a, b) {
				return -1
			}
			return 1
		})
		if want := hits[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("k=%d: got %v, want %v", k, got, want)
		}
	}
}

func TestFilterNamesDocumentsByBit(t *testing.T) {
	f := rank.Filter{1 << 5, 1}
	for d, want := range map[uint32]bool{5: true, 6: false, 64: true, 65: false} {
		if f.Has(d) != want {
			t.Errorf("document %d: %v", d, !want)
		}
	}
	if !rank.Filter(nil).Has(7) {
		t.Error("no filter keeps a document out")
	}
}

// By hand: a higher score is better, of equal scores the smaller ordinal, and nothing is better than itself.
func TestBetter(t *testing.T) {
	cases := []struct {
		name string
		a, b rank.Hit
		want bool
	}{
		{"higher score", rank.Hit{Doc: 9, Score: 2}, rank.Hit{Doc: 1, Score: 1}, true},
		{"lower score", rank.Hit{Doc: 1, Score: 1}, rank.Hit{Doc: 9, Score: 2}, false},
		{"equal score, smaller number", rank.Hit{Doc: 1, Score: 1}, rank.Hit{Doc: 9, Score: 1}, true},
		{"equal score, larger number", rank.Hit{Doc: 9, Score: 1}, rank.Hit{Doc: 1, Score: 1}, false},
		{"itself", rank.Hit{Doc: 1, Score: 1}, rank.Hit{Doc: 1, Score: 1}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := rank.Better(c.a, c.b); got != c.want {
				t.Errorf("Better(%v, %v) = %v", c.a, c.b, got)
			}
		})
	}
}

func TestUnanswerableSaysWhy(t *testing.T) {
	if got, want := (&rank.Unanswerable{Reason: "it has no vector"}).Error(), "rank: it has no vector"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// By hand: higher scores first, ties by lower ordinal, whatever the input order.
func TestSort(t *testing.T) {
	for _, hits := range [][]rank.Hit{
		{{Doc: 3, Score: 1}, {Doc: 1, Score: 2}, {Doc: 0, Score: 2}, {Doc: 2, Score: 3}},
		{{Doc: 2, Score: 3}, {Doc: 0, Score: 2}, {Doc: 1, Score: 2}, {Doc: 3, Score: 1}},
		{{Doc: 0, Score: 2}, {Doc: 3, Score: 1}, {Doc: 2, Score: 3}, {Doc: 1, Score: 2}},
	} {
		from := slices.Clone(hits)
		rank.Sort(hits)
		if want := []rank.Hit{{Doc: 2, Score: 3}, {Doc: 0, Score: 2}, {Doc: 1, Score: 2},
			{Doc: 3, Score: 1}}; !slices.Equal(hits, want) {
			t.Errorf("%v is sorted as %v, want %v", from, hits, want)
		}
	}
}
