package ui

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Box is the search box.
type Box struct {
	App *state.App
}

// Placeholder is a query to try.
func (c *Box) Placeholder() string { return "dockers walk out over pay" }

// Input takes what was typed.
func (c *Box) Input(event vugu.DOMEvent) { c.App.Search.Type(event.PropString("target", "value")) }

// Key opens Search with the query on Enter.
func (c *Box) Key(event vugu.DOMEvent) {
	if event.PropString("key") == "Enter" && c.App.Settings.HasQuery() {
		event.PreventDefault()
		c.App.Go(share.Search)
	}
}
