// Package compare is the Compare screen without its looks: what was given to it, how it is compared, what came out, and
// what of it is looked at. Files are read and compared by the worker; what goes there is the whole Setting each time.
//
// Order of the pipeline: Runs changes the Setting, or View what is looked at → the step before goes onto the page's
// undo list → the worker is asked → its answers go to Runs, Reasons, Statistics and Analyses, and what they make of
// interest is asked next.
package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Compare is the Compare screen: its stores, and what takes several of them. The Setting of Runs and the packed.View
// are undone and redone.
type Compare struct {
	App *state.App

	Runs       Runs
	View       View
	Input      Input
	Reasons    Reasons
	Statistics Statistics
	Analyses   Analyses
	Claim      Claim
	Board      Board
	Pairs      Pairs
	Measures   Measures
	Naming     Naming
	Golden     Golden
	Exports    Exports
	Links      Links

	deaths int // how many workers ended over the comparison that is waited for
}

// New is the screen as it begins.
func New(a *state.App) *Compare {
	c := &Compare{App: a}
	runs, view := &c.Runs, &c.View
	c.Runs = Runs{app: a, emptied: c.clear}
	c.View = View{app: a, runs: runs, changed: c.viewChanged}
	c.Input = Input{app: a, runs: runs, view: view}
	c.Reasons = Reasons{app: a, runs: runs, view: view}
	c.Statistics = Statistics{app: a, runs: runs, view: view}
	c.Analyses = Analyses{app: a, runs: runs, view: view}
	c.Claim = Claim{app: a, runs: runs, view: view}
	c.Board = Board{app: a, runs: runs}
	c.Pairs = Pairs{app: a}
	c.Measures = Measures{app: a, runs: runs}
	c.Naming = Naming{app: a, runs: runs}
	c.Golden = Golden{app: a, runs: runs}
	c.Exports = Exports{app: a, runs: runs, view: view}
	c.Links = Links{app: a, runs: runs, view: view}
	return c
}

// ID is the name of the screen.
func (c *Compare) ID() share.Screen { return share.Compare }

// saved is what undo goes back to.
type saved struct {
	setting message.Setting
	view    packed.View
}

// Save returns what is compared and looked at.
func (c *Compare) Save() any { return saved{cloneSetting(c.Runs.Setting), c.View.View} }

// Restore puts it back.
func (c *Compare) Restore(x any) {
	s := x.(saved)
	c.Naming.Run = 0
	if !sameSetting(s.setting, c.Runs.Setting) {
		c.Runs.Setting, c.Runs.standing = cloneSetting(s.setting), nil
		c.View.arriving = &s.view
		c.Runs.run()
		return
	}
	switch {
	case c.Runs.Report() == nil:
		c.View.arriving = &s.view
	case s.view != c.View.View:
		to := c.View.valid(s.view)
		c.View.look(leafing, func(x *packed.View) { *x = to })
	}
}

// Died goes back to the last good comparison if files ended two workers, and remembers the file that was being made.
func (c *Compare) Died(reason string) {
	c.Runs.Progress = nil
	c.Exports.interrupted(reason)
	if !c.Runs.Comparing() {
		return
	}
	if c.deaths++; c.deaths > 1 {
		c.deaths = 0
		c.back(&message.Problem{What: "The comparison stopped twice (" + reason + ") and is not tried a third time.",
			Do: "Cut the runs to fewer documents a query, or use `rankbox compare` on the command line."})
	}
}

// back takes what was compared last and went well, and names what was added since; undo leads to what was tried.
func (c *Compare) back(p *message.Problem) {
	var added []message.File
	for _, f := range c.Runs.Setting.Files {
		if !slices.Contains(c.Runs.settled.Files, f) {
			added = append(added, f)
		}
	}
	p.Where = "the comparison of your runs"
	if len(added) > 0 {
		p.Where = message.Few(added)
	}
	was := c.App.History.Present()
	v := c.View.View
	c.Runs.Setting = cloneSetting(c.Runs.settled) // empty where nothing was compared before
	switch {
	case c.Runs.Report() != nil:
		p.Do = "The previous comparison is back. Undo tries the change again. " + p.Do
		c.View.arriving = &v
	default:
		c.Runs.Done = nil
		p.Do += " Undo tries the same files again."
	}
	c.App.History.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Runs.Setting) })
	c.App.History.Keep(was, "")
	c.App.Notices.Problem = p
	if c.Runs.here() {
		c.App.Location.Write(false)
	}
}

// Again asks a new worker for the comparison.
func (c *Compare) Again() {
	if !c.Runs.Empty() && (c.Runs.standing == nil || c.Runs.awake) {
		c.Runs.send()
	}
}

// TakesFiles says that files that are given to the page are for this screen.
func (c *Compare) TakesFiles() bool { return true }

// clear forgets the view and all answers about it.
func (c *Compare) clear() {
	c.View.View, c.View.viewed = packed.View{}, ""
	c.forget()
}

// forget drops the answers about the last report.
func (c *Compare) forget() {
	c.Reasons.forget()
	c.Statistics.forget()
	c.Analyses.Done, c.Naming.Run = nil, 0
}

// ReadPath takes the path that was opened: /check opens the tab that checks numbers.
func (c *Compare) ReadPath(path string) {
	if strings.HasPrefix(path, "/check") {
		c.View.wanted = TabCheck
	}
}
