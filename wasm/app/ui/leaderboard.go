package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/chart/scale"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Runs is a report of runs that somebody brought, for the table: what it says of them beside what it says of every system, and the names
// that they are given.
type Runs interface {
	Report() *report.Report
	Stale() bool           // a newer one is being made
	Ranking() []int        // best first
	Notation(i int) string // second line of a name
	Lower(m int) bool      // less is better
	Best(m int) []int

	Naming(i int) bool // whether the name is being typed
	NewName() string   // as typed
	Longest() int      // characters of a name
	Name(i int)
	Write(text string)
	Keep()
	Leave()
	SetBaseline(i int)
}

// Leaderboard is the table of systems and measures.
type Leaderboard struct {
	Part
	Runs Runs // instead of the report of the collection that is open
}

// Place is where a system's letter stands in the alphabet.
func (c *Leaderboard) Place(i int) int {
	if c.Runs != nil {
		return c.R().Place(i)
	}
	return c.App.Place(i)
}

// Shown is the moment that the table shows, and of which report.
func (c *Leaderboard) Shown() any {
	return struct {
		Moment
		report *report.Report
	}{Moment{c.App, c.App.Changes}, c.R()}
}

// R is the report that is shown.
func (c *Leaderboard) R() *report.Report {
	if c.Runs != nil {
		return c.Runs.Report()
	}
	return c.App.Report
}

// First heads the first column.
func (c *Leaderboard) First() string {
	if c.Runs != nil {
		return "Run"
	}
	return "System"
}

// Notation is the second line of a system's name.
func (c *Leaderboard) Notation(i int) string {
	if c.Runs == nil {
		return c.R().Systems[i].Notation
	}
	return c.Runs.Notation(i)
}

// Order is the order of the rows: of runs the best by the first measure first, of the systems of an experiment that in which they were
// named.
func (c *Leaderboard) Order() []int {
	if c.Runs != nil {
		return c.Runs.Ranking()
	}
	out := make([]int, len(c.R().Systems))
	for i := range out {
		out[i] = i
	}
	return out
}

// Label is the name of a system.
func (c *Leaderboard) Label(i int) string {
	if c.Runs != nil {
		return Brief(c.R().Systems[i].Label)
	}
	return say.Visible(c.R().Systems[i].Label)
}

// CanName says whether run i can be given another name now.
func (c *Leaderboard) CanName(i int) bool { return c.Runs != nil && !c.Naming(i) }

// Naming says whether the name of run i is being typed.
func (c *Leaderboard) Naming(i int) bool { return c.Runs != nil && c.Runs.Naming(i) }

// MaxName is how long a name may be.
func (c *Leaderboard) MaxName() string { return strconv.Itoa(c.Runs.Longest()) }

// WriteName takes what is typed.
func (c *Leaderboard) WriteName(event vugu.DOMEvent) {
	c.Runs.Write(event.PropString("target", "value"))
}

// KeepName gives the run that name.
func (c *Leaderboard) KeepName(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Runs.Keep()
}

// Key names a row.
func (c *Leaderboard) Key(i int) string {
	if c.Runs != nil {
		return strconv.Itoa(i)
	}
	return c.R().Systems[i].Notation
}

// Off says whether the baseline cannot be chosen yet.
func (c *Leaderboard) Off() bool { return c.Runs == nil && c.App.Opened == nil }

func (c *Leaderboard) lower(m int) bool { return c.Runs != nil && c.Runs.Lower(m) }

// Class is "stale" while a newer report is being computed.
func (c *Leaderboard) Class() string {
	if c.Runs != nil && c.Runs.Stale() || c.Runs == nil && c.App.Opened != nil && c.App.Stale() {
		return "stale"
	}
	return ""
}

// Value is the mean of measure m for system i.
func (c *Leaderboard) Value(m, i int) float64 { return c.R().Columns[m].Means[i] }

// Low is the lower end of its interval.
func (c *Leaderboard) Low(m, i int) float64 { return c.R().Columns[m].Low[i] }

// High is the upper end.
func (c *Leaderboard) High(m, i int) float64 { return c.R().Columns[m].High[i] }

func (c *Leaderboard) judged(m int) bool {
	return measure.JudgedShare(c.R().Measures[m])
}

// HasBar says whether a system gets an interval of a measure: how much was judged is a fact about the pool, not
// an estimate.
func (c *Leaderboard) HasBar(m, i int) bool { return !c.judged(m) && !c.R().Unanswered(i) }

