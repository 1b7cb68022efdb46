package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Runs is what is compared and how, and what came out.
type Runs struct {
	app *state.App

	Setting  message.Setting
	Done     *message.Compared // the newest answer; it may be that of an earlier Setting, see Comparing
	Progress *message.Progress // of the answer that is waited for
	Adding   bool              // the panel is open in which runs are added to those on the board

	settled  message.Setting // of Done
	standing *report.Report  // the page's report, while the board shows that one; see Stand
	awake    bool            // the worker was asked for the comparison that stands
	unfilled bool            // it has to be, for the tab that is open
	linked   bool            // a link waits to be read
	emptied  func()          // clears the view and the answers about the runs
}

// Report is the report on the screen, nil where there is none.
func (rs *Runs) Report() *report.Report {
	if rs.Done == nil {
		return nil
	}
	return rs.Done.Report
}

// Empty reports whether nothing was given yet.
func (rs *Runs) Empty() bool {
	return len(rs.Setting.Files) == 0 && rs.Setting.Link == "" && !rs.Setting.Here()
}

// Comparing reports whether an answer is waited for.
func (rs *Runs) Comparing() bool {
	_, waiting := rs.app.Engine.Asked(message.Runs)
	return waiting
}

// here says whether the screen is open.
func (rs *Runs) here() bool { return rs.app.Settings.Screen == share.Compare }

// change applies f to the Setting as one step that can be undone, and compares again.
func (rs *Runs) change(f func(*message.Setting)) {
	old, before := rs.app.History.Present(), cloneSetting(rs.Setting)
	f(&rs.Setting)
	if sameSetting(before, rs.Setting) {
		rs.app.View.Draw()
		return
	}
	rs.standing, rs.unfilled, rs.Adding = nil, false, false
	rs.app.History.Keep(old, "")
	rs.app.Location.Write(true)
	rs.run()
	rs.app.View.Draw()
}

// run asks for the comparison of the Setting.
func (rs *Runs) run() {
	rs.Progress = nil
	if rs.Empty() {
		rs.Done, rs.settled = nil, message.Setting{}
		rs.emptied()
		if rs.Comparing() { // what is being read is read no longer
			rs.send()
		}
		if rs.here() {
			rs.app.Location.Write(false)
		}
		return
	}
	rs.send()
}

func (rs *Runs) send() {
	s := cloneSetting(rs.Setting)
	s.Limit = rs.Limit()
	rs.app.Engine.Request(message.Runs, &s)
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
		slices.Equal(a.Chunkings, b.Chunkings) && a.Spans == b.Spans &&
		a.Chosen == b.Chosen && slices.Equal(a.Measures, b.Measures) &&
		a.Policy == b.Policy && a.Baseline == b.Baseline && a.Separator == b.Separator && a.First == b.First &&
		a.Relative == b.Relative && a.Absolute == b.Absolute &&
		a.Systems == b.Systems && a.Missing == b.Missing && slices.Equal(a.Search, b.Search) &&
		slices.Equal(a.Edits, b.Edits) &&
		slices.Equal(a.Names, b.Names) && slices.Equal(a.Letters, b.Letters)
}

// Standing says whether the board shows the page's own report.
func (rs *Runs) Standing() bool { return rs.standing != nil }

// wake has the worker make the comparison that stands on the board, for what only the worker can tell.
func (rs *Runs) wake() {
	if rs.standing != nil && !rs.awake {
		rs.awake = true
		rs.send()
	}
}

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

// DefaultLimit is how many bytes a device takes in that says nothing of itself.
const DefaultLimit = 1 << 30

// Limit is how many bytes a file may have.
func (rs *Runs) Limit() int {
	if rs.app.Engine.Limit > 0 {
		return rs.app.Engine.Limit
	}
	return DefaultLimit
}

// Together is how many bytes all files may have.
func (rs *Runs) Together() int { return int(collection.Together(int64(rs.Limit()))) }

// RemoveFile takes a file out.
func (rs *Runs) RemoveFile(id int) {
	rs.change(func(s *message.Setting) {
		s.Letters = rs.letters(id)
		s.Files = slices.DeleteFunc(s.Files, func(f message.File) bool { return f.ID == id })
		s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.File == id })
		s.Baseline = rs.without(id)
	})
}

// letters are those of the runs that are compared, but for the runs of a file: they keep them when it goes.
func (rs *Runs) letters(but int) []message.Lettered {
	if rs.Report() == nil {
		return rs.Setting.Letters
	}
	var out []message.Lettered
	for i, o := range rs.Done.Origins {
		if o.File != but {
			out = append(out, message.Lettered{Origin: o, Place: rs.Report().Place(i)})
		}
	}
	return out
}

// without is the place of the baseline where the runs of a file are gone: 0 where it was one of them.
func (rs *Runs) without(file int) int {
	at := rs.Setting.Baseline
	if rs.Done == nil || at >= len(rs.Done.Origins) || rs.Done.Origins[at].File == file {
		return 0
	}
	n := 0
	for _, o := range rs.Done.Origins[:at] {
		if o.File != file {
			n++
		}
	}
	return n
}

// Timeable says whether the runs were made here, so that their times can be measured.
func (rs *Runs) Timeable() bool { return !rs.Setting.Matrix.Empty() }
