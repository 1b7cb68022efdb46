package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Of the pairs of 20 runs ten pages are turned, and no further; another order begins at the first page.
func TestPairsAreTurnedPageByPage(t *testing.T) {
	c := &Pairs{part{Compare: headed(three(t)).Compare}}
	r := c.R()
	r.Pairs = nil
	for i := range 190 {
		r.Pairs = append(r.Pairs, report.Pair{A: 1, B: 2, P: float64(i) / 190})
	}
	label := func() string { return (&Pages{At: c.Page(), Of: c.Pages()}).Label() }
	var seen []report.Pair
	for page := range 10 {
		if got := len(c.Rows()); c.Page() != page || got != 20 && got != 10 {
			t.Fatalf("page %d holds %d pairs, and is called %s", page, got, label())
		}
		seen = append(seen, c.Rows()...)
		c.Turn(1)
	}
	if !slices.Equal(seen, c.Pairs()) || label() != "Page 10 of 10" {
		t.Errorf("%d pairs were seen, and at the end %s", len(seen), label())
	}
	c.Compare.Pairs.Sort(screen.PairsByP)
	if c.Page() != 0 {
		t.Error("another order does not begin at the first page")
	}
	c.Turn(-1)
	if c.Page() != 0 {
		t.Error("there is a page before the first")
	}
}

// The caption says in how many samples all corrected intervals hold, if there are any.
func TestPairsSayHowFarIntervalsHoldTogether(t *testing.T) {
	c := &Pairs{part{Compare: headed(three(t)).Compare}}
	const held = "All intervals together hold the true differences in at least 90 of 100 samples."
	if !strings.HasSuffix(c.Caption(), held) {
		t.Error(c.Caption())
	}
	for i := range c.R().Pairs {
		c.R().Pairs[i].Low = math.NaN()
	}
	if strings.Contains(c.Caption(), "together") {
		t.Error(c.Caption())
	}
}

// The pairs are sorted by a click, turned round by another one, and stand as they come after a third.
func TestPairsSorted(t *testing.T) {
	c := &Pairs{part{Compare: headed(three(t)).Compare}}
	r := c.R()
	r.Pairs[0].Diff, r.Pairs[1].Diff, r.Pairs[2].Diff = 0.1, -0.2, 0.3
	r.Pairs[0].P, r.Pairs[1].P, r.Pairs[2].P = 0.5, 0.01, 0.04
	plain := c.Pairs()
	for _, x := range []struct {
		name, by string
		order    func(a, b report.Pair) int
		says     any
	}{
		{"largest difference first", screen.PairsByDifference, func(a, b report.Pair) int {
			return cmp.Compare(b.Diff, a.Diff)
		}, "descending"},
		{"smallest difference first", screen.PairsByDifference, func(a, b report.Pair) int {
			return cmp.Compare(a.Diff, b.Diff)
		}, "ascending"},
		{"as they come", screen.PairsByDifference, nil, nil},
		{"smallest p first", screen.PairsByP, func(a, b report.Pair) int { return cmp.Compare(a.P, b.P) }, "ascending"},
		{"largest p first", screen.PairsByP, func(a, b report.Pair) int { return cmp.Compare(b.P, a.P) }, "descending"},
	} {
		c.Compare.Pairs.Sort(x.by)
		got := c.Pairs()
		if c.Sorted(x.by) != x.says {
			t.Errorf("%s: the column says %v", x.name, c.Sorted(x.by))
		}
		if x.order == nil && !slices.Equal(got, plain) || x.order != nil && !slices.IsSortedFunc(got, x.order) {
			t.Errorf("%s: %+v", x.name, got)
		}
	}
}
