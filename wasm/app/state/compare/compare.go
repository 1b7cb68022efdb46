// Package compare is the Compare screen without its looks: what was given to it, how it is compared, what came out, and what of it is
// looked at. Files are read and compared by the worker; what goes there is the whole Setting each time.
//
// Order of the pipeline: a method changes the Setting or the View → the step before goes onto the page's undo list → the worker is asked
// → its answers are kept, and what they make of interest is asked next.
package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Compare is the Compare screen: what was given to it, how it is compared, what came out, and what of it is looked at. Its Setting and
// its View are undone and redone.
type Compare struct {
	state.Plain
	App *state.App

	Runs Runs
	View View

	Why      map[string]*compare.Explanation // a query of the page of the table
	Detail   *message.Detail
	Opinions []compare.Opinion
	Said     string         // measure of the opinions
	sizes    []int          // of the file and the page of a report, see message.Sizes
	sized    *report.Report // whose sizes they are
	Further  *report.Tests  // the paired tests on the measure that is looked at, where it is not the first; nil until they are there

	PairTests *message.PairTests // every test of the pair that is looked at, nil until they are there
	Agreed    *message.Agreed    // how alike the rankings are, of as many queries as were compared

	Analysed *message.Analysed // what matters and whether it is luck, as far as somebody looks; nil until it is there
	Looking  []string          // the parts of it that are looked at
	Claimed  Claimed           // the figure as typed, before it is looked into
	Changed  bool              // the queries that a tool values otherwise are listed

	PairsBy   string // what the table of pairs is sorted by; "" as they come
	PairsDown bool
	PairsPage int // of that table, from 0

	BoardBy   string // what the board is sorted by: a measure, "run" or "difference"; "" for the first measure
	BoardDown bool   // worst first
	boardOf   string // the measure whose interval, difference and groups it shows; "" for the first

	titles map[string]string // of documents, as far as the worker has told them

	Draft    string // measures as typed
	DraftErr string
	Pasted   string
	Pasting  bool   // text was pasted: the field for more is open
	Naming   int    // the run whose name is being typed, counted from 1; 0 for none
	NewName  string // as typed

	Golden Golden // what is looked at of a golden set

	copying bool   // the link is copied once that is there
	asked   string // the Compared.Link that somebody asked for: the address may hold it
	deaths  int
	owed    *message.AskExport // the file that a worker was making when it ended
	retried message.Wanted     // the What of the last one that was asked for again
}

// New is the screen as it begins.
func New(a *state.App) *Compare {
	c := &Compare{App: a}
	c.Runs = Runs{app: a, emptied: c.clear}
	c.View = View{app: a, runs: &c.Runs, changed: c.viewChanged}
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
	c.Naming = 0
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

// Died goes back to the last good comparison where files ended two workers, and remembers the file that was being made.
func (c *Compare) Died(reason string) {
	c.Runs.Progress = nil
	c.interrupted(reason)
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
	was := c.App.Present()
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
	c.App.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Runs.Setting) })
	c.App.Keep(was, "")
	c.App.Problem = p
	if c.Runs.here() {
		c.App.WriteAddress(false)
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

// clear forgets what was looked at, and what was said of it.
func (c *Compare) clear() {
	c.View.View, c.View.viewed = packed.View{}, ""
	c.forget()
}

// forget forgets what was said of the last report.
func (c *Compare) forget() {
	c.Why, c.Detail, c.Opinions, c.Said, c.Further, c.Naming = nil, nil, nil, "", nil, 0
	c.PairTests, c.Agreed, c.Analysed, c.titles = nil, nil, nil, nil
}
