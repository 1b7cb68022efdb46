package compare

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Queries is the table of queries.
type Queries struct {
	part
}

// S is the state of the screen.
func (c *Queries) S() *screen.Compare { return c.Compare }

// R is the report.
func (c *Queries) R() *report.Report { return c.Compare.Runs.Report() }

// Explained says whether the documents that made a change are known.
func (c *Queries) Explained() bool {
	_, given := c.R().Given()
	return c.Several() && !given
}

// Several says whether there are two runs to compare.
func (c *Queries) Several() bool { return len(c.R().Systems) > 1 }

// Number writes an index as the value of an option.
func (c *Queries) Number(i int) string { return strconv.Itoa(i) }

// SetColumn chooses the measure.
func (c *Queries) SetColumn(event vugu.DOMEvent) { c.Compare.View.SetColumn(ui.Chosen(event)) }

// SetA chooses the first run.
func (c *Queries) SetA(event vugu.DOMEvent) { c.Compare.View.SetPair(ui.Chosen(event), c.S().View.B) }

// SetB chooses the second.
func (c *Queries) SetB(event vugu.DOMEvent) { c.Compare.View.SetPair(c.S().View.A, ui.Chosen(event)) }

// SetFilter chooses which queries are shown.
func (c *Queries) SetFilter(event vugu.DOMEvent) {
	c.Compare.View.SetFilter(event.PropString("target", "value"))
}

// Filters are the choices.
func (c *Queries) Filters() [][2]string {
	a, b := c.R().Letter(c.S().View.A), c.R().Letter(c.S().View.B)
	return [][2]string{{screen.FilterAll, "all queries"}, {screen.FilterChanged, "those that changed"},
		{screen.FilterB, b + " better than " + a}, {screen.FilterA, a + " better than " + b}}
}

// NeedsOver says whether the filter has a number.
func (c *Queries) NeedsOver() bool {
	return c.Several() && (c.S().View.Filter == screen.FilterA || c.S().View.Filter == screen.FilterB)
}

// Over is that number.
func (c *Queries) Over() string { return strconv.FormatFloat(c.S().View.Over, 'f', -1, 64) }

// SetOver sets it.
func (c *Queries) SetOver(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.Compare.View.SetOver(v)
	}
}

// Find takes what was typed.
func (c *Queries) Find(event vugu.DOMEvent) {
	c.Compare.View.FindQuery(event.PropString("target", "value"))
}

func (c *Queries) by(column string) bool {
	return c.S().View.Sort == column || column == screen.SortChange && c.S().View.Sort == screen.SortDiff
}

// Sorted says how the table is sorted by a column.
func (c *Queries) Sorted(column string) interface{} {
	if !c.by(column) {
		return nil
	}
	if c.S().View.Down {
		return "descending"
	}
	return "ascending"
}

// Arrow shows the same.
func (c *Queries) Arrow(column string) string {
	switch {
	case !c.by(column):
		return ""
	case c.S().View.Sort == screen.SortChange:
		return " ↕"
	case c.S().View.Down:
		return " ↓"
	}
	return " ↑"
}

// QueryRow is a query in the table.
type QueryRow struct {
	table *Queries
	Q     int // of the report's queries
}

// Rows are the queries on the page of the table.
func (c *Queries) Rows() []QueryRow {
	page := c.S().View.PageRows()
	out := make([]QueryRow, len(page))
	for k, q := range page {
		out[k] = QueryRow{c, q}
	}
	return out
}

// ID is the id of the query.
func (row QueryRow) ID() string { return row.table.R().Queries[row.Q].ID }

// Text is its text.
func (row QueryRow) Text() string { return say.Visible(row.table.R().Queries[row.Q].Text) }

// Open goes to its rankings.
func (row QueryRow) Open() {
	row.table.Compare.View.OpenQuery(row.ID())
	row.table.Compare.App.View.FocusOn("rankings-title")
}

// Pressed marks the one that is open.
func (row QueryRow) Pressed() string {
	return strconv.FormatBool(row.ID() == row.table.S().View.Open)
}

