package compare

import (
	"cmp"
	"slices"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/significance"
)

// The columns that sort the board besides its measures.
const (
	BoardByRun        = "run"
	BoardByDifference = "difference"
)

// SortBoard sorts the board by "run", "difference" or a measure, best first; the same column again reverses the
// order. A measure also becomes the one whose interval, difference and groups the board shows, unless it is a share
// of judged documents, which has none.
func (c *Compare) SortBoard(by string) {
	if by == c.BoardOrder() {
		c.BoardDown = !c.BoardDown
	} else {
		c.BoardDown = false
	}
	c.BoardBy = by
	if by != BoardByRun && by != BoardByDifference && !measure.JudgedShare(by) {
		c.boardOf = by
	}
	c.App.Draw()
}

// BoardColumn is the measure whose interval, difference and groups the board shows, as an index into the report's
// columns.
func (c *Compare) BoardColumn() int {
	return max(0, slices.Index(c.Runs.Report().Measures, c.boardOf))
}

// BoardOrder is the column that sorts the board: "run", "difference" or a measure.
func (c *Compare) BoardOrder() string {
	r := c.Runs.Report()
	if c.BoardBy == BoardByRun || c.BoardBy == BoardByDifference || slices.Contains(r.Measures, c.BoardBy) {
		return c.BoardBy
	}
	return r.Measures[0]
}

// Board is the runs in the order of the board, as indices. Runs with equal values stay in the order of the report.
func (c *Compare) Board() []int {
	r := c.Runs.Report()
	m, by := c.BoardColumn(), c.BoardOrder()
	out := slices.Clone(r.Ranking())
	if by == r.Measures[0] && !c.BoardDown {
		return out
	}
	order := func(i, j int) int { return better(r, slices.Index(r.Measures, by), i, j) }
	switch by {
	case BoardByRun:
		order = func(i, j int) int { return cmp.Compare(r.Systems[i].Label, r.Systems[j].Label) }
	case BoardByDifference:
		base := r.Columns[m].Means[r.Baseline]
		order = func(i, j int) int {
			x := significance.Difference(base, r.Columns[m].Means[i])
			return cmp.Compare(significance.Difference(base, r.Columns[m].Means[j]), x)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int {
		if c.BoardDown {
			return order(j, i)
		}
		return order(i, j)
	})
	return out
}

// better orders two runs by a measure, the better one first.
func better(r *report.Report, m, i, j int) int {
	x := &r.Columns[m]
	if x.Lower {
		return cmp.Compare(x.Means[i], x.Means[j])
	}
	return cmp.Compare(x.Means[j], x.Means[i])
}
