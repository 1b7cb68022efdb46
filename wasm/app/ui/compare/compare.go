// Package compare is the screen for the runs that somebody brings.
package compare

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Compare{Compare: s}
}

// part is what the large components are made of, which show no progress: they are built again only where something else has changed.
type part struct {
	Compare *screen.Compare
	dom.Kept
}

// Shown is the moment that a component shows.
func (p *part) Shown() any { return ui.Moment{App: p.Compare.App, Changes: p.Compare.App.Changes} }

// Compare is the screen for the runs that somebody brings.
type Compare struct {
	Compare *screen.Compare
}

// Report is the report on the screen.
func (c *Compare) Report() *report.Report { return c.Compare.Report() }

// Framed says whether a part of the report is shown in a frame.
func (c *Compare) Framed() bool { return c.Compare.App.Embedded && c.Report() != nil }

// Busy says whether something is on its way.
func (c *Compare) Busy() string {
	if c.Compare.Comparing() {
		return "true"
	}
	return "false"
}

// Heading is the finding, or what the screen is for. What was lost since a snapshot comes before it.
func (c *Compare) Heading() string {
	r := c.Report()
	if r == nil {
		return "Compare your runs"
	}
	if s := export.Headline(c.Compare.Done.Regression, say.Page); s != "" {
		return say.Visible(s)
	}
	return say.Visible(r.Sentence(say.Page))
}

// Since is the finding where the headline is what was lost since a snapshot.
func (c *Compare) Since() string {
	if export.Headline(c.Compare.Done.Regression, say.Page) == "" {
		return ""
	}
	return say.Visible(c.Report().Sentence(say.Page))
}

// Held says whether the report is held against a snapshot, which is then what the reader came for.
func (c *Compare) Held() bool { return c.Compare.Done.Snapshot != "" }

// Note says how sure the finding is.
func (c *Compare) Note() string { return c.Report().Note(say.Page) }

// Lead says what to do first.
func (c *Compare) Lead() string {
	switch d := c.Compare.Done; {
	case c.Compare.Comparing():
		return "Reading and measuring …"
	case d != nil && d.Need == "qrels":
		return "The runs are read. What is missing are the judgments (qrels): without them nothing can be measured. Drop them on the page too."
	case d != nil && d.Need == "runs":
		return "The judgments are read. What is missing is at least one run; two or more are compared."
	case d != nil && d.Need != "" && !c.Compare.Empty(): // not after everything was cancelled or taken out
		return "Nothing of this can be compared yet: the reasons stand beside the files. Wanted are judgments (qrels) and one or more runs."
	}
	return "Drop qrels and up to 20 runs anywhere on this page. You get the measures that trec_eval prints, a paired test with correction, and every query explained document by document."
}

// Warnings are doubts about the runs, the judgments and the test. That much is unjudged is said once for all runs of which it is true.
func (c *Compare) Warnings() []string {
	r := c.Report()
	var out, open []string
	at := 0
	for _, w := range r.Warnings {
		if w.Kind == report.ManyUnjudged {
			if open == nil {
				at, out = len(out), append(out, r.Say(w, say.Page))
			}
			open = append(open, c.Report().Letter(w.System)+" "+say.Page.Percent(w.Low, 1))
			continue
		}
		out = append(out, r.Say(w, say.Page))
	}
	if len(open) > 1 {
		out[at] = "of the first " + strconv.Itoa(report.Window) + " documents many are unjudged and count as not relevant: " + say.And(open) + "; what they leave open stands under Unjudged and ties"
	}
	return append(out, r.Test.Doubts(say.Page)...)
}

// DoubtsLabel counts them and begins with the first.
func (c *Compare) DoubtsLabel() string {
	w := c.Warnings()
	return say.Count(len(w), "doubt", "doubts") + ": " + say.Visible(w[0])
}

// Part is a part of the page that the contents name.
type Part struct{ ID, Title string }

// Parts are those that there are, from top to bottom.
func (c *Compare) Parts() []Part {
	several := len(c.Report().Systems) > 1
	var out []Part
	add := func(on bool, id, title string) {
		if on {
			out = append(out, Part{id, title})
		}
	}
	add(true, "read", "What was read")
	add(c.Held(), "since", "Since a snapshot")
	add(true, "board", "Leaderboard")
	add(several, "pairs", "Pair by pair")
	add(true, "queries", "Query by query")
	add(true, "rankings", "One query")
	add(several, "agreement", "Agreement")
	add(true, "kinds", "By kind of query")
	add(several, "matters", analysis.Matters)
	add(several, "slices", analysis.Slice)
	add(several, "luck", analysis.Luck)
	add(true, "conventions", "Conventions")
	add(true, "open", "Unjudged and ties")
	add(true, "figures", "Figures")
	add(!c.Held(), "since", "Since a snapshot")
	add(true, "exports", "Exports")
	return out
}

// Visit goes to one.
func (c *Compare) Visit(p Part) { c.Compare.App.FocusOn(p.ID + "-title") }

// Here says how much is compared.
func (c *Compare) Here() string {
	r := c.Report()
	if r == nil {
		return "no runs yet"
	}
	return say.Count(len(r.Systems), "run", "runs") + " · " + say.Count(len(r.Queries), "query", "queries")
}

// Hash is that of the report, where that is of what is set.
func (c *Compare) Hash() string {
	if r := c.Report(); r != nil && !c.Compare.Comparing() {
		return r.Hash
	}
	return ""
}

// Status says what is being done, "" where the page knows better.
func (c *Compare) Status() string {
	a := c.Compare.App
	switch p := c.Compare.Progress; {
	case c.Compare.Comparing() && p != nil && p.Total > 0 && a.Phase != state.Opening:
		return say.Visible(p.What) + " " + say.Page.Percent(float64(100*p.Done/p.Total)/100, 0)
	case c.Compare.Comparing():
		return "Comparing your runs …"
	case p != nil && p.Total > 0:
		return say.Visible(p.What) + " " + say.Page.Percent(float64(100*p.Done/p.Total)/100, 0)
	case p != nil:
		return say.Visible(p.What) + " …"
	case a.Phase == state.Ready || a.Phase == state.Failed && c.Report() != nil:
		return "Ready"
	}
	return ""
}

// Exporting says whether a file is being made that takes long.
func (c *Compare) Exporting() bool { return c.Compare.Exporting() && c.Compare.Progress != nil }

// Cancel lets that be.
func (c *Compare) Cancel() { c.Compare.CancelExport() }

// Find is the field that narrows the table of queries.
func (c *Compare) Find() string { return "find" }

// Step opens another query.
func (c *Compare) Step(by int) { c.Compare.StepQuery(by) }

// Escape closes the field for a name.
func (c *Compare) Escape() bool {
	if c.Compare.Naming == 0 {
		return false
	}
	c.Compare.LeaveName()
	return true
}
