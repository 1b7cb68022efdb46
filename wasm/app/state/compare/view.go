package compare

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
)

// DocumentsShown is how many documents of each ranking stand side by side.
const DocumentsShown = 10

// deepest is how many stand there where more are asked for.
const deepest = 50

// firstOver is by how much a run must be better to pass the filter at first.
const firstOver = 0.1

// opinionsFor is up to how many documents the other tools are asked without being told to.
const opinionsFor = 300_000

// initial is what is looked at first: the best run beside the baseline, the queries that changed most.
func (c *Compare) initial() packed.View {
	r := c.Runs.Report()
	if r == c.begunOf {
		return c.begun
	}
	x := packed.View{A: r.Baseline, B: r.Baseline, Sort: SortChange, Down: true, Over: firstOver, Depth: DocumentsShown, Tab: TabBoard}
	for _, s := range r.Ranking() {
		if s != x.A {
			x.B = s
			break
		}
	}
	x.Open = c.first(&x)
	c.begun, c.begunOf = x, r
	return x
}

// first is the query that stands first in the table of a view.
func (c *Compare) first(x *packed.View) string {
	r := c.Runs.Report()
	if rows := c.table.of(r, x); len(rows) > 0 {
		return r.Queries[rows[0]].ID
	}
	return ""
}

