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
	App *state.App

	Setting  message.Setting
	Done     *message.Compared // the newest answer; it may be that of an earlier Setting, see Waiting
	Progress *message.Progress // of the answer that is waited for

	packed.View

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
	Warning   string // the warning whose text is open, "" for none

	titles map[string]string // of documents, as far as the worker has told them

	Lit string // the query that is lit wherever it is drawn, "" for none

	Draft    string // measures as typed
	DraftErr string
	Pasted   string
	Pasting  bool   // text was pasted: the field for more is open
	Naming   int    // the run whose name is being typed, counted from 1; 0 for none
	NewName  string // as typed

	Golden Golden // what is looked at of a golden set

	Adding bool // the panel is open in which runs are added to those on the board

	standing *report.Report  // the page's report, while the board shows that one; see Stand
	awake    bool            // the worker was asked for the comparison that stands
	unfilled bool            // it has to be, for the tab that is open
	copying  bool            // the link is copied once that is there
	settled  message.Setting // of Done
	wanted   string          // the tab that the address named, for the next report; "" for none
	arriving *packed.View    // to be looked at when the next report comes
	viewed   string          // what the View of the files was taken from
	linked   bool            // a link waits to be read
	asked    string          // the Compared.Link that somebody asked for: the address may hold it
	deaths   int
	owed     *message.AskExport // the file that a worker was making when it ended
	retried  message.Wanted     // the What of the last one that was asked for again
	rows     []int
	rowKey   rowKey
	begun    packed.View    // initial
	begunOf  *report.Report // the report that begun is of
}

// New is the screen as it begins.
func New(a *state.App) *Compare { return &Compare{App: a} }

// ID is the name of the screen.
func (c *Compare) ID() share.Screen { return share.Compare }

// saved is what undo goes back to.
type saved struct {
	setting message.Setting
	view    packed.View
}

// Save returns what is compared and looked at.
func (c *Compare) Save() any { return saved{cloneSetting(c.Setting), c.View} }

// Restore puts it back.
func (c *Compare) Restore(x any) {
	s := x.(saved)
	c.Naming = 0
	if !sameSetting(s.setting, c.Setting) {
		c.Setting, c.standing = cloneSetting(s.setting), nil
		c.arriving = &s.view
		c.runs()
		return
	}
	switch {
	case c.Report() == nil:
		c.arriving = &s.view
	case s.view != c.View:
		c.look(leafing, func(c *Compare) { c.View = c.valid(s.view) })
	}
}

// Died goes back to the last good comparison where files ended two workers, and remembers the file that was being made.
func (c *Compare) Died(reason string) {
	c.Progress = nil
	if c.Exporting() {
		r, _ := c.App.Engine.Asked(message.Export)
		ask := r.Question.(*message.AskExport)
		if c.owed = ask; c.retried == ask.What {
			c.owed, c.retried = nil, message.Wanted{}
			c.App.Notices.Problem = &message.Problem{What: "The file was not made: the engine stopped twice (" + reason + ").", Where: "the exports", Do: "The comparison is still here. It may need more memory than this device has. Use `rankbox compare` on the command line."}
		}
	}
	if !c.Comparing() {
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
	for _, f := range c.Setting.Files {
		if !slices.Contains(c.settled.Files, f) {
			added = append(added, f)
		}
	}
	p.Where = "the comparison of your runs"
	if len(added) > 0 {
		p.Where = message.Few(added)
	}
	was := c.App.History.Present()
	v := c.View
	c.Setting = cloneSetting(c.settled) // empty where nothing was compared before
	switch {
	case c.Report() != nil:
		p.Do = "The previous comparison is back. Undo tries the change again. " + p.Do
		c.arriving = &v
	default:
		c.Done = nil
		p.Do += " Undo tries the same files again."
	}
	c.App.History.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Setting) })
	c.App.History.Keep(was, "")
	c.App.Notices.Problem = p
	if c.here() {
		c.App.Location.Write(false)
	}
}

// Again asks a new worker for the comparison.
func (c *Compare) Again() {
	if !c.Empty() && (c.standing == nil || c.awake) {
		c.sendRuns()
	}
}

// TakesFiles says that files that are given to the page are for this screen.
func (c *Compare) TakesFiles() bool { return true }

// here says whether the screen is open.
func (c *Compare) here() bool { return c.App.Settings.Screen == share.Compare }

// Report is the report on the screen, nil where there is none.
func (c *Compare) Report() *report.Report {
	if c.Done == nil {
		return nil
	}
	return c.Done.Report
}

// Empty reports whether nothing was given yet.
func (c *Compare) Empty() bool {
	return len(c.Setting.Files) == 0 && c.Setting.Link == "" && !c.Setting.Here()
}

// Comparing reports whether an answer is waited for.
func (c *Compare) Comparing() bool {
	_, waiting := c.App.Engine.Asked(message.Runs)
	return waiting
}

func cloneSetting(s message.Setting) message.Setting {
	s.Files = slices.Clone(s.Files)
	s.Measures = slices.Clone(s.Measures)
	s.Names = slices.Clone(s.Names)
	s.Letters = slices.Clone(s.Letters)
	s.Edits = slices.Clone(s.Edits)
	return s
}

func sameSetting(a, b message.Setting) bool {
	return slices.Equal(a.Files, b.Files) && a.Link == b.Link && a.Example == b.Example && a.Matrix.Equal(&b.Matrix) &&
		slices.Equal(a.Chunkings, b.Chunkings) && a.Spans == b.Spans && a.Chosen == b.Chosen && slices.Equal(a.Measures, b.Measures) &&
		a.Policy == b.Policy && a.Baseline == b.Baseline && a.Separator == b.Separator && a.First == b.First && a.Relative == b.Relative && a.Absolute == b.Absolute &&
		a.Systems == b.Systems && a.Missing == b.Missing && slices.Equal(a.Search, b.Search) &&
		slices.Equal(a.Edits, b.Edits) &&
		slices.Equal(a.Names, b.Names) && slices.Equal(a.Letters, b.Letters)
}

// changeRuns applies f to the Setting as one step that can be undone, and compares again.
func (c *Compare) changeRuns(f func(*message.Setting)) {
	old, before := c.App.History.Present(), cloneSetting(c.Setting)
	f(&c.Setting)
	if sameSetting(before, c.Setting) {
		c.App.View.Draw()
		return
	}
	c.standing, c.unfilled, c.Adding = nil, false, false
	c.App.History.Keep(old, "")
	c.App.Location.Write(true)
	c.runs()
	c.App.View.Draw()
}

// runs asks for the comparison of the Setting.
func (c *Compare) runs() {
	c.Progress = nil
	if c.Empty() {
		c.Done, c.View, c.viewed, c.settled = nil, packed.View{}, "", message.Setting{}
		c.forget()
		if c.Comparing() { // what is being read is read no longer
			c.sendRuns()
		}
		if c.here() {
			c.App.Location.Write(false)
		}
		return
	}
	c.sendRuns()
}

func (c *Compare) sendRuns() {
	s := cloneSetting(c.Setting)
	s.Limit = c.Limit()
	c.App.Engine.Request(message.Runs, &s)
}

func (c *Compare) forget() {
	c.Why, c.Detail, c.Opinions, c.Said, c.Further, c.Naming = nil, nil, nil, "", nil, 0
	c.PairTests, c.Agreed, c.Analysed, c.titles = nil, nil, nil, nil
}
