package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Golden is a golden set held against the runs: which queries fail, why, and what they expect, which can be edited.
type Golden struct {
	part
}

// G is the golden set.
func (c *Golden) G() *message.Golden { return c.Compare.Runs.Done.Golden }

// R is the report.
func (c *Golden) R() *report.Report { return c.Compare.Runs.Report() }

// of is what became of a query in a run, nil if nothing is expected of it.
func (c *Golden) of(run int, query string) *gates.Expected {
	if run >= len(c.G().Runs) {
		return nil
	}
	list := c.G().Runs[run]
	if i := slices.IndexFunc(list, func(e gates.Expected) bool { return e.Query == query }); i >= 0 {
		return &list[i]
	}
	return nil
}

// passed counts the queries of a run that found what they expect, of those that expect something.
func (c *Golden) passed(run int) (n, of int) {
	if run >= len(c.G().Runs) {
		return 0, 0
	}
	for _, e := range c.G().Runs[run] {
		if of++; len(e.Reasons) == 0 {
			n++
		}
	}
	return n, of
}

// Title says how many queries passed.
func (c *Golden) Title() string {
	if len(c.G().Runs) == 0 {
		return "Golden set"
	}
	var parts []string
	for i := range c.R().Systems {
		n, _ := c.passed(i)
		parts = append(parts, c.R().Letter(i)+" "+strconv.Itoa(n))
	}
	_, of := c.passed(0)
	if of == 0 {
		return "Golden set: no query has expectations"
	}
	return "Golden set: " + say.Few(parts, 6) + " of " + say.Count(of, "query passes", "queries pass")
}

// Lead says what is expected.
func (c *Golden) Lead() string {
	g := c.G()
	need := map[string]string{"any": "one expected document", "all": "every expected document",
		"measured": "what else is expected of it"}[g.Require]
	first := "the first " + say.Count(g.Within, "result", "results")
	return say.Visible(g.File) + ", read as " + g.Shape + ". A query passes if " + need + " is among " + first + "."
}

// Notes say how small a change the set can detect, and where the results come from.
func (c *Golden) Notes() (out []string) {
	for _, n := range slices.Concat(c.G().Power, c.G().Notes) {
		out = append(out, say.Visible(n))
	}
	return out
}

// AuditTitle heads the audit.
func (c *Golden) AuditTitle() string {
	found := "nothing doubtful was found"
	if n := len(c.G().Audit); n > 0 {
		found = say.Count(n, "finding", "findings")
	}
	return "Audit of the golden set: " + found
}

// fails reports whether a query fails in some run.
func (c *Golden) fails(query string) bool {
	for i := range c.G().Runs {
		if e := c.of(i, query); e != nil && len(e.Reasons) > 0 {
			return true
		}
	}
	return false
}

// all are the queries of the table: those that failed, the one that is edited, and the others where they are shown.
func (c *Golden) all() (out []message.GoldenQuery) {
	for _, q := range c.G().Queries {
		if c.Compare.Golden.Passed || len(c.G().Runs) == 0 || q.ID == c.Compare.Golden.Query || c.fails(q.ID) {
			out = append(out, q)
		}
	}
	return out
}

// Rows are those of the page of the table.
func (c *Golden) Rows() []message.GoldenQuery {
	all := c.all()
	from := min(c.Page()*screen.GoldenShown, len(all))
	return all[from:min(from+screen.GoldenShown, len(all))]
}

// Pages is how many pages the table has.
func (c *Golden) Pages() int { return max(1, (len(c.all())+screen.GoldenShown-1)/screen.GoldenShown) }

// Page is the page that is shown.
func (c *Golden) Page() int { return min(c.Compare.Golden.Page, c.Pages()-1) }

// Name is a query as the table shows it.
func (c *Golden) Name(q message.GoldenQuery) string {
	if q.Text == "" || q.Text == q.ID {
		return ui.Brief(q.ID)
	}
	return ui.Brief(q.ID) + " · " + say.Visible(say.Brief(q.Text, 120))
}

// Rest is what a query expects beside documents.
func (c *Golden) Rest(q message.GoldenQuery) string {
	var parts []string
	if len(q.Forbidden) > 0 {
		parts = append(parts, "not "+say.Few(q.Forbidden, 4))
	}
	if len(q.Concepts) > 0 {
		parts = append(parts, "the words "+say.Few(q.Concepts, 4))
	}
	return say.Visible(strings.Join(parts, "; "))
}

// Editing says whether the expectations of a query are edited.
func (c *Golden) Editing(q message.GoldenQuery) bool { return q.ID == c.Compare.Golden.Query }

// Expanded says it for the screen reader.
func (c *Golden) Expanded(q message.GoldenQuery) string { return strconv.FormatBool(c.Editing(q)) }

// EditLabel is that of the button.
func (c *Golden) EditLabel(q message.GoldenQuery) string {
	if c.Editing(q) {
		return "Close"
	}
	return "Edit"
}

// Verdict is what became of a query in a run.
func (c *Golden) Verdict(run int, q message.GoldenQuery) string {
	e := c.of(run, q.ID)
	switch {
	case e == nil:
		return "–"
	case len(e.Reasons) == 0:
		return "passed"
	}
	text := strings.Join(e.Reasons, "; ")
	if len(e.Instead) > 0 {
		text += ". Found instead: " + say.Few(e.Instead, 3)
	}
	return say.Visible(text)
}

// Class marks a failure.
func (c *Golden) Class(run int, q message.GoldenQuery) string {
	if e := c.of(run, q.ID); e != nil && len(e.Reasons) > 0 {
		return "small differs"
	}
	return "small muted"
}

// Pressed says whether the queries that passed are shown.
func (c *Golden) Pressed() string { return strconv.FormatBool(c.Compare.Golden.Passed) }

// PassedLabel is that of the button.
func (c *Golden) PassedLabel() string {
	if c.Compare.Golden.Passed {
		return "Hide what passed"
	}
	return "Show all " + say.Count(len(c.G().Queries), "query", "queries")
}

// SaveLabel names the button that saves the set.
func (c *Golden) SaveLabel() string {
	if n := len(c.Compare.Runs.Setting.Edits); n > 0 {
		return "Save the golden set with " + say.Count(n, "edit", "edits")
	}
	return "Save the golden set"
}

// Caption sums up.
func (c *Golden) Caption() string {
	if len(c.all()) == 0 {
		return "Every query passes in every run."
	}
	return "Saved as YAML for rankbox check: comments of the file are not kept. Undo takes an edit back."
}

// TypeDoc takes the id as it is typed.
func (c *Golden) TypeDoc(event vugu.DOMEvent) {
	c.Compare.Golden.Doc = strings.ToValidUTF8(event.PropString("target", "value"), "\ufffd")
}

// TypeGrade takes the grade as it is typed.
func (c *Golden) TypeGrade(event vugu.DOMEvent) {
	c.Compare.Golden.Grade = event.PropString("target", "value")
}

// Add adds the document that was typed.
func (c *Golden) Add(event vugu.DOMEvent, query string) {
	event.PreventDefault()
	grade, err := strconv.ParseFloat(strings.TrimSpace(c.Compare.Golden.Grade), 64)
	if err != nil {
		grade = -2 // said as one out of range
	}
	c.Compare.Golden.Expect(query, c.Compare.Golden.Doc, grade)
}
