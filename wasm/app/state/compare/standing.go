package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Where nothing was opened, the board shows the systems that are open in Search. Their report is the page's, which is
// there before any program: the worker is asked for the rest once a visitor looks further than the board.

// Stand puts the page's own report onto an empty board. It may be called whenever the screen is drawn.
func (c *Compare) Stand() {
	a := c.App
	switch {
	case c.standing == nil && !c.Empty() || c.linked || a.View.Embedded: // something was opened
		return
	case c.standing != nil && a.Engine.Opened != nil && a.Engine.Opened.Ref.Hash != c.standing.Collection.Hash:
		c.standing, c.Setting, c.Done, c.View = nil, message.Setting{}, nil, packed.View{}
		c.forget()
	case c.unfilled && a.Engine.Phase != state.Loading:
		c.unfilled = false
		c.wake()
		return
	}
	r := a.Figures.Report
	if r == nil || r == c.standing || a.Figures.Stale() || len(r.Columns) == 0 || len(r.Queries) == 0 {
		return
	}
	c.standing, c.awake = r, false
	c.Setting = ofReport(r)
	d := &message.Compared{Report: r, Measures: r.Measures, Baseline: r.Baseline}
	for i := range r.Systems {
		d.Origins = append(d.Origins, message.Origin{Run: i})
	}
	tab := c.Tab
	c.Done, c.settled = d, cloneSetting(c.Setting)
	c.forget()
	c.Draft, c.DraftErr = strings.Join(r.Measures, " "), ""
	c.View = c.valid(packed.View{})
	if tab != "" {
		c.Tab = tab
	}
	if c.wanted != "" {
		c.Tab, c.wanted = c.wanted, ""
	}
	c.unfilled = c.Tab != TabBoard
}

// Standing says whether the board shows the page's own report.
func (c *Compare) Standing() bool { return c.standing != nil }

// ofReport is the comparison of the systems of a report, under the names that they have there.
func ofReport(r *report.Report) message.Setting {
	s := message.Setting{Baseline: r.Baseline, Matrix: message.Matrix{Measures: r.Measures}}
	for i, x := range r.Systems {
		s.Matrix.Systems = append(s.Matrix.Systems, x.Notation)
		s.Names = append(s.Names, message.Name{Origin: message.Origin{Run: i}, Name: x.Label})
	}
	s.Matrix.Baseline = s.Matrix.Systems[r.Baseline]
	return s
}

// wake has the worker make the comparison that stands on the board, for what only the worker can tell.
func (c *Compare) wake() {
	if c.standing != nil && !c.awake {
		c.awake = true
		c.sendRuns()
	}
}
