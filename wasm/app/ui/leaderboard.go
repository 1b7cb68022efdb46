package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

// Leaderboard is the table of systems and measures.
type Leaderboard struct{ Part }

// Place is where a system's letter stands in the alphabet.
func (c *Leaderboard) Place(i int) int { return c.App.Settings.Place(i) }

// Shown is the moment that the table shows, and of which report.
func (c *Leaderboard) Shown() any {
	return struct {
		Moment
		report *report.Report
	}{Moment{c.App, c.App.View.Changes}, c.R()}
}

// R is the report that is shown.
func (c *Leaderboard) R() *report.Report { return c.App.Figures.Report }

// Notation is the second line of a system's name.
func (c *Leaderboard) Notation(i int) string { return c.R().Systems[i].Notation }

// Label is the name of a system.
func (c *Leaderboard) Label(i int) string { return say.Visible(c.R().Systems[i].Label) }

// Off says whether the baseline cannot be chosen yet.
func (c *Leaderboard) Off() bool { return c.App.Engine.Opened == nil }

// Class is "stale" while a newer report is being computed.
func (c *Leaderboard) Class() string {
	if c.App.Engine.Opened != nil && c.App.Figures.Stale() {
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
	if c.Value(m, i) == c.R().Columns[m].Best {
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
	return "95 % interval " + c.R().Columns[m].Interval(i, say.Page, 3)
}

// X is where a value lies on the bar, which spans all intervals of its column.
func (c *Leaderboard) X(m int, v float64) string {
	lo, hi := c.R().Columns[m].Reach()
	if v != v { // no interval is a line without length
		v = lo
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
	if i == b || strings.ContainsAny(c.Group(m, i), c.Group(m, b)) || c.Group(m, b) == "" || c.Group(m, i) == "" &&
		c.R().Protocol().Family == "" {
		return "diff"
	}
	if c.Value(m, i) > c.Value(m, b) != c.R().Columns[m].Lower {
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
	if c.R().Unanswered(i) {
		return s.Why
	}
	return say.Count(s.Missing, "query", "queries") + " not answered, counted 0: " + s.Why
}

// Caption explains what the table shows.
func (c *Leaderboard) Caption() string {
	r := c.R()
	return "Mean over " + say.Count(len(r.Queries), "query", "queries") + ". The bar is the 95 % interval. " +
		r.LettersMean("Systems")
}

// Number writes an index as the value of an option.
func (c *Leaderboard) Number(i int) string { return strconv.Itoa(i) }

// BaselineValue is the value of the option that is chosen.
func (c *Leaderboard) BaselineValue() string { return strconv.Itoa(c.R().Baseline) }

// SetBaseline chooses the baseline.
func (c *Leaderboard) SetBaseline(event vugu.DOMEvent) {
	if i, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.App.Editor.SetBaseline(i)
	}
}