// after is what is looked at in a new report: what was asked for, what the files were saved with, or what was looked at before as
// far as it is still there.
func (c *Compare) after(before *message.Compared) packed.View {
	d := c.Runs.Done
	saved := c.Runs.Setting.Link
	for _, f := range c.Runs.Setting.Files {
		saved += " " + strconv.Itoa(f.ID)
	}
	fresh := saved != c.viewed
	c.viewed = saved
	if x := c.arriving; x != nil {
		c.arriving = nil
		return c.valid(*x)
	}
	if x, err := packed.ReadView(d.View); err == nil && fresh && x != (packed.View{}) {
		return c.valid(x)
	}
	x := c.initial()
	if before == nil || before.Report == nil {
		return x
	}
	old := c.View
	if slices.Equal(before.Origins, d.Origins) && before.Baseline == d.Baseline {
		x.A, x.B, x.Find, x.Page = old.A, old.B, old.Find, old.Page
	} else if old.A < len(before.Origins) && old.B < len(before.Origins) && before.Baseline < len(before.Origins) && d.Baseline < len(d.Origins) && before.Origins[before.Baseline] == d.Origins[d.Baseline] {
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
	return c.valid(x)
}

// valid is a view with what the report does not have left out.
func (c *Compare) valid(x packed.View) packed.View {
	r := c.Runs.Report()
	first := c.initial()
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
	if !c.App.Embedded || x.Only != Query && figureNamed(x.Only) == nil {
		x.Only = ""
	}
	if x.Open == "" || !slices.ContainsFunc(r.Queries, func(t report.Query) bool { return t.ID == x.Open }) {
		x.Open = c.first(&x)
	}
	x.Page = max(0, min(x.Page, pages(c.table.of(r, &x))-1))
	return x
}

// lookQuery asks for the rankings of the open query.
func (c *Compare) lookQuery() {
	r := c.Runs.Report()
	if r == nil || c.View.Open == "" || !r.HasRankings() {
		c.Detail = nil
		return
	}
	c.App.Request(message.Query, &message.AskQuery{A: c.View.A, B: c.View.B, Measure: r.Measures[c.View.Column], Query: c.View.Open, Depth: c.View.Depth})
}

// AskOpinions asks what other tools say.
func (c *Compare) AskOpinions() {
	if r := c.Runs.Report(); r != nil && r.HasRankings() {
		c.App.Request(message.Opinions, &message.AskOpinions{Measure: r.Measures[c.View.Column]})
	}
}

// lookPairs asks for the paired tests on the measure that is looked at, where the report does not have them.
func (c *Compare) lookPairs() {
	c.Further = nil
	if r := c.Runs.Report(); r != nil && c.View.Column > 0 && len(r.Systems) > 1 {
		c.App.Request(message.Tests, &message.AskTests{Measure: r.Measures[c.View.Column]})
	}
}

// Tested is the paired tests on the measure that is looked at, nil while they are worked out.
func (c *Compare) Tested() *report.Tests {
	r := c.Runs.Report()
	switch {
	case r == nil:
		return nil
	case c.View.Column == 0:
		return &report.Tests{Pairs: r.Pairs, Test: r.Test}
	case c.Further != nil && c.Further.Column == c.View.Column:
		return c.Further
	}
	return nil
}

// How a change of what is looked at is kept: leafing is not undone; a choice is, and gets an entry of the history where one would want
// to come back from it. Changes of the same kind in a row, but "", are one.
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
func (c *Compare) look(as how, f func(*packed.View)) {
	c.Runs.wake()
	old, was := c.App.Present(), c.View
	page := slices.Clone(c.PageRows())
	f(&c.View)
	if c.View.Page >= c.Pages() {
		c.View.Page = c.Pages() - 1
	}
	if was == c.View {
		c.App.Draw()
		return
	}
	again := as.undone && c.App.Keep(old, as.kind)
	c.changed(was, !slices.Equal(page, c.PageRows()))
	if c.Runs.here() {
		c.App.WriteAddress(as.push && !again)
	}
	c.App.Draw()
}

// viewChanged asks for what the view shows now and did not before; turned says that the page of the table holds other
// queries.
func (c *Compare) viewChanged(was packed.View, turned bool) {
	now := &c.View
	pair := was.A != now.A || was.B != now.B || was.Column != now.Column
	if pair || turned {
		c.lookRows()
	}
	if pair || was.Open != now.Open || was.Depth != now.Depth {
		c.lookQuery()
	}
	if pair || was.Tests != now.Tests || was.Margin != now.Margin {
		c.lookTests()
	}
	if was.Claim != now.Claim || was.Column != now.Column && c.lacks() {
		c.lookAnalyses()
	}
	if was.Column != now.Column || (was.Agree == "") != (now.Agree == "") {
		c.lookAgreement()
	}
	if was.Column != now.Column {
		c.lookPairs()
		c.lookOpinions()
	}
}

// lookOpinions asks for the opinions again, if they are shown or waited for.
func (c *Compare) lookOpinions() {
	if _, waiting := c.App.Asked(message.Opinions); c.Opinions != nil || waiting {
		c.Opinions = nil
		c.AskOpinions()
	}
}

// SetPair chooses the two runs that are compared with each other.
func (c *Compare) SetPair(from, to int) {
	if r := c.Runs.Report(); r != nil && from >= 0 && to >= 0 && from < len(r.Systems) && to < len(r.Systems) {
		c.look(visiting, func(x *packed.View) {
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
func (c *Compare) SetColumn(m int) {
	if r := c.Runs.Report(); r != nil && m >= 0 && m < len(r.Columns) {
		c.look(visiting, func(x *packed.View) { x.Column, x.Page = m, 0 })
	}
}

// OpenQuery shows the rankings of a query.
func (c *Compare) OpenQuery(id string) {
	c.look(visiting, func(x *packed.View) { x.Open, x.Tab = id, TabQueries })
}

// StepQuery opens the query that stands by places after the open one in the table, round the end.
func (c *Compare) StepQuery(by int) {
	r, rows := c.Runs.Report(), c.Rows()
	if r == nil || len(rows) == 0 {
		return
	}
	at := slices.IndexFunc(rows, func(q int) bool { return r.Queries[q].ID == c.View.Open })
	if at < 0 && by < 0 {
		at = 0
	}
	at = ((at+by)%len(rows) + len(rows)) % len(rows)
	c.look(how{kind: "step", undone: true, push: true}, func(x *packed.View) { x.Open, x.Page, x.Tab = r.Queries[rows[at]].ID, at/RowsShown, TabQueries })
}

// DeeperRuns shows more documents of each ranking, or the first few again.
func (c *Compare) DeeperRuns() {
	c.look(leafing, func(x *packed.View) {
		if x.Depth > DocumentsShown {
			x.Depth = DocumentsShown
		} else {
			x.Depth = deepest
		}
	})
}
