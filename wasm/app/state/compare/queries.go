package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/significance"
)

// RowsShown is how many queries stand on a page of the table.
const RowsShown = 25

// The columns that the queries are sorted by, and the filters.
const (
	SortChange = "change" // size of the change
	SortDiff   = "diff"   // change with its sign
	SortQuery  = "query"
	SortA      = "a"
	SortB      = "b"

	FilterAll     = ""
	FilterChanged = "changed"
	FilterB       = "b" // B better by more than Over
	FilterA       = "a"
)

type rowKey struct {
	report       *report.Report
	column, a, b int
	sort         string
	down         bool
	filter, find string
	over         float64
}

// Rows are the queries that pass the filter, in the order of the table, as indices into the report's.
func (c *Compare) Rows() []int {
	r := c.Report()
	if r == nil {
		return nil
	}
	key := rowKey{r, c.Column, c.A, c.B, c.Sort, c.Down, c.Filter, c.Find, c.Over}
	if key == c.rowKey {
		return c.rows
	}
	c.rowKey = key
	col := &r.Columns[c.Column]
	va, vb := col.Values[c.A], col.Values[c.B]
	sign := 1.0
	if r.Columns[c.Column].Lower {
		sign = -1
	}
	find := strings.ToLower(strings.TrimSpace(c.Find))
	var out []int
	for q, t := range r.Queries {
		gain := sign * significance.Difference(va[q], vb[q])
		switch c.Filter {
		case FilterChanged:
			if va[q] == vb[q] {
				continue
			}
		case FilterB:
			if !(gain > c.Over) {
				continue
			}
		case FilterA:
			if !(-gain > c.Over) {
				continue
			}
		}
		if find != "" && !strings.Contains(strings.ToLower(t.ID), find) && !strings.Contains(strings.ToLower(t.Text), find) {
			continue
		}
		out = append(out, q)
	}
	value := func(q int) float64 {
		switch c.Sort {
		case SortA:
			return va[q]
		case SortB:
			return vb[q]
		case SortDiff:
			return significance.Difference(va[q], vb[q])
		}
		return math.Abs(significance.Difference(va[q], vb[q]))
	}
	if c.Sort == SortQuery {
		if c.Down {
			slices.Reverse(out)
		}
	} else {
		slices.SortStableFunc(out, func(x, y int) int {
			u, v := value(x), value(y)
			if !c.Down {
				u, v = -u, -v
			}
			return cmp.Compare(v, u) // what is no number last
		})
	}
	c.rows = out
	return out
}

// PageRows are those of Rows that stand on the page of the table.
func (c *Compare) PageRows() []int {
	rows := c.Rows()
	from := min(c.Page*RowsShown, len(rows))
	return rows[from:min(from+RowsShown, len(rows))]
}

// Pages is how many pages the table has, at least 1.
func (c *Compare) Pages() int { return max(1, (len(c.Rows())+RowsShown-1)/RowsShown) }

// lookRows asks why the queries of the page of the table changed.
func (c *Compare) lookRows() {
	r := c.Report()
	if r == nil || c.A == c.B || !r.HasRankings() {
		c.Why = nil
		return
	}
	var ids []string
	for _, q := range c.PageRows() {
		ids = append(ids, r.Queries[q].ID)
	}
	c.Why = nil
	if len(ids) > 0 {
		c.App.Engine.Request(message.Reasons, &message.AskReasons{A: c.A, B: c.B, Measure: r.Measures[c.Column],
			Queries: ids})
	}
}

// SortBy sorts the queries by a column; again turns the order round. The change is sorted by its size, then by its sign, both ways.
func (c *Compare) SortBy(by string) {
	c.look(choosing, func(c *Compare) {
		c.Page = 0
		switch {
		case by == SortChange && c.Sort == SortChange:
			c.Sort, c.Down = SortDiff, true
		case by == SortChange && c.Sort == SortDiff && c.Down:
			c.Down = false
		case by == c.Sort:
			c.Down = !c.Down
		default:
			c.Sort, c.Down = by, by == SortChange
		}
	})
}

// What the pairs are sorted by.
const (
	PairsByDifference = "difference"
	PairsByP          = "p"
)

// SortPairs sorts the pairs by a column, the smallest p or the largest difference first; again turns the order round, a third time leaves them
// as they come.
func (c *Compare) SortPairs(by string) {
	first := by == PairsByDifference
	switch {
	case c.PairsBy != by:
		c.PairsBy, c.PairsDown = by, first
	case c.PairsDown == first:
		c.PairsDown = !first
	default:
		c.PairsBy, c.PairsDown = "", false
	}
	c.PairsPage = 0
	c.App.View.Draw()
}

// TurnPairs goes to another page of the table of pairs, of which there are so many.
func (c *Compare) TurnPairs(by, pages int) {
	c.PairsPage = max(0, min(c.PairsPage+by, pages-1))
	c.App.View.Draw()
}

// SetFilter chooses which queries are shown.
func (c *Compare) SetFilter(f string) {
	c.look(choosing, func(c *Compare) { c.Filter, c.Page = f, 0 })
}

// SetOver sets by how much a run must be better to pass the filter.
func (c *Compare) SetOver(v float64) {
	if v >= 0 && v <= 1e9 {
		c.look(choosing, func(c *Compare) { c.Over, c.Page = v, 0 })
	}
}

// FindQuery shows the queries whose id or text holds a text.
func (c *Compare) FindQuery(text string) {
	c.look(how{kind: "find", undone: true}, func(c *Compare) { c.Find, c.Page = strings.ToValidUTF8(text, ""), 0 })
}

// TurnPage goes to another page of the table.
func (c *Compare) TurnPage(by int) {
	c.look(leafing, func(c *Compare) { c.Page = max(0, c.Page+by) })
}
