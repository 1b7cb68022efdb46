package compare

import (
	"slices"
	"testing"
)

// The board is sorted by any column, best first, then the other way round; the measure also decides what is shown in
// detail.
func TestTheBoardIsSorted(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	x := c.Runs.Report()
	for m := range x.Columns { // by hand: run 1 is best by the first measure, run 2 by the second
		copy(x.Columns[m].Means, [][]float64{{0.2, 0.9, 0.5}, {0.3, 0.1, 0.8}}[m])
	}
	x.Baseline = 0
	for i, s := range []string{"b", "c", "a"} {
		x.Systems[i].Label = s
	}
	first, second := x.Measures[0], x.Measures[1]
	for _, step := range []struct {
		by     string
		want   []int
		column int
	}{
		{second, []int{2, 0, 1}, 1},
		{second, []int{1, 0, 2}, 1},
		{BoardByDifference, []int{2, 0, 1}, 1},
		{BoardByRun, []int{2, 0, 1}, 1},
		{BoardByRun, []int{1, 0, 2}, 1},
		{first, []int{1, 2, 0}, 0},
		{first, []int{0, 2, 1}, 0},
	} {
		c.Board.Sort(step.by)
		if got := c.Board.Rows(); !slices.Equal(got, step.want) || c.Board.Column() != step.column ||
			c.Board.Order() != step.by {
			t.Errorf("by %s: %v of column %d, want %v of %d", step.by, got, c.Board.Column(), step.want, step.column)
		}
	}
	c.Board.Sort("gone")
	if c.Board.Order() != first || c.Board.Column() != 0 {
		t.Error("a measure that is not there sorts the board")
	}
}
