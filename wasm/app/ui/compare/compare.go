// Package compare is the screen for imported runs.
package compare

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
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

// part is what the large components are made of, which show no progress: they are built again only where something else
// has changed.
type part struct {
	Compare *screen.Compare
	dom.Kept
}

// Shown is the moment that a component shows.
func (p *part) Shown() any { return ui.Moment{App: p.Compare.App, Changes: p.Compare.App.View.Changes} }

// Compare is the screen for imported runs.
type Compare struct {
	Compare *screen.Compare
}

// Report is the report on the screen.
func (c *Compare) Report() *report.Report {
	c.Compare.Stand()
	return c.Compare.Runs.Report()
}

// Framed says whether a part of the report is shown in a frame.
func (c *Compare) Framed() bool { return c.Compare.App.View.Embedded && c.Report() != nil }

// Busy says whether something is on its way.
func (c *Compare) Busy() string {
	if c.Compare.Runs.Comparing() {
		return "true"
	}
	return "false"
}

// Adding says for the screen reader whether the panel is open in which runs are added.
func (c *Compare) Adding() string { return strconv.FormatBool(c.Compare.Runs.Adding) }

// AddLabel names its button.
func (c *Compare) AddLabel() string {
	if c.Compare.Runs.Adding {
		return "Close"
	}
	return "Add runs"
}

// HasSource says whether something was opened whose source can be named.
func (c *Compare) HasSource() bool { return !c.Compare.Runs.Empty() && !c.Compare.Runs.Standing() }

// Heading is the finding, or what the screen is for. What was lost since a snapshot comes before it.
func (c *Compare) Heading() string {
	r := c.Report()
	if r == nil {
		return "Compare your runs"
	}
	if s := gates.Headline(c.Compare.Runs.Done.Regression, say.Page); s != "" {
		return say.Visible(s)
	}
	return say.Visible(r.Sentence(say.Page))
}

// Since is the finding where the headline is what was lost since a snapshot.
func (c *Compare) Since() string {
	if gates.Headline(c.Compare.Runs.Done.Regression, say.Page) == "" {
		return ""
	}
	return say.Visible(c.Report().Sentence(say.Page))
}

// Given says whether the report is of scores that were measured elsewhere.
func (c *Compare) Given() bool {
	_, given := c.Report().Given()
	return given
}

// CheckNone says why no number of given scores is checked.
func (c *Compare) CheckNone() string {
	return noRankings(c.Report()) + " To check a number, add the runs and the judgments."
}

// Traced says whether there are traces of agents.
func (c *Compare) Traced() bool {
	d := c.Compare.Runs.Done
	return d != nil && d.Report != nil && len(d.Traced) > 0
}

// Golden says whether a golden set is among the files.
func (c *Compare) Golden() bool {
	d := c.Compare.Runs.Done
	return d != nil && d.Report != nil && d.Golden != nil
}

// Held says whether the report is held against a snapshot, which is then what the reader came for.
func (c *Compare) Held() bool { return c.Compare.Runs.Done.Snapshot != "" }

// Note says how sure the finding is.
func (c *Compare) Note() string { return c.Report().Note(say.Page) }

// Lead says what to do next.
func (c *Compare) Lead() string {
	switch d := c.Compare.Runs.Done; {
	case c.Compare.Runs.Comparing():
		return "Reading and measuring …"
	case d != nil && d.Need == "qrels":
		return "The runs are read. Now add judgments (qrels): drop them on the page."
	case d != nil && d.Need == "qrels of traces":
		return "The traces are read. Now add the judgments (qrels) of their queries: drop them on the page."
	case d != nil && d.Need == "runs":
		return "The judgments are read. Now add a run, or several to compare them."
	case d != nil && d.Need != "" && !c.Compare.Runs.Empty(): // not after everything was cancelled or taken out
		return "None of these files can be compared yet. The reasons are beside them. Add judgments (qrels) and at " +
			"least one run."
	}
	return "Drop judgments (qrels) and up to 20 runs. You get trec_eval's measures, corrected paired tests, and " +
		"every query explained document by document. Tables of scores and traces of agents open here too."
}

// Several says whether there is more than one run.
func (c *Compare) Several() bool { return len(c.Report().Systems) > 1 }

// Hidden hides the panels of the other tabs.
func (c *Compare) Hidden(tab string) interface{} {
	if tab != openTab(c.Compare) {
		return "hidden"
	}
	return nil
}

// PanelRole makes a panel of the first part once there are tabs: before that it is where files are dropped.
func (c *Compare) PanelRole() interface{} {
	if c.Report() == nil {
		return nil
	}
	return "tabpanel"
}

// PanelLabel names that panel.
func (c *Compare) PanelLabel() interface{} {
	if c.Report() == nil {
		return nil
	}
	return "tab-board"
}

// Here says how much is compared.
func (c *Compare) Here() string {
	r := c.Report()
	if r == nil {
		return "no runs yet"
	}
	return say.Count(len(r.Systems), "run", "runs") + " · " + r.Count(len(r.Queries))
}

// Hash is that of the report, where that is of what is set. What only stands there has none: it is Home's report.
func (c *Compare) Hash() string {
	if r := c.Report(); r != nil && !c.Compare.Runs.Comparing() && !c.Compare.Runs.Standing() {
		return r.Hash
	}
	return ""
}

// Status says what is being done, "" where the page knows better.
func (c *Compare) Status() string {
	a := c.Compare.App
	switch p := c.Compare.Runs.Progress; {
	case c.Compare.Runs.Comparing() && p != nil && p.Total > 0 && a.Engine.Phase != state.Opening:
		return say.Visible(p.What) + " " + say.Page.Percent(float64(100*p.Done/p.Total)/100, 0)
	case c.Compare.Runs.Comparing():
		return "Comparing your runs …"
	case p != nil && p.Total > 0:
		return say.Visible(p.What) + " " + say.Page.Percent(float64(100*p.Done/p.Total)/100, 0)
	case p != nil:
		return say.Visible(p.What) + " …"
	case a.Engine.Phase == state.Ready || a.Engine.Phase == state.Failed && c.Report() != nil:
		return "Ready"
	}
	return ""
}

// Exporting says whether a file is being made that takes long.
func (c *Compare) Exporting() bool {
	return c.Compare.Exports.Exporting() && c.Compare.Runs.Progress != nil
}

// Cancel lets that be.
func (c *Compare) Cancel() { c.Compare.Exports.Cancel() }

// Find opens the queries and names the field that narrows their table.
func (c *Compare) Find() string {
	c.Compare.View.ShowTab(screen.TabQueries)
	return "find"
}

// Step opens another query.
func (c *Compare) Step(by int) { c.Compare.View.StepQuery(by) }

// Escape closes the field for a name, or the text of a warning.
func (c *Compare) Escape() bool {
	switch {
	case c.Compare.Naming.Run != 0:
		c.Compare.Naming.Leave()
	case c.Compare.View.Warning != "":
		c.Compare.View.ShowWarning("")
	default:
		return false
	}
	return true
}
