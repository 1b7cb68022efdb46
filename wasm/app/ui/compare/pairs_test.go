package compare

import (
	"cmp"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/report"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

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
		{"largest difference first", screen.PairsByDifference, func(a, b report.Pair) int { return cmp.Compare(b.Diff, a.Diff) }, "descending"},
		{"smallest difference first", screen.PairsByDifference, func(a, b report.Pair) int { return cmp.Compare(a.Diff, b.Diff) }, "ascending"},
		{"as they come", screen.PairsByDifference, nil, nil},
		{"smallest p first", screen.PairsByP, func(a, b report.Pair) int { return cmp.Compare(a.P, b.P) }, "ascending"},
		{"largest p first", screen.PairsByP, func(a, b report.Pair) int { return cmp.Compare(b.P, a.P) }, "descending"},
	} {
		c.Compare.SortPairs(x.by)
		got := c.Pairs()
		if c.Sorted(x.by) != x.says {
			t.Errorf("%s: the column says %v", x.name, c.Sorted(x.by))
		}
		if x.order == nil && !slices.Equal(got, plain) || x.order != nil && !slices.IsSortedFunc(got, x.order) {
			t.Errorf("%s: %+v", x.name, got)
		}
	}
}
