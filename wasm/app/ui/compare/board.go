package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/chart/scale"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Board is the table of runs and measures: a row a run, with interval, difference and groups of one measure, and the
// field for the measures.
type Board struct {
	part
	of     *report.Column // that groups are of
	groups []string       // all of the column, in order
}

// R is the report.
func (c *Board) R() *report.Report { return c.Compare.Runs.Report() }

// Several says whether there is more than one run.
func (c *Board) Several() bool { return len(c.R().Systems) > 1 }

// m is the measure that is shown in detail.
func (c *Board) m() int { return c.Compare.Board.Column() }

func (c *Board) column() *report.Column { return &c.R().Columns[c.m()] }

// Head is a column of the board after the name of the run.
type Head struct {
	Kind  string // "mean", "interval", "difference", "groups"
	Name  string
	By    string // what its button sorts by, "" for no button
	To    string // where it is defined, "" for nowhere
	Class string
	M     int // its measure
}

// Heads are the columns: every measure, and beside one of them its interval, the difference to the baseline and the
// groups.
func (c *Board) Heads() []Head {
	var out []Head
	for m, name := range c.R().Measures {
		out = append(out, Head{Kind: "mean", Name: name, By: name, To: definition(name), M: m})
		if !c.Detailed(m) {
			continue
		}
		out = append(out, Head{Kind: "interval", Name: "95 % interval", To: ui.ToTest("mean-interval"), Class: "left", M: m})
		if c.Several() {
			out = append(out, Head{Kind: "difference", Name: "vs baseline", By: screen.BoardByDifference, M: m},
				Head{Kind: "groups", Name: "Groups", To: ui.ToTest("letters"), Class: "left groups", M: m})
		}
	}
	return out
}

// definition is where a measure is defined, "" for one that only a table of scores knows.
func definition(name string) string {
	if !measure.Known(name) {
		return ""
	}
	return ui.ToMeasure(name)
}

// Detailed says whether interval, difference and groups of a measure are shown. A share of judged documents has
// none: it describes the pool and estimates nothing.
func (c *Board) Detailed(m int) bool { return m == c.m() && !c.judged(m) }

// judged reports whether a column is of such a share. A name that only a table of scores knows is looked up first: what
// it may have meant takes long to find.
func (c *Board) judged(m int) bool {
	name := c.R().Measures[m]
	return measure.Known(name) && measure.JudgedShare(name)
}

// Class is "stale" while a newer report is being made.
func (c *Board) Class() string {
	if c.Compare.Runs.Comparing() {
		return "stale"
	}
	return ""
}

// sorted is the column that the board is sorted by.
func (c *Board) sorted() string { return c.Compare.Board.Order() }

// ascending says whether the smallest value comes first.
func (c *Board) ascending(by string) bool {
	m := slices.Index(c.R().Measures, by)
	first := by == screen.BoardByRun || m >= 0 && c.R().Columns[m].Lower
	return first != c.Compare.Board.Down
}

// Sorted says for the screen reader how a column sorts the board.
func (c *Board) Sorted(by string) interface{} {
	switch {
	case by == "" || by != c.sorted():
		return nil
	case c.ascending(by):
		return "ascending"
	}
	return "descending"
}

// Arrow shows the same.
func (c *Board) Arrow(by string) string {
	switch {
	case by != c.sorted():
		return ""
	case c.ascending(by):
		return " ▲"
	}
	return " ▼"
}

// BoardRow is a run on the board.
type BoardRow struct {
	board *Board
	I     int // of the report's runs
}

// Rows are the runs in the order of the board.
func (c *Board) Rows() []BoardRow {
	order := c.Compare.Board.Rows()
	out := make([]BoardRow, len(order))
	for k, i := range order {
		out[k] = BoardRow{c, i}
	}
	return out
}

func (c *Board) baseline() BoardRow { return BoardRow{c, c.R().Baseline} }

// Base marks the baseline: the one that was chosen, also before its report is there.
func (row BoardRow) Base() interface{} {
	baseline := row.board.R().Baseline
	if row.board.Compare.Runs.Comparing() {
		baseline = row.board.Compare.Runs.Setting.Baseline
	}
	if row.I == baseline {
		return "checked"
	}
	return nil
}

// Class marks the row of the baseline.
func (row BoardRow) Class() string {
	if row.I == row.board.R().Baseline && row.board.Several() {
		return "picked"
	}
	return ""
}

// Label is the name of a run.
func (row BoardRow) Label() string { return ui.Brief(row.board.R().Systems[row.I].Label) }

// Notation tells a run apart: its tag if that is another name, and the queries that it lacks.
func (row BoardRow) Notation() string {
	r := row.board.R()
	u := r.Coverage[row.I]
	var parts []string
	if u.Tag != "" && u.Tag != r.Systems[row.I].Label {
		parts = append(parts, say.Visible(u.Tag))
	}
	// missing queries that count 0 have a line of their own
	if u.Queries < len(r.Queries) && r.Systems[row.I].Missing == 0 {
		parts = append(parts, "only "+say.Thousands(u.Queries)+" of "+say.Count(len(r.Queries), "query", "queries"))
	}
	return strings.Join(parts, " · ")
}

// Missing counts the queries that a run could not answer, or says why it could not; "" if it answered all.
func (row BoardRow) Missing() string {
	s := row.board.R().Systems[row.I]
	if s.Missing == 0 {
		return s.Why
	}
	return say.Count(s.Missing, "judged query is missing and counts 0", "judged queries are missing and count 0")
}

// Naming says whether the name of a run is being typed.
func (row BoardRow) Naming() bool { return row.board.Compare.Naming.Run == row.I+1 }

