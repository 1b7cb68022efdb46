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
	r := c.Report()
	if r == c.begunOf {
		return c.begun
	}
	v := packed.View{A: r.Baseline, B: r.Baseline, Sort: SortChange, Down: true, Over: firstOver, Depth: DocumentsShown, Tab: TabBoard}
	for _, s := range r.Ranking() {
		if s != v.A {
			v.B = s
			break
		}
	}
	v.Open = c.first(v)
	c.begun, c.begunOf = v, r
	return v
}

// first is the query that stands first in the table.
func (c *Compare) first(v packed.View) string {
	now := c.View
	c.View = v
	defer func() { c.View = now }()
	if rows := c.Rows(); len(rows) > 0 {
		return c.Report().Queries[rows[0]].ID
	}
	return ""
}

// after is what is looked at in a new report: what was asked for, what the files were saved with, or what was looked at before as
// far as it is still there.
func (c *Compare) after(before *message.Compared) packed.View {
	d := c.Done
	saved := c.Setting.Link
	for _, f := range c.Setting.Files {
		saved += " " + strconv.Itoa(f.ID)
	}
	fresh := saved != c.viewed
	c.viewed = saved
	if v := c.arriving; v != nil {
		c.arriving = nil
		return c.valid(*v)
	}
	if v, err := packed.ReadView(d.View); err == nil && fresh && v != (packed.View{}) {
		return c.valid(v)
	}
	v := c.initial()
	if before == nil || before.Report == nil {
		return v
	}
	old := c.View
	if slices.Equal(before.Origins, d.Origins) && before.Baseline == d.Baseline {
		v.A, v.B, v.Find, v.Page = old.A, old.B, old.Find, old.Page
	} else if old.A < len(before.Origins) && old.B < len(before.Origins) && before.Baseline < len(before.Origins) && d.Baseline < len(d.Origins) && before.Origins[before.Baseline] == d.Origins[d.Baseline] {
		x, y := slices.Index(d.Origins, before.Origins[old.A]), slices.Index(d.Origins, before.Origins[old.B])
		if x >= 0 && y >= 0 {
			v.A, v.B = x, y
		}
	}
	v.Sort, v.Down, v.Filter, v.Over, v.Depth = old.Sort, old.Down, old.Filter, old.Over, old.Depth
	v.Tests, v.Margin, v.Agree = old.Tests, old.Margin, old.Agree
	v.Figures, v.Tab, v.Claim = old.Figures, old.Tab, old.Claim
	if old.Column < len(before.Report.Measures) {
		v.Column = max(0, slices.Index(d.Report.Measures, before.Report.Measures[old.Column]))
	}
	v.Open = old.Open
	return c.valid(v)
}

// valid is a view with what the report does not have left out.
func (c *Compare) valid(v packed.View) packed.View {
	r := c.Report()
	first := c.initial()
	if v == (packed.View{}) {
		return first
	}
	v.Letters = "" // the report has them
	v.Tab = tabOf(v)
	n := len(r.Systems)
	if v.A < 0 || v.B < 0 || v.A >= n || v.B >= n || v.A == v.B {
		v.A, v.B = first.A, first.B
	}
	if v.Column < 0 || v.Column >= len(r.Columns) {
		v.Column = 0
	}
	if v.Sort == "" {
		v.Sort, v.Down = first.Sort, first.Down
	}
	if v.Depth < DocumentsShown {
		v.Depth = DocumentsShown
	}
	v.Depth = min(v.Depth, deepest)
	if !c.App.View.Embedded || v.Only != Query && figureNamed(v.Only) == nil {
		v.Only = ""
	}
	if v.Open == "" || !slices.ContainsFunc(r.Queries, func(t report.Query) bool { return t.ID == v.Open }) {
		v.Open = c.first(v)
	}
	now := c.View
	c.View = v
	v.Page = max(0, min(v.Page, c.Pages()-1))
	c.View = now
	return v
}

// lookQuery asks for the rankings of the open query.
func (c *Compare) lookQuery() {
	r := c.Report()
	if r == nil || c.Open == "" || !r.HasRankings() {
		c.Detail = nil
		return
	}
	c.App.Engine.Request(message.Query, &message.AskQuery{A: c.A, B: c.B, Measure: r.Measures[c.Column], Query: c.Open, Depth: c.Depth})
}

