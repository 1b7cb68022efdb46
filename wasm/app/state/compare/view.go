package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// noFigures is View.Figures where none is unfolded.
const noFigures = "none"

// unfolded are the figures that are at first.
var unfolded = []string{"intervals", "differences"}

// View is what is looked at of a report. Undo takes steps of the packed.View back, and links hold it.
type View struct {
	packed.View
	app     *state.App
	runs    *Runs
	changed func(was packed.View, turned bool) // asks for what the view shows now; turned: the page has other queries

	Lit     string // the query that is lit wherever it is drawn, "" for none
	Warning string // the warning whose text is open, "" for none

	table    table
	wanted   string         // the tab that the address named, for the next report; "" for none
	arriving *packed.View   // to be looked at when the next report comes
	viewed   string         // what the packed.View of the files was taken from
	begun    packed.View    // initial
	begunOf  *report.Report // the report that begun is of
}

// DocumentsShown is how many documents of each ranking stand side by side.
const DocumentsShown = 10

// deepest is how many stand there where more are asked for.
const deepest = 50

// firstOver is by how much a run must be better to pass the filter at first.
const firstOver = 0.1

// opinionsFor is up to how many documents the other tools are asked without being told to.
const opinionsFor = 300_000

// initial is what is looked at first: the best run beside the baseline, the queries that changed most.
func (v *View) initial() packed.View {
	r := v.runs.Report()
	if r == v.begunOf {
		return v.begun
	}
	x := packed.View{A: r.Baseline, B: r.Baseline, Sort: SortChange, Down: true, Over: firstOver,
		Depth: DocumentsShown, Tab: TabBoard}
	for _, s := range r.Ranking() {
		if s != x.A {
			x.B = s
			break
		}
	}
	x.Open = v.first(&x)
	v.begun, v.begunOf = x, r
	return x
}

// first is the query that stands first in the table of a view.
func (v *View) first(x *packed.View) string {
	r := v.runs.Report()
	if rows := v.table.of(r, x); len(rows) > 0 {
		return r.Queries[rows[0]].ID
	}
	return ""
}

// after is what is looked at in a new report: what was asked for, what the files were saved with, or what was looked at
// before as far as it is still there.
func (v *View) after(before *message.Compared) packed.View {
	d := v.runs.Done
	saved := v.runs.Setting.Link
	for _, f := range v.runs.Setting.Files {
		saved += " " + strconv.Itoa(f.ID)
	}
	fresh := saved != v.viewed
	v.viewed = saved
	if x := v.arriving; x != nil {
		v.arriving = nil
		return v.valid(*x)
	}
	if x, err := packed.ReadView(d.View); err == nil && fresh && x != (packed.View{}) {
		return v.valid(x)
	}
	x := v.initial()
	if before == nil || before.Report == nil {
		return x
	}
	old := v.View
	if slices.Equal(before.Origins, d.Origins) && before.Baseline == d.Baseline {
		x.A, x.B, x.Find, x.Page = old.A, old.B, old.Find, old.Page
	} else if n := len(before.Origins); old.A < n && old.B < n && before.Baseline < n && d.Baseline < len(d.Origins) &&
		before.Origins[before.Baseline] == d.Origins[d.Baseline] {
		a, b := slices.Index(d.Origins, before.Origins[old.A]), slices.Index(d.Origins, before.Origins[old.B])
		if a >= 0 && b >= 0 {
			x.A, x.B = a, b
		}
	}
	x.Sort, x.Down, x.Filter, x.Over, x.Depth = old.Sort, old.Down, old.Filter, old.Over, old.Depth
	x.Tests, x.Margin, x.Agree = old.Tests, old.Margin, old.Agree
	x.Figures, x.Tab, x.Claim = old.Figures, old.Tab, old.Claim
	if old.Column < len(before.Report.Measures) {
		x.Column = max(0, slices.Index(d.Report.Measures, before.Report.Measures[old.Column]))
	}
	x.Open = old.Open
	return v.valid(x)
}

