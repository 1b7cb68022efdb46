// Package home is the finished comparison that the page opens on.
package home

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
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
	if c.App.Report == nil {
		if c.App.Phase == state.Failed {
			return "The comparison could not be made."
		}
		return "Comparing search systems …"
	}
	return c.App.Report.Sentence(say.Page)
}

// Note says how sure that is.
func (c *Home) Note() string { return c.App.Report.Note(say.Page) }

// What says, for whoever has never heard of either, what the collection and the measure are.
func (c *Home) What() string {
	r := c.App.Report
	if r == nil || len(r.Measures) == 0 {
		return ""
	}
	s := ""
	if r.Collection.Name == "Harbour Wire" {
		s = "Harbour Wire is a small archive of news, invented for this page. "
	}
	if m, err := measure.Parse(r.Measures[0]); err == nil {
		s += m.String() + " says how well a system ranks: " + strings.ToLower(m.Info().Brief[:1]) + m.Info().Brief[1:] + " "
	}
	return s + "Each system has a letter and a colour, the same in every table and figure."
}

// Why says why the test is the one that counts.
func (c *Home) Why() string { return c.App.Report.Test.Why(say.Page) }

// Warnings are what is doubtful about its data.
func (c *Home) Warnings() []string { return c.App.Report.Test.Doubts(say.Page) }

// Warned says whether the test has something to warn of.
func (c *Home) Warned() bool { return c.App.Report != nil && len(c.Warnings()) > 0 }

// Engine says how far the search engine is.
func (c *Home) Engine() string {
	switch c.App.Phase {
	case state.Ready:
		return ""
	case state.Failed:
		return "The search engine is not running."
	}
	if p := c.App.Progress; p.Total > 0 {
		return "The " + p.What + " is loading: " + ui.Arrived(p) + "."
	}
	return "The search engine is loading."
}

// Examples are a few judged queries, one a type.
func (c *Home) Examples() []report.Query { return ui.Examples(c.App) }

// Link is the address of a judged query.
func (c *Home) Link(id string) string { return ui.QueryLink(c.App, id) }

// Open opens a judged query.
func (c *Home) Open(event vugu.DOMEvent, id string) {
	if ui.PlainClick(event) {
		c.App.Pick(id)
	}
}

// ToSearch goes to Search.
func (c *Home) ToSearch(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Go(share.Search)
	}
}

// ToCompare goes to Compare.
func (c *Home) ToCompare(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Go(share.Compare)
	}
}

func (c *Home) first() string {
	if c.App.Report != nil && len(c.App.Report.Queries) > 0 {
		return c.App.Report.Queries[0].ID
	}
	return ""
}

// FirstLink is the address of the first judged query.
func (c *Home) FirstLink() string { return c.Link(c.first()) }

// First opens the first judged query.
func (c *Home) First(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Pick(c.first())
	}
}