// Mean is the mean as it is printed.
func (c *Leaderboard) Mean(m, i int) string {
	if c.R().Unanswered(i) {
		return say.Page.None()
	}
	if c.judged(m) {
		return say.Page.Percent(c.Value(m, i), 0)
	}
	return say.Page.Number(c.Value(m, i), 3)
}

// Best is the class of the largest mean.
func (c *Leaderboard) Best(m, i int) string {
	if c.judged(m) || len(c.R().Systems) < 2 || c.R().Unanswered(i) {
		return ""
	}
	if c.Runs != nil && slices.Contains(c.Runs.Best(m), i) || c.Runs == nil && c.Value(m, i) == c.R().Columns[m].Best {
		return "best"
	}
	return ""
}

// Group is the letters of a system: what they mean is said by report.LettersMean.
func (c *Leaderboard) Group(m, i int) string {
	if c.judged(m) || c.R().Unanswered(i) {
		return "" // how much was judged is a fact about the pool, not a result to tell apart
	}
	return c.R().Columns[m].Groups[i]
}

// GroupLabel says the same to a screen reader.
func (c *Leaderboard) GroupLabel(m, i int) interface{} {
	if g := c.Group(m, i); g != "" {
		return "group " + g
	}
	return nil
}

// Interval says the interval in words.
func (c *Leaderboard) Interval(m, i int) string {
	return "95 % interval " + say.Page.Number(c.Low(m, i), 3) + " to " + say.Page.Number(c.High(m, i), 3)
}

// X is where a value lies on the bar, which spans all intervals of its column.
func (c *Leaderboard) X(m int, v float64) string {
	col := c.R().Columns[m]
	lo, hi := col.Low[0], col.High[0]
	for i := range col.Low {
		lo, hi = min(lo, col.Low[i]), max(hi, col.High[i])
	}
	return scale.Text(scale.Scale{Low: lo, High: hi, From: 4, To: 116}.At(v))
}

// Diff is the difference to the baseline.
func (c *Leaderboard) Diff(m, i int) string {
	if c.judged(m) || c.R().Unanswered(i) || c.R().Unanswered(c.R().Baseline) {
		return ""
	}
	if i == c.R().Baseline {
		return "baseline"
	}
	return say.Page.Change(c.Value(m, c.R().Baseline), c.Value(m, i))
}

// DiffClass colours a difference that the letters support.
func (c *Leaderboard) DiffClass(m, i int) string {
	b := c.R().Baseline
	if i == b || strings.ContainsAny(c.Group(m, i), c.Group(m, b)) || c.Group(m, b) == "" || c.Group(m, i) == "" && c.R().Protocol().Family == "" {
		return "diff"
	}
	if c.Value(m, i) > c.Value(m, b) != c.lower(m) {
		return "diff up"
	}
	return "diff down"
}

// Missing says how many queries a system could not answer, or could not as it should; "" where there are none.
func (c *Leaderboard) Missing(i int) string {
	s := c.R().Systems[i]
	if s.Missing == 0 {
		return s.Why
	}
	if c.Runs == nil && c.R().Unanswered(i) {
		return s.Why
	}
	if c.Runs != nil {
		return say.Count(s.Missing, "judged query is missing and counts 0", "judged queries are missing and count 0")
	}
	return say.Count(s.Missing, "query", "queries") + " not answered, counted 0: " + s.Why
}

// Caption explains what the table shows.
func (c *Leaderboard) Caption() string {
	r := c.R()
	s := ""
	if c.Runs != nil && len(r.Systems) > 1 {
		s = "The best by " + r.Measures[0] + " first. "
	}
	return s + "Mean over " + say.Count(len(r.Queries), "query", "queries") + ". The bar is the 95 % bootstrap interval. " + r.LettersMean(c.First()+"s")
}

// Number writes an index as the value of an option.
func (c *Leaderboard) Number(i int) string { return strconv.Itoa(i) }

// BaselineValue is the value of the option that is chosen.
func (c *Leaderboard) BaselineValue() string { return strconv.Itoa(c.R().Baseline) }

// SetBaseline chooses the baseline.
func (c *Leaderboard) SetBaseline(event vugu.DOMEvent) {
	if i, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		if c.Runs != nil {
			c.Runs.SetBaseline(i)
		} else {
			c.App.SetBaseline(i)
		}
	}
}
