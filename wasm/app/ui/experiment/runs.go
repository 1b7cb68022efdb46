package experiment

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/experiment"
)

// Runs is the table of the runs.
type Runs struct {
	X   *screen.Experiment
	all bool // every run is shown, not the first ones
	by  int  // the measure that sorts the runs
	up  bool // worst first
}

// mostShown is how many runs are shown before all are asked for.
const mostShown = 50

// Rows are the runs that are shown: completed ones by the measure that sorts them, then those at work, those to come,
// those that failed.
func (c *Runs) Rows() []message.ExperimentRun {
	d := c.X.Done
	if d == nil {
		return nil
	}
	out := slices.Clone(d.Runs)
	slices.SortStableFunc(out, c.before)
	if !c.all && len(out) > mostShown {
		out = out[:mostShown]
	}
	return out
}

// before orders two runs.
func (c *Runs) before(x, y message.ExperimentRun) int {
	if a, b := rank(x), rank(y); a != b || a > 0 {
		return cmp.Compare(a, b)
	}
	u, v := c.value(x, c.by), c.value(y, c.by)
	if c.lower(c.by) == c.up {
		u, v = v, u
	}
	return cmp.Compare(u, v)
}

// rank is the place of a run's state in the table.
func rank(r message.ExperimentRun) int {
	switch r.State {
	case "completed":
		return 0
	case "failed":
		return 3
	case "pending":
		return 2
	}
	return 1
}

// value is the mean of a run by a measure, NaN where there is none.
func (c *Runs) value(r message.ExperimentRun, m int) float64 {
	if m < len(r.Means) {
		return r.Means[m]
	}
	if m == 0 {
		return r.Mean
	}
	return math.NaN()
}

// lower says whether less is better by a measure.
func (c *Runs) lower(m int) bool {
	if m == 0 {
		return c.X.Done.Lower
	}
	x, err := measure.Parse(c.Columns()[m])
	return err == nil && x.Info().Lower
}

// SortBy sorts the completed runs by a measure, best first; the same measure again reverses the order.
func (c *Runs) SortBy(m int) {
	c.by, c.up = m, m == c.by && !c.up
	c.X.App.View.Draw()
}

// Sorted says for the screen reader how a column sorts the runs.
func (c *Runs) Sorted(m int) interface{} {
	switch {
	case m != c.by:
		return nil
	case c.lower(m) != c.up:
		return "ascending"
	}
	return "descending"
}

// Arrow shows the same.
func (c *Runs) Arrow(m int) string {
	switch c.Sorted(m) {
	case "ascending":
		return " ▲"
	case "descending":
		return " ▼"
	}
	return ""
}

// RowClass marks the baseline.
func (c *Runs) RowClass(r message.ExperimentRun) string {
	if c.IsBaseline(r) {
		return "picked"
	}
	return ""
}

// More says how many are not shown.
func (c *Runs) More() string {
	if d := c.X.Done; d != nil && !c.all && len(d.Runs) > mostShown {
		return "Show all " + say.Count(len(d.Runs), "run", "runs")
	}
	return ""
}

// ShowAll shows every run.
func (c *Runs) ShowAll() { c.all = true; c.X.App.View.Draw() }

// Mean is what a run has so far.
func (c *Runs) Mean(r message.ExperimentRun, m int) string {
	v := c.value(r, m)
	if math.IsNaN(v) {
		return ""
	}
	return say.Page.Number(v, 4)
}

// Best marks the best mean of those that are done.
func (c *Runs) Best(r message.ExperimentRun, m int) string {
	if r.State != "completed" {
		return "num muted"
	}
	v := c.value(r, m)
	for _, o := range c.X.Done.Runs {
		if w := c.value(o, m); o.State == "completed" && w != v && (w > v) != c.lower(m) {
			return "num"
		}
	}
	return "num best"
}

// State says what became of a run.
func (c *Runs) State(r message.ExperimentRun) string {
	s := r.State
	if s == "running" || s == "cancelled" {
		s = strconv.Itoa(r.Evaluated+r.Empty+r.Failed) + " of " + strconv.Itoa(c.X.Done.Queries)
	}
	if r.Empty > 0 {
		s += ", " + strconv.Itoa(r.Empty) + " without a document"
	}
	if r.Failed > 0 {
		s += ", " + strconv.Itoa(r.Failed) + " not answered"
	}
	return s
}

// Why says why a run failed.
func (c *Runs) Why(r message.ExperimentRun) string { return say.Visible(r.Why) }

// Behind says what of a run was done behind the edge.
func (c *Runs) Behind(r message.ExperimentRun) string { return say.Visible(r.Behind) }

// Columns are the measures.
func (c *Runs) Columns() []string {
	if d := c.X.Done; len(d.Measures) > 0 {
		return d.Measures
	}
	return []string{c.X.Done.Measure}
}

// IsBaseline says whether a run is the one that the others are held against.
func (c *Runs) IsBaseline(r message.ExperimentRun) bool {
	d := c.X.Done
	return d.Baseline < len(d.Runs) && d.Runs[d.Baseline].Hash == r.Hash
}
