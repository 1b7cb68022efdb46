// Package home is the finished comparison that the page opens on.
package home

import (
	"time"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) { return nil, &Home{App: a} }

// Home is the finished comparison.
type Home struct {
	App *state.App
}

// Finding is the sentence at the top.
func (c *Home) Finding() string {
	if c.App.Figures.Report == nil {
		if c.App.Engine.Phase == state.Failed {
			return "The comparison could not be made."
		}
		return "Comparing search systems …"
	}
	return c.App.Figures.Report.Sentence(say.Page)
}

// Note says how sure that is.
func (c *Home) Note() string { return c.App.Figures.Report.Note(say.Page) }

// Why says why the test is the one that counts.
func (c *Home) Why() string { return c.App.Figures.Report.Test.Why(say.Page) }

// Warnings are what is doubtful about its data.
func (c *Home) Warnings() []string {
	return c.App.Figures.Report.TestDoubts(c.App.Figures.Report.Tests(), say.Page)
}

// Warned says whether the test has something to warn of.
func (c *Home) Warned() bool { return c.App.Figures.Report != nil && len(c.Warnings()) > 0 }

// Engine says how far the search engine is.
func (c *Home) Engine() string {
	switch c.App.Engine.Phase {
	case state.Ready:
		return ""
	case state.Failed:
		return "The search engine is not running."
	}
	if p := c.App.Engine.Progress; p.Total > 0 {
		return "The " + p.What + " is loading: " + ui.Arrived(p) + "."
	}
	return "The search engine is loading."
}

// Project is the collection of one's own that was opened last, nil for none.
func (c *Home) Project() *state.Project { return c.App.LastProject() }

// Continue is the address at which it is opened on a screen.
func (c *Home) Continue(screen share.Screen) string {
	return ui.Address(c.App, func(at *share.Address) {
		*at = share.Address{Screen: screen, Spec: experiment.Spec{Collection: c.Project().ID}}
	})
}

// Made says what was made in it, and when.
func (c *Home) Made() string { return made(c.Project(), time.Now().UnixMilli(), c.App.Browser.Day) }

// made has the browser write dates: package time's formats are 65 kB of a program.
func made(p *state.Project, now int64, day func(ms int64) string) string {
	if p.Grades+p.Queries == 0 {
		return "No query of yours yet."
	}
	edited := day(p.Edited)
	when := "on " + edited
	switch edited {
	case day(now):
		when = "today"
	case day(now - 24*time.Hour.Milliseconds()):
		when = "yesterday"
	}
	return say.Count(p.Grades, "grade", "grades") + ", " + say.Count(p.Queries, "query", "queries") +
		" of yours, last changed " + when + "."
}

// Examples are a few judged queries, one a type.
func (c *Home) Examples() []report.Query { return ui.Examples(c.App) }

// Link is the address of a judged query.
func (c *Home) Link(id string) string { return ui.QueryLink(c.App, id) }

// Open opens a judged query.
func (c *Home) Open(event vugu.DOMEvent, id string) {
	if ui.PlainClick(event) {
		c.App.Search.Pick(id)
	}
}

// Measure is the one that systems are compared by.
func (c *Home) Measure() string {
	if c.App.Figures.Report != nil && len(c.App.Figures.Report.Measures) > 0 {
		return c.App.Figures.Report.Measures[0]
	}
	return "nDCG"
}

// doors are the ways on: for whoever brings runs, brings documents, teaches.
var doors = []struct {
	screen      share.Screen
	name, about string
}{
	{share.Compare, "Compare my runs",
		"Drop qrels and TREC runs. Get the table, the tests and the queries that changed."},
	{"upload", "Search and judge my documents",
		"Add a folder, search it, grade the results, measure. It stays on this device."},
	{"learn", "Teach with it", "Short lessons with movable figures, from precision to significance."},
}

// To goes through one.
func (c *Home) To(event vugu.DOMEvent, screen share.Screen) {
	if ui.PlainClick(event) {
		c.App.Go(screen)
	}
}
