package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
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

// table is the queries that pass the filter of a view, in their order, as indices into the report's. It is computed
// again once something has changed that it depends on.
type table struct {
	rows []int
	key  tableKey
}

type tableKey struct {
	report       *report.Report
	column, a, b int
	sort         string
	down         bool
	filter, find string
	over         float64
}

func (t *table) of(r *report.Report, v *packed.View) []int {
	if r == nil {
		return nil
	}
	key := tableKey{r, v.Column, v.A, v.B, v.Sort, v.Down, v.Filter, v.Find, v.Over}
	if key == t.key {
		return t.rows
	}
	t.key = key
	col := &r.Columns[v.Column]
	va, vb := col.Values[v.A], col.Values[v.B]
	sign := 1.0
	if col.Lower {
		sign = -1
	}
	find := strings.ToLower(strings.TrimSpace(v.Find))
	var out []int
	for q, query := range r.Queries {
		gain := sign * significance.Difference(va[q], vb[q])
		switch v.Filter {
		case FilterChanged:
			if va[q] == vb[q] || va[q] != va[q] {
				continue
			}
		case FilterB:
			if !(gain > v.Over) {
				continue
			}
		case FilterA:
			if !(-gain > v.Over) {
				continue
			}
		}
		if find != "" && !strings.Contains(strings.ToLower(query.ID), find) &&
			!strings.Contains(strings.ToLower(query.Text), find) {
			continue
		}
		out = append(out, q)
	}
	value := func(q int) float64 {
		switch v.Sort {
		case SortA:
			return va[q]
		case SortB:
			return vb[q]
		case SortDiff:
			return significance.Difference(va[q], vb[q])
		}
		return math.Abs(significance.Difference(va[q], vb[q]))
	}
	if v.Sort == SortQuery {
		if v.Down {
			slices.Reverse(out)
		}
	} else {
		slices.SortStableFunc(out, func(x, y int) int {
			a, b := value(x), value(y)
			if !v.Down {
				a, b = -a, -b
			}
			return cmp.Compare(b, a) // what is no number last
		})
	}
	t.rows = out
	return out
}

// pages is how many pages rows take, at least 1.
func pages(rows []int) int { return max(1, (len(rows)+RowsShown-1)/RowsShown) }

// Rows are the queries that pass the filter, in the order of the table, as indices into the report's.
func (v *View) Rows() []int { return v.table.of(v.runs.Report(), &v.View) }

// PageRows are those of Rows that stand on the page of the table.
func (v *View) PageRows() []int {
	rows := v.Rows()
	from := min(v.Page*RowsShown, len(rows))
	return rows[from:min(from+RowsShown, len(rows))]
}

// Pages is how many pages the table has, at least 1.
func (v *View) Pages() int { return pages(v.Rows()) }

// SortBy sorts the queries by a column; again turns the order round. The change is sorted by its size, then by its
// sign, both ways.
func (v *View) SortBy(by string) {
	v.look(choosing, func(x *packed.View) {
		x.Page = 0
		switch {
		case by == SortChange && x.Sort == SortChange:
			x.Sort, x.Down = SortDiff, true
		case by == SortChange && x.Sort == SortDiff && x.Down:
			x.Down = false
		case by == x.Sort:
			x.Down = !x.Down
		default:
			x.Sort, x.Down = by, by == SortChange
		}
	})
}

// SetFilter chooses which queries are shown.
func (v *View) SetFilter(f string) {
	v.look(choosing, func(x *packed.View) { x.Filter, x.Page = f, 0 })
}

// SetOver sets by how much a run must be better to pass the filter.
func (v *View) SetOver(by float64) {
	if by >= 0 && by <= 1e9 {
		v.look(choosing, func(x *packed.View) { x.Over, x.Page = by, 0 })
	}
}

// FindQuery shows the queries whose id or text holds a text.
func (v *View) FindQuery(text string) {
	v.look(how{kind: "find", undone: true}, func(x *packed.View) { x.Find, x.Page = strings.ToValidUTF8(text, ""), 0 })
}

// TurnPage goes to another page of the table.
func (v *View) TurnPage(by int) {
	v.look(leafing, func(x *packed.View) { x.Page = max(0, x.Page+by) })
}