// MaxName is how long a name may be.
func (c *Board) MaxName() string { return strconv.Itoa(screen.MaxName) }

// WriteName takes the name as it is typed.
func (c *Board) WriteName(event vugu.DOMEvent) {
	c.Compare.Naming.Write(event.PropString("target", "value"))
}

// KeepName gives the run that name.
func (c *Board) KeepName(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Naming.Keep()
}

// Mean is a mean as it is printed.
func (row BoardRow) Mean(m int) string {
	if row.board.R().Unanswered(row.I) {
		return say.Page.None()
	}
	if row.board.judged(m) {
		return say.Page.Percent(row.board.R().Columns[m].Means[row.I], 0)
	}
	return say.Page.Number(row.board.R().Columns[m].Means[row.I], 3)
}

// Best is the class of the best mean of a measure.
func (row BoardRow) Best(m int) string {
	r := row.board.R()
	if !row.board.judged(m) && row.board.Several() && !r.Unanswered(row.I) && slices.Contains(r.Best(m), row.I) {
		return "best"
	}
	return ""
}

// Value is the mean by the measure that is shown in detail.
func (row BoardRow) Value() float64 { return row.board.column().Means[row.I] }

// Low is the lower end of its interval.
func (row BoardRow) Low() float64 { return row.board.column().Low[row.I] }

// High is the upper end.
func (row BoardRow) High() float64 { return row.board.column().High[row.I] }

// Interval says the interval in words.
func (row BoardRow) Interval() string {
	return "95 % interval " + row.board.column().Interval(row.I, say.Page, 3)
}

// X is the place of a value on the interval marks, whose scale spans all intervals of the column.
func (c *Board) X(v float64) string {
	lo, hi := c.column().Reach()
	if v != v { // no interval is a line without length
		v = lo
	}
	return scale.Text(scale.Scale{Low: lo, High: hi, From: 5, To: 145}.At(v))
}

// Baseline is the place of the baseline's mean, where every row has a line.
func (c *Board) Baseline() string { return c.X(c.baseline().Value()) }

// Diff is the difference to the baseline.
func (row BoardRow) Diff() string {
	if row.I == row.board.R().Baseline {
		return "baseline"
	}
	if row.board.R().Unanswered(row.I) || row.board.R().Unanswered(row.board.R().Baseline) {
		return say.Page.None()
	}
	return say.Page.Signed(row.Value()-row.board.baseline().Value(), 3)
}

// DiffClass makes a difference bold, and colours it, if the run shares no letter with the baseline.
func (row BoardRow) DiffClass() string {
	b, x := row.board.R().Baseline, row.board.column()
	if row.I == b || x.Groups[row.I] == "" || report.ShareGroup(x.Groups, row.I, b) {
		return "muted"
	}
	if x.Means[row.I] > x.Means[b] != x.Lower {
		return "apart up"
	}
	return "apart down"
}

// Slot is the place of a group's letter: the same in every row, so that a group reads as a vertical bar.
type Slot struct{ Letter, Class string }

// mostSlots is how many groups are shown side by side. Of a leaderboard with more, a row names its first and last.
const mostSlots = 26

// Slots are the groups of the column, with the letter of those that a run belongs to.
func (row BoardRow) Slots() []Slot {
	all := row.board.allGroups()
	own := report.GroupsOf(row.board.column().Groups, row.I)
	if len(all) > mostSlots {
		switch n := len(own); n {
		case 0:
			return nil
		case 1:
			return []Slot{{own[0], "many"}}
		default:
			return []Slot{{own[0] + "–" + own[n-1], "many"}}
		}
	}
	out := make([]Slot, len(all))
	for k, l := range all {
		if slices.Contains(own, l) {
			out[k] = Slot{l, "in"}
		}
	}
	return out
}

// allGroups are the groups of the column, in order.
func (c *Board) allGroups() []string {
	x := c.column()
	if c.groups == nil || c.of != x {
		c.of, c.groups = x, nil
		for s := range x.Groups {
			for _, l := range report.GroupsOf(x.Groups, s) {
				if !slices.Contains(c.groups, l) {
					c.groups = append(c.groups, l)
				}
			}
		}
		slices.Sort(c.groups)
	}
	return c.groups
}

// GroupLabel says the groups of a run to a screen reader.
func (row BoardRow) GroupLabel() string {
	if g := row.board.column().Groups[row.I]; len(g) > 1 {
		return "groups " + g
	} else if g != "" {
		return "group " + g
	}
	return "no group"
}

// Caption explains the table.
func (c *Board) Caption() string {
	r := c.R()
	s := "Means over " + r.Count(len(r.Queries)) + "."
	if c.Detailed(c.m()) {
		if why := c.column().NoInterval(); why != "" {
			s += " " + why
		}
		s += " Marks are the 95 % interval"
		if !c.Several() {
			return s + "."
		}
		s += " of " + r.Measures[c.m()] + ", the line is the baseline." +
			" " + r.LettersMean("Runs") +
			" A difference is bold if its run shares no letter with the baseline."
	}
	if c.Several() {
		s += " Sort by a measure to see its intervals, differences and groups."
	}
	return s
}

// Input takes the measures as they are typed.
func (c *Board) Input(event vugu.DOMEvent) {
	c.Compare.Measures.Write(event.PropString("target", "value"))
}

// Submit measures by them.
func (c *Board) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Measures.Use()
}

// Invalid marks measures that cannot be read.
func (c *Board) Invalid() interface{} {
	if c.Compare.Measures.Fault != "" {
		return "true"
	}
	return nil
}

// Changed says whether there is something new to measure.
func (c *Board) Changed() bool {
	return c.Compare.Measures.Fault == "" && c.Compare.Measures.Typed != strings.Join(c.R().Measures, " ")
}
