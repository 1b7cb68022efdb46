package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Where nothing was opened, the board shows the systems that are open in Search. Their report is the page's, which is
// there before any program: the worker is asked for the rest once a visitor looks further than the board.

// Stand puts the page's own report onto an empty board. It may be called whenever the screen is drawn.
func (c *Compare) Stand() {
	a := c.App
	switch {
	case c.Runs.standing == nil && !c.Runs.Empty() || c.Runs.linked || a.View.Embedded: // something was opened
		return
	case c.Runs.standing != nil && a.Engine.Opened != nil &&
		a.Engine.Opened.Ref.Hash != c.Runs.standing.Collection.Hash:
		c.Runs.standing, c.Runs.Setting, c.Runs.Done, c.View.View = nil, message.Setting{}, nil, packed.View{}
		c.forget()
	case c.Runs.unfilled && a.Engine.Phase != state.Loading:
		c.Runs.unfilled = false
		c.Runs.wake()
		return
	}
	r := a.Figures.Report
	if r == nil || r == c.Runs.standing || a.Figures.Stale() || len(r.Columns) == 0 || len(r.Queries) == 0 {
		return
	}
	c.Runs.standing, c.Runs.awake = r, false
	c.Runs.Setting = ofReport(r)
	d := &message.Compared{Report: r, Measures: r.Measures, Baseline: r.Baseline}
	for i := range r.Systems {
		d.Origins = append(d.Origins, message.Origin{Run: i})
	}
	tab := c.View.Tab
	c.Runs.Done, c.Runs.settled = d, cloneSetting(c.Runs.Setting)
	c.forget()
	c.Measures.Typed, c.Measures.Fault = strings.Join(r.Measures, " "), ""
	c.View.View = c.View.valid(packed.View{})
	if tab != "" {
		c.View.Tab = tab
	}
	if c.View.wanted != "" {
		c.View.Tab, c.View.wanted = c.View.wanted, ""
	}
	c.Runs.unfilled = c.View.Tab != TabBoard
}