// AskOpinions asks what other tools say.
func (c *Compare) AskOpinions() {
	if r := c.Report(); r != nil && r.HasRankings() {
		c.App.Engine.Request(message.Opinions, &message.AskOpinions{Measure: r.Measures[c.Column]})
	}
}

// lookPairs asks for the paired tests on the measure that is looked at, where the report does not have them.
func (c *Compare) lookPairs() {
	c.Further = nil
	if r := c.Report(); r != nil && c.Column > 0 && len(r.Systems) > 1 {
		c.App.Engine.Request(message.Tests, &message.AskTests{Measure: r.Measures[c.Column]})
	}
}

// Tested is the paired tests on the measure that is looked at, nil while they are worked out.
func (c *Compare) Tested() *report.Tests {
	r := c.Report()
	switch {
	case r == nil:
		return nil
	case c.Column == 0:
		return &report.Tests{Pairs: r.Pairs, Test: r.Test}
	case c.Further != nil && c.Further.Column == c.Column:
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
func (c *Compare) look(as how, f func(*Compare)) {
	c.wake()
	old, was := c.App.History.Present(), c.View
	page := slices.Clone(c.PageRows())
	f(c)
	if c.Page >= c.Pages() {
		c.Page = c.Pages() - 1
	}
	if was == c.View {
		c.App.View.Draw()
		return
	}
	again := as.undone && c.App.History.Keep(old, as.kind)
	pair := was.A != c.A || was.B != c.B || was.Column != c.Column
	if pair || !slices.Equal(page, c.PageRows()) {
		c.lookRows()
	}
	if pair || was.Open != c.Open || was.Depth != c.Depth {
		c.lookQuery()
	}
	if pair || was.Tests != c.Tests || was.Margin != c.Margin {
		c.lookTests()
	}
	if was.Claim != c.Claim || was.Column != c.Column && c.lacks() {
		c.lookAnalyses()
	}
	if was.Column != c.Column || (was.Agree == "") != (c.Agree == "") {
		c.lookAgreement()
	}
	if was.Column != c.Column {
		c.lookPairs()
		if _, waiting := c.App.Engine.Asked(message.Opinions); c.Opinions != nil || waiting {
			c.Opinions = nil
			c.AskOpinions()
		}
	}
	if c.here() {
		c.App.Location.Write(as.push && !again)
	}
	c.App.View.Draw()
}

// SetPair chooses the two runs that are held against each other.
func (c *Compare) SetPair(x, y int) {
	if r := c.Report(); r != nil && x >= 0 && y >= 0 && x < len(r.Systems) && y < len(r.Systems) {
		c.look(visiting, func(c *Compare) {
			if x == y { // the one that was changed pushes the other away
				if x != c.A {
					y = c.A
				} else {
					x = c.B
				}
			}
			c.A, c.B, c.Page = x, y, 0
		})
	}
}

// SetColumn chooses the measure of the pairs, the queries and all that is below them.
func (c *Compare) SetColumn(m int) {
	if r := c.Report(); r != nil && m >= 0 && m < len(r.Columns) {
		c.look(visiting, func(c *Compare) { c.Column, c.Page = m, 0 })
	}
}

// OpenQuery shows the rankings of a query.
func (c *Compare) OpenQuery(id string) {
	c.look(visiting, func(c *Compare) { c.Open, c.Tab = id, TabQueries })
}

// StepQuery opens the query that stands by places after the open one in the table, round the end.
func (c *Compare) StepQuery(by int) {
	r, rows := c.Report(), c.Rows()
	if r == nil || len(rows) == 0 {
		return
	}
	at := slices.IndexFunc(rows, func(q int) bool { return r.Queries[q].ID == c.Open })
	if at < 0 && by < 0 {
		at = 0
	}
	at = ((at+by)%len(rows) + len(rows)) % len(rows)
	c.look(how{kind: "step", undone: true, push: true}, func(c *Compare) { c.Open, c.Page, c.Tab = r.Queries[rows[at]].ID, at/RowsShown, TabQueries })
}

// DeeperRuns shows more documents of each ranking, or the first few again.
func (c *Compare) DeeperRuns() {
	c.look(leafing, func(c *Compare) {
		if c.Depth > DocumentsShown {
			c.Depth = DocumentsShown
		} else {
			c.Depth = deepest
		}
	})
}
