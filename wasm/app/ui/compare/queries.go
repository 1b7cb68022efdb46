package compare

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
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
func (c *Queries) R() *report.Report { return c.Compare.Report() }

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
func (c *Queries) SetColumn(event vugu.DOMEvent) { c.Compare.SetColumn(ui.Chosen(event)) }

// SetA chooses the first run.
func (c *Queries) SetA(event vugu.DOMEvent) { c.Compare.SetPair(ui.Chosen(event), c.S().B) }

// SetB chooses the second.
func (c *Queries) SetB(event vugu.DOMEvent) { c.Compare.SetPair(c.S().A, ui.Chosen(event)) }

// SetFilter chooses which queries are shown.
func (c *Queries) SetFilter(event vugu.DOMEvent) {
	c.Compare.SetFilter(event.PropString("target", "value"))
}

// Filters are the choices.
func (c *Queries) Filters() [][2]string {
	a, b := c.R().Letter(c.S().A), c.R().Letter(c.S().B)
	return [][2]string{{screen.FilterAll, "all queries"}, {screen.FilterChanged, "those that changed"}, {screen.FilterB, b + " better than " + a}, {screen.FilterA, a + " better than " + b}}
}

// NeedsOver says whether the filter has a number.
func (c *Queries) NeedsOver() bool {
	return c.Several() && (c.S().Filter == screen.FilterA || c.S().Filter == screen.FilterB)
}

// Over is that number.
func (c *Queries) Over() string { return strconv.FormatFloat(c.S().Over, 'f', -1, 64) }

// SetOver sets it.
func (c *Queries) SetOver(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.Compare.SetOver(v)
	}
}

// Find takes what was typed.
func (c *Queries) Find(event vugu.DOMEvent) {
	c.Compare.FindQuery(event.PropString("target", "value"))
}

func (c *Queries) by(column string) bool {
	return c.S().Sort == column || column == screen.SortChange && c.S().Sort == screen.SortDiff
}

// Sorted says how the table is sorted by a column.
func (c *Queries) Sorted(column string) interface{} {
	if !c.by(column) {
		return nil
	}
	if c.S().Down {
		return "descending"
	}
	return "ascending"
}

// Arrow shows the same.
func (c *Queries) Arrow(column string) string {
	switch {
	case !c.by(column):
		return ""
	case c.S().Sort == screen.SortChange:
		return " ↕"
	case c.S().Down:
		return " ↓"
	}
	return " ↑"
}

// ID is the id of a query.
func (c *Queries) ID(q int) string { return c.R().Queries[q].ID }

// Text is its text.
func (c *Queries) Text(q int) string { return say.Visible(c.R().Queries[q].Text) }

// Open goes to its rankings.
func (c *Queries) Open(q int) {
	c.Compare.OpenQuery(c.ID(q))
	c.Compare.App.View.FocusOn("rankings-title")
}

// Pressed marks the one that is open.
func (c *Queries) Pressed(q int) string {
	return strconv.FormatBool(c.ID(q) == c.S().Open)
}

// RowClass marks it too.
func (c *Queries) RowClass(q int) string {
	class := ""
	if c.ID(q) == c.S().Open {
		class = "picked"
	}
	if c.ID(q) == c.Compare.Lit {
		class += " lit"
	}
	return class
}

// Shown is the moment that the component shows, with the query that is lit.
func (c *Queries) Shown() any { return [...]any{c.part.Shown(), c.Compare.Lit} }

func (c *Queries) value(s, q int) float64 { return c.R().Columns[c.S().Column].Values[s][q] }

// Value is the value of a run.
func (c *Queries) Value(s, q int) string { return say.Page.Number(c.value(s, q), 4) }

func (c *Queries) diff(q int) float64 {
	return significance.Difference(c.value(c.S().A, q), c.value(c.S().B, q))
}

// Change is the difference.
func (c *Queries) Change(q int) string {
	if c.diff(q) == 0 {
		return "="
	}
	return say.Page.Signed(c.diff(q), 4)
}

// ChangeClass colours it.
func (c *Queries) ChangeClass(q int) string {
	d := c.diff(q)
	if c.R().Columns[c.S().Column].Lower {
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
func (c *Queries) Because(q int) []compare.Change {
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
func (c *Queries) Rest(q int) string {
	x := c.S().Why[c.ID(q)]
	if x == nil {
		return ""
	}
	if len(c.Because(q)) == 0 {
		return "no relevant document moved"
	}
	if len(x.Changes) > 2 {
		return "…"
	}
	return ""
}

// Doc is the title of a document, or its id.
func (c *Queries) Doc(id string) string {
	if t := c.S().Title(id); t != "" {
		return say.Brief(t, 40)
	}
	return ui.Brief(id)
}

// DocClass tells ids from titles.
func (c *Queries) DocClass(id string) string {
	if c.S().Title(id) != "" {
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
	n := len(s.Rows())
	if !c.Several() {
		return say.Thousands(n) + " of " + say.Count(len(r.Queries), "query", "queries") + "."
	}
	better, worse := 0, 0
	for q := range r.Queries {
		d := c.diff(q)
		if r.Columns[s.Column].Lower {
			d = -d
		}
		switch {
		case d > 0:
			better++
		case d < 0:
			worse++
		}
	}
	return c.R().Letter(s.B) + " is better than " + c.R().Letter(s.A) + " on " + say.Count(better, "query", "queries") + ", worse on " + say.Thousands(worse) + ", equal on " + say.Thousands(len(r.Queries)-better-worse) +
		" (" + r.Measures[s.Column] + "). Shown: " + say.Thousands(n) + ". Select a query to see both rankings."
}
