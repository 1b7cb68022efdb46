package home

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Quick is the answer to a query on the home page: the first three documents of every system.
type Quick struct {
	App *state.App
}

// Busy says whether the answer is on its way.
func (c *Quick) Busy() interface{} {
	if c.App.Results == nil {
		return "true"
	}
	return nil
}

// Waiting says why there is no answer yet.
func (c *Quick) Waiting() string {
	if c.App.Phase == state.Ready {
		return "Searching …"
	}
	return "Your query is kept and will be answered as soon as the search engine is ready."
}

// Top is the first three hits.
func (c *Quick) Top(hits []experiment.Found) []experiment.Found { return hits[:min(3, len(hits))] }

// Meta is date and category.
func (c *Quick) Meta(h experiment.Found) string { return ui.Meta(h.Date, h.Category) }

// Link is the address of the same query in Search.
func (c *Quick) Link() string {
	return ui.Address(c.App, func(s *share.Address) { s.Screen = share.Search })
}

// Open goes there.
func (c *Quick) Open(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.App.Go(share.Search)
	}
}
