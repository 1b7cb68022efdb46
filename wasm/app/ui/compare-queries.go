package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// CompareQueries is the table of queries.
type CompareQueries struct {
	part
}

// S is the state of the screen.
func (c *CompareQueries) S() *state.Compare { return &c.App.Compare }

// R is the report.
func (c *CompareQueries) R() *compare.Report { return c.App.Compare.Report() }

// Several says whether there are two runs to compare.
func (c *CompareQueries) Several() bool { return len(c.R().Systems) > 1 }

// Number writes an index as the value of an option.
func (c *CompareQueries) Number(i int) string { return strconv.Itoa(i) }

func chosen(event vugu.DOMEvent) int {
	i, err := strconv.Atoi(event.PropString("target", "value"))
	if err != nil {
		return -1
	}
	return i
}

// SetColumn chooses the measure.
func (c *CompareQueries) SetColumn(event vugu.DOMEvent) { c.App.SetColumn(chosen(event)) }

// SetA chooses the first run.
func (c *CompareQueries) SetA(event vugu.DOMEvent) { c.App.SetPair(chosen(event), c.S().B) }

// SetB chooses the second.
func (c *CompareQueries) SetB(event vugu.DOMEvent) { c.App.SetPair(c.S().A, chosen(event)) }

// SetFilter chooses which queries are shown.
func (c *CompareQueries) SetFilter(event vugu.DOMEvent) {
	c.App.SetFilter(event.PropString("target", "value"))
}

// Filters are the choices.
func (c *CompareQueries) Filters() [][2]string {
	a, b := letter(c.S().A), letter(c.S().B)
	return [][2]string{{state.FilterAll, "all queries"}, {state.FilterChanged, "those that changed"}, {state.FilterB, b + " better than " + a}, {state.FilterA, a + " better than " + b}}
}

// NeedsOver says whether the filter has a number.
func (c *CompareQueries) NeedsOver() bool {
	return c.Several() && (c.S().Filter == state.FilterA || c.S().Filter == state.FilterB)
}

// Over is that number.
func (c *CompareQueries) Over() string { return strconv.FormatFloat(c.S().Over, 'f', -1, 64) }

// SetOver sets it.
func (c *CompareQueries) SetOver(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.App.SetOver(v)
	}
}

// Find takes what was typed.
func (c *CompareQueries) Find(event vugu.DOMEvent) {
	c.App.FindQuery(event.PropString("target", "value"))
}

func (c *CompareQueries) by(column string) bool {
	return c.S().Sort == column || column == state.SortChange && c.S().Sort == state.SortDiff
}

// Sorted says how the table is sorted by a column.
func (c *CompareQueries) Sorted(column string) interface{} {
	if !c.by(column) {
		return nil
	}
	if c.S().Down {
		return "descending"
	}
	return "ascending"
}

// Arrow shows the same.
func (c *CompareQueries) Arrow(column string) string {
	switch {
	case !c.by(column):
		return ""
	case c.S().Sort == state.SortChange:
		return " ↕"
	case c.S().Down:
		return " ↓"
	}
	return " ↑"
}

// ID is the id of a query.
func (c *CompareQueries) ID(q int) string { return c.R().Queries[q].ID }

// Text is its text.
func (c *CompareQueries) Text(q int) string { return shown(c.R().Queries[q].Text) }

// Open shows its rankings.
func (c *CompareQueries) Open(q int) { c.App.OpenQuery(c.ID(q)) }

// Pressed marks the one that is open.
func (c *CompareQueries) Pressed(q int) string {
	return strconv.FormatBool(c.ID(q) == c.S().Open)
}

// RowClass marks it too.
func (c *CompareQueries) RowClass(q int) string {
	if c.ID(q) == c.S().Open {
		return "picked"
	}
	return ""
}

func (c *CompareQueries) value(s, q int) float64 { return c.R().Columns[c.S().Column].Values[s][q] }

// Value is the value of a run.
func (c *CompareQueries) Value(s, q int) string { return fixed(c.value(s, q), 4) }

func (c *CompareQueries) diff(q int) float64 { return c.value(c.S().B, q) - c.value(c.S().A, q) }

// Change is the difference.
func (c *CompareQueries) Change(q int) string {
	if c.diff(q) == 0 {
		return "="
	}
	return signed(c.diff(q), 4)
}

// ChangeClass colours it.
func (c *CompareQueries) ChangeClass(q int) string {
	d := c.diff(q)
	if c.R().Extra[c.S().Column].Lower {
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
func (c *CompareQueries) Because(q int) []compare.Change {
	x := c.S().Why[c.ID(q)]
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
func (c *CompareQueries) Rest(q int) string {
	x := c.S().Why[c.ID(q)]
	if x == nil {
		return ""
	}
	if len(c.Because(q)) == 0 {
		return "nothing that counts moved"
	}
	if len(x.Changes) > 2 {
		return "…"
	}
	return ""
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
	return s + " (" + signed(d.Diff, 3) + ")"
}

// PageLabel says which page it is.
func (c *CompareQueries) PageLabel() string {
	return "Page " + strconv.Itoa(c.S().Page+1) + " of " + strconv.Itoa(c.S().Pages())
}

// Caption sums up.
func (c *CompareQueries) Caption() string {
	r, s := c.R(), c.S()
	n := len(s.Rows())
	if !c.Several() {
		return thousands(n) + " of " + plural(len(r.Queries), "query", "queries") + "."
	}
	better, worse := 0, 0
	for q := range r.Queries {
		d := c.diff(q)
		if r.Extra[s.Column].Lower {
			d = -d
		}
		switch {
		case d > 0:
			better++
		case d < 0:
			worse++
		}
	}
	return letter(s.B) + " is better than " + letter(s.A) + " on " + plural(better, "query", "queries") + ", worse on " + thousands(worse) + ", equal on " + thousands(len(r.Queries)-better-worse) +
		" (" + r.Measures[s.Column] + "). Shown: " + thousands(n) + ". Select a query to see its rankings."
}
