package compare

import (
	"cmp"
	"slices"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/core/significance"
)

// The tabs of the screen, as View.Tab and links name them.
const (
	TabBoard      = "board"
	TabQueries    = "queries"
	TabStatistics = "statistics"
	TabCheck      = "check"
	TabExport     = "export"
)

// Tabs are all tabs, from left to right.
var Tabs = []string{TabBoard, TabQueries, TabStatistics, TabCheck, TabExport}

// tabOf is the tab that a view opens. Links from before there were tabs name none: what they show beyond the
// defaults says which one they were about.
func tabOf(v packed.View) string {
	switch {
	case slices.Contains(Tabs, v.Tab):
		return v.Tab
	case v.Tab != "": // of a later version
		return TabBoard
	case v.Tests || v.Agree != "" || v.Margin > 0:
		return TabStatistics
	case v.Filter != "" || v.Find != "" || v.Page > 0 || v.Open != "", v.Sort != "" && v.Sort != SortChange:
		return TabQueries
	case v.Figures != "":
		return TabExport
	}
	return TabBoard
}

// ShowTab opens a tab. It gets an entry of the browser's history, but undo leaves it alone: nothing is lost by
// opening a tab.
func (c *Compare) ShowTab(tab string) {
	if c.Report() != nil && slices.Contains(Tabs, tab) {
		c.look(how{push: true}, func(c *Compare) { c.Tab = tab })
	}
}

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
	c.App.View.Draw()
}

// BoardColumn is the measure whose interval, difference and groups the board shows, as an index into the report's
// columns.
func (c *Compare) BoardColumn() int {
	return max(0, slices.Index(c.Report().Measures, c.boardOf))
}

// BoardOrder is the column that sorts the board: "run", "difference" or a measure.
func (c *Compare) BoardOrder() string {
	r := c.Report()
	if c.BoardBy == BoardByRun || c.BoardBy == BoardByDifference || slices.Contains(r.Measures, c.BoardBy) {
		return c.BoardBy
	}
	return r.Measures[0]
}

// Board is the runs in the order of the board, as indices. Runs with equal values stay in the order of the report.
func (c *Compare) Board() []int {
	r := c.Report()
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

// ShowWarning opens the text of a warning under the tabs, by the name of its chip; the same name again closes it.
func (c *Compare) ShowWarning(name string) {
	if c.Warning == name {
		name = ""
	}
	c.Warning = name
	c.App.View.Draw()
}
