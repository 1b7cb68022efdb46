package ui

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Box is the search box.
type Box struct {
	App *state.App
}

// Placeholder is a query to try: of the demo one that has no judgments, of another collection a judged one.
func (c *Box) Placeholder() string {
	if c.App.Settings.Collection() == state.DefaultCollection {
		return "dockers walk out over pay"
	}
	if all := Examples(c.App); len(all) > 0 {
		return all[len(all)-1].Text
	}
	return ""
}

// Input takes what was typed.
func (c *Box) Input(event vugu.DOMEvent) { c.App.Search.Type(event.PropString("target", "value")) }

// Key opens Search with the query on Enter.
func (c *Box) Key(event vugu.DOMEvent) {
	if event.PropString("key") == "Enter" && c.App.Settings.HasQuery() {
		event.PreventDefault()
		c.App.Go(share.Search)
	}
}