// valid is a view with what the report does not have left out.
func (v *View) valid(x packed.View) packed.View {
	r := v.runs.Report()
	first := v.initial()
	if x == (packed.View{}) {
		return first
	}
	x.Letters = "" // the report has them
	x.Tab = tabOf(x)
	n := len(r.Systems)
	if x.A < 0 || x.B < 0 || x.A >= n || x.B >= n || x.A == x.B {
		x.A, x.B = first.A, first.B
	}
	if x.Column < 0 || x.Column >= len(r.Columns) {
		x.Column = 0
	}
	if x.Sort == "" {
		x.Sort, x.Down = first.Sort, first.Down
	}
	if x.Depth < DocumentsShown {
		x.Depth = DocumentsShown
	}
	x.Depth = min(x.Depth, deepest)
	if !v.app.View.Embedded || x.Only != Query && figureNamed(x.Only) == nil {
		x.Only = ""
	}
	if x.Open == "" || !slices.ContainsFunc(r.Queries, func(t report.Query) bool { return t.ID == x.Open }) {
		x.Open = v.first(&x)
	}
	x.Page = max(0, min(x.Page, pages(v.table.of(r, &x))-1))
	return x
}

// How a change of what is looked at is kept: leafing is not undone; a choice is, and gets an entry of the history where
// one would want to come back from it. Changes of the same kind in a row, but "", are one.
type how struct {
	kind         string
	undone, push bool
}

var (
	leafing  = how{}
	choosing = how{undone: true}
	visiting = how{undone: true, push: true}
)

// look changes what is looked at.
func (v *View) look(as how, f func(*packed.View)) {
	v.runs.wake()
	old, was := v.app.History.Present(), v.View
	page := slices.Clone(v.PageRows())
	f(&v.View)
	if v.Page >= v.Pages() {
		v.Page = v.Pages() - 1
	}
	if was == v.View {
		v.app.View.Draw()
		return
	}
	again := as.undone && v.app.History.Keep(old, as.kind)
	v.changed(was, !slices.Equal(page, v.PageRows()))
	if v.runs.here() {
		v.app.Location.Write(as.push && !again)
	}
	v.app.View.Draw()
}

// SetPair chooses the two runs that are compared with each other.
func (v *View) SetPair(from, to int) {
	if r := v.runs.Report(); r != nil && from >= 0 && to >= 0 && from < len(r.Systems) && to < len(r.Systems) {
		v.look(visiting, func(x *packed.View) {
			if from == to { // the one that was changed pushes the other away
				if from != x.A {
					to = x.A
				} else {
					from = x.B
				}
			}
			x.A, x.B, x.Page = from, to, 0
		})
	}
}

// SetColumn chooses the measure of the pairs, the queries and all that is below them.
func (v *View) SetColumn(m int) {
	if r := v.runs.Report(); r != nil && m >= 0 && m < len(r.Columns) {
		v.look(visiting, func(x *packed.View) { x.Column, x.Page = m, 0 })
	}
}

// OpenQuery shows the rankings of a query.
func (v *View) OpenQuery(id string) {
	v.look(visiting, func(x *packed.View) { x.Open, x.Tab = id, TabQueries })
}

// StepQuery opens the query that stands by places after the open one in the table, round the end.
func (v *View) StepQuery(by int) {
	r, rows := v.runs.Report(), v.Rows()
	if r == nil || len(rows) == 0 {
		return
	}
	at := slices.IndexFunc(rows, func(q int) bool { return r.Queries[q].ID == v.Open })
	if at < 0 && by < 0 {
		at = 0
	}
	at = ((at+by)%len(rows) + len(rows)) % len(rows)
	v.look(how{kind: "step", undone: true, push: true}, func(x *packed.View) {
		x.Open, x.Page, x.Tab = r.Queries[rows[at]].ID, at/RowsShown, TabQueries
	})
}

// Deeper shows more documents of each ranking, or the first few again.
func (v *View) Deeper() {
	v.look(leafing, func(x *packed.View) {
		if x.Depth > DocumentsShown {
			x.Depth = DocumentsShown
		} else {
			x.Depth = deepest
		}
	})
}

// seen is what is looked at, as it is handed on: with the letters of the runs.
func (v *View) seen() packed.View {
	if r := v.runs.Report(); r != nil {
		return v.WithLetters(r.Letters)
	}
	return v.View
}

// Light lights a query wherever it is drawn, "" none. It is no step of undo and nothing of a link.
func (v *View) Light(query string) {
	v.Lit = query
	v.app.Browser.Render()
}

// Unfolded says whether a figure is unfolded.
func (v *View) Unfolded(name string) bool {
	if v.Figures == "" {
		return slices.Contains(unfolded, name)
	}
	return slices.Contains(strings.Split(v.Figures, "."), name)
}
