package compare

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Add is the panel in which runs are added: files, and systems of the open collection. It is open while there is no
// board, and stands below one that nobody asked for.
type Add struct {
	Compare *screen.Compare
}

// Hidden hides it. The field for files stays on the page.
func (c *Add) Hidden() interface{} {
	if c.Compare.Runs.Report() == nil || c.Compare.Runs.Adding || c.Compare.Runs.Standing() {
		return nil
	}
	return "hidden"
}

// Title heads the panel.
func (c *Add) Title() string {
	switch {
	case c.Compare.Runs.Standing():
		return "Compare your runs"
	case c.Compare.Runs.Report() == nil:
		return "Your files"
	}
	return "Add runs"
}

// Pasting opens the field for text: where text was pasted before, and where a number is checked, for which a list of
// grades is enough.
func (c *Add) Pasting() interface{} {
	if c.Compare.Input.Pasting || c.Compare.Runs.Standing() && c.Compare.View.Tab == screen.TabCheck {
		return ""
	}
	return nil
}

// Live says whether the page can take files.
func (c *Add) Live() bool { return c.Compare.App.Engine.Phase != state.Loading }

// CanExample says whether the collection of the example is open.
func (c *Add) CanExample() bool {
	return c.Compare.App.Engine.Phase == state.Ready && !c.Compare.Runs.Comparing()
}

// Note says what can be dropped, and that it stays on the device.
func (c *Add) Note() string {
	limit, together := say.Bytes(int64(c.Compare.Runs.Limit())), say.Bytes(int64(c.Compare.Runs.Together()))
	return "Or drop them anywhere: runs and qrels of TREC, BEIR, JSON or CSV, gzipped or zipped, tables of scores, " +
		"traces of agents, golden sets, saved comparisons. Up to " + strconv.Itoa(screen.MaxFiles) + " files of " +
		limit +
		" each, " + together + " in all. Nothing is uploaded."
}

// Pasted takes the text of the field.
func (c *Add) Pasted(event vugu.DOMEvent) {
	c.Compare.Input.Type(event.PropString("target", "value"))
}

// Read reads what was pasted.
func (c *Add) Read() { c.Compare.Input.Paste(c.Compare.Input.Pasted) }
