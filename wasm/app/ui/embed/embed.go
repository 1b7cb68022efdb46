// Package embed is what a frame shows whose address holds nothing to show, and until that is there. What it does show
// are parts of the screens that are named there.
package embed

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) { return nil, &Embed{App: a} }

// Embed is the screen.
type Embed struct{ App *state.App }

// Said is a sentence on what there is.
func (c *Embed) Said() string {
	if c.App.Engine.Phase == state.Loading {
		return "Loading …"
	}
	return "This page is for frames in other pages. To get the code of one, use Share, Embed code."
}
