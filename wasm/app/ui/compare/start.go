package compare

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Start offers what can be compared without files: systems of the open collection.
type Start struct {
	Compare *screen.Compare
}

// Title names the collection.
func (c *Start) Title() string {
	if o := c.Compare.App.Engine.Opened; o != nil {
		return "Systems on " + say.Visible(o.Ref.Name)
	}
	return "Systems on the open collection"
}

// Ready says whether the collection is open.
func (c *Start) Ready() bool {
	return c.Compare.App.Engine.Phase == state.Ready && !c.Compare.Runs.Comparing()
}

// Preset is a ready-made approach.
type Preset struct{ Name, Title, Doc string }

// Presets are the approaches.
func (c *Start) Presets() []Preset {
	var out []Preset
	for _, name := range screen.Presets {
		if p := stage.PresetNamed(name); p != nil {
			out = append(out, Preset{name, strings.ToUpper(name[:1]) + name[1:], p.Doc})
		}
	}
	return out
}

// Vary goes to the screen on which settings are listed.
func (c *Start) Vary(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.Compare.App.Go(share.Screen("experiment"))
	}
}
