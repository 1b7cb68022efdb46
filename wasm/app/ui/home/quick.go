package home

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Rows is how many documents of each list Home shows.
const Rows = 5

// Quick is the answer to a query on the home page: the first documents of two systems, side by side.
type Quick struct {
	App *state.App
}

// Pair is the two systems, one where there is no other.
func (c *Quick) Pair() []int {
	base, other := c.App.Settings.Pair()
	if base == other {
		return []int{base}
	}
	return []int{base, other}
}

func (c *Quick) list(i int) *experiment.List { return &c.App.Search.Results.Lists[i] }

// Class gives a list the colour of its system.
func (c *Quick) Class(i int) string { return "col " + ui.SystemClass(c.App.Settings.Place(i)) }

// Label names a system.
func (c *Quick) Label(i int) string { return say.Visible(c.list(i).Label) }

// How says in two words what a system goes by.
func (c *Quick) How(i int) string {
	if c.App.Settings.NeedsVectors(i) {
		return "matches meaning"
	}
	return "matches words"
}

// Measure is the one of the figures.
func (c *Quick) Measure() string { return c.App.Search.Results.Measures[0] }

// Scored says whether a list has a figure.
func (c *Quick) Scored(i int) bool {
	return c.App.Search.Results.Judged && c.list(i).Problem == "" && len(c.list(i).Scores) > 0
}

// Score is the figure.
func (c *Quick) Score(i int) string { return say.Page.Number(c.list(i).Scores[0], 3) }

func (c *Quick) change(i int) float64 {
	base := c.Pair()[0]
	if i == base || !c.Scored(base) {
		return 0
	}
	return c.list(i).Scores[0] - c.list(base).Scores[0]
}

// Change is how far it is from that of the first list, "" for that one.
func (c *Quick) Change(i int) string {
	if c.change(i) == 0 {
		return ""
	}
	return say.Page.Signed(c.change(i), 3)
}

// ChangeClass colours it.
func (c *Quick) ChangeClass(i int) string {
	switch d := c.change(i); {
	case d > 0:
		return "small up"
	case d < 0:
		return "small down"
	}
	return "small"
}

// Problem says why a system has no list, or how far what it waits for is.
func (c *Quick) Problem(i int) string {
	if s := c.App.Encoder.Says(i); s != "" {
		return s
	}
	return c.list(i).Problem
}

// Nothing says whether a system found nothing.
func (c *Quick) Nothing(i int) bool { return c.list(i).Problem == "" && len(c.list(i).Hits) == 0 }

// Top is its first hits.
func (c *Quick) Top(i int) []experiment.Found {
	hits := c.list(i).Hits
	return hits[:min(Rows, len(hits))]
}

// Meta is date and category of a document.
func (c *Quick) Meta(h experiment.Found) string { return ui.Meta(h.Date, h.Category) }

// rows are the middles of the rows, in the picture between the two lists.
var rows = [Rows]string{"23", "69", "115", "161", "207"}

// Moves is a line for each document that both lists show.
func (c *Quick) Moves() string {
	pair, path := c.Pair(), ""
	if len(pair) == 2 {
		for i, h := range c.Top(pair[0]) {
			if j := h.Ranks[pair[1]] - 1; j >= 0 && j < Rows {
				path += "M6 " + rows[i] + "C42 " + rows[i] + " 42 " + rows[j] + " 78 " + rows[j]
			}
		}
	}
	return path
}

// Differ says in a line why the two lists differ, as far as the build found out: of the example.
func (c *Quick) Differ() string {
	if c.App.Search.Excerpt && c.Busy() == nil {
		return c.App.Search.Differ
	}
	return ""
}

// Busy says whether the answer is on its way.
func (c *Quick) Busy() interface{} {
	if _, awaited := c.App.Engine.Asked(message.Search); awaited || c.App.Search.Results == nil {
		return "true"
	}
	return nil
}

// Waiting says why there is no answer yet.
func (c *Quick) Waiting() string {
	if c.App.Engine.Phase == state.Ready {
		return "Searching …"
	}
	return "Your query is kept. It will be answered as soon as the search engine is ready."
}

// Link is the address of a document's explanation in Search.
func (c *Quick) Link(document string, system int) string {
	return ui.Address(c.App, func(s *share.Address) {
		s.Screen, s.Focus = share.Search, experiment.Focus{Document: document, System: system}
	})
}

// Open goes there.
func (c *Quick) Open(event vugu.DOMEvent, document string, system int) {
	if ui.PlainClick(event) {
		c.App.Search.Visit(experiment.Focus{Document: document, System: system})
	}
}

// All is the address of the same query in Search.
func (c *Quick) All() string {
	return ui.Address(c.App, func(s *share.Address) { s.Screen = share.Search })
}

// OpenAll goes there.
func (c *Quick) OpenAll(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Go(share.Search)
	}
}