// Class marks it too.
func (row QueryRow) Class() string {
	class := ""
	if row.ID() == row.table.S().View.Open {
		class = "picked"
	}
	if row.ID() == row.table.Compare.View.Lit {
		class += " lit"
	}
	return class
}

// Shown is the moment that the component shows, with the query that is lit.
func (c *Queries) Shown() any { return [...]any{c.part.Shown(), c.Compare.View.Lit} }

func (row QueryRow) value(s int) float64 {
	return row.table.R().Columns[row.table.S().View.Column].Values[s][row.Q]
}

// Value is the value of a run.
func (row QueryRow) Value(s int) string { return say.Page.Number(row.value(s), 4) }

func (row QueryRow) diff() float64 {
	return significance.Difference(row.value(row.table.S().View.A), row.value(row.table.S().View.B))
}

// Change is the difference.
func (row QueryRow) Change() string {
	if row.diff() == 0 {
		return "="
	}
	return say.Page.Signed(row.diff(), 4)
}

// ChangeClass colours it.
func (row QueryRow) ChangeClass() string {
	d := row.diff()
	if row.table.R().Columns[row.table.S().View.Column].Lower {
		d = -d
	}
	switch {
	case d > 0:
		return "up"
	case d < 0:
		return "down"
	}
	return "muted"
}

// Because are the documents that made most of the change.
func (row QueryRow) Because() []compare.Change {
	x := row.table.S().Reasons.Why[row.ID()]
	if x == nil {
		return nil
	}
	n := 0
	for n < len(x.Changes) && n < 2 && x.Changes[n].Diff != 0 {
		n++
	}
	return x.Changes[:n]
}

// Rest counts the others.
func (row QueryRow) Rest() string {
	x := row.table.S().Reasons.Why[row.ID()]
	if x == nil {
		return ""
	}
	if len(row.Because()) == 0 {
		return "no relevant document moved"
	}
	if len(x.Changes) > 2 {
		return "…"
	}
	return ""
}

// Doc is the title of a document, or its id.
func (c *Queries) Doc(id string) string {
	if t := c.S().Reasons.Title(id); t != "" {
		return say.Brief(t, 40)
	}
	return ui.Brief(id)
}

// DocClass tells ids from titles.
func (c *Queries) DocClass(id string) string {
	if c.S().Reasons.Title(id) != "" {
		return "doc-title"
	}
	return "id"
}

// moved says where a document went and what that added.
func moved(d compare.Change) string {
	s := ""
	switch d.What {
	case compare.Gained:
		s = "new at " + strconv.Itoa(d.RankB)
	case compare.Lost:
		s = "lost from " + strconv.Itoa(d.RankA)
	case compare.Same:
		s = "still at " + strconv.Itoa(d.RankB)
	default:
		s = "from " + strconv.Itoa(d.RankA) + " to " + strconv.Itoa(d.RankB)
	}
	return s + " (" + say.Page.Signed(d.Diff, 3) + ")"
}

// Caption sums up.
func (c *Queries) Caption() string {
	r, s := c.R(), c.S()
	n := len(s.View.Rows())
	if !c.Several() {
		return say.Thousands(n) + " of " + say.Count(len(r.Queries), "query", "queries") + "."
	}
	better, worse := 0, 0
	for q := range r.Queries {
		d := QueryRow{c, q}.diff()
		if r.Columns[s.View.Column].Lower {
			d = -d
		}
		switch {
		case d > 0:
			better++
		case d < 0:
			worse++
		}
	}
	return c.R().Letter(s.View.B) + " is better than " + c.R().Letter(s.View.A) + " on " + say.Count(better, "query",
		"queries") + ", worse on " + say.Thousands(worse) + ", equal on " + say.Thousands(len(r.Queries)-better-worse) +
		" (" + r.Measures[s.View.Column] + "). Shown: " + say.Thousands(n) + ". Select a query to see both rankings."
}
