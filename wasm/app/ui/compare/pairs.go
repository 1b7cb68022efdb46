package compare

import (
	"cmp"
	"math"
	"sort"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Pairs are the paired tests on the measure that is looked at.
type Pairs struct {
	part
}

// pairsShown is how many pairs stand on a page of the table.
const pairsShown = 20

// R is the report.
func (c *Pairs) R() *report.Report { return c.Compare.Runs.Report() }

// Ready says whether the tests on the measure are there.
func (c *Pairs) Ready() bool { return c.Compare.Statistics.Tested() != nil }

// Column is the measure as the value of an option.
func (c *Pairs) Column() string { return strconv.Itoa(c.Compare.View.Column) }

// Measure is its name.
func (c *Pairs) Measure() string { return c.R().Measures[c.Compare.View.Column] }

// SetColumn chooses it.
func (c *Pairs) SetColumn(event vugu.DOMEvent) { c.Compare.View.SetColumn(ui.Chosen(event)) }

// Why says why the test is another one than that of the first measure, which stands at the top; "" where that measure
// is looked at.
func (c *Pairs) Why() string {
	if c.Compare.View.Column == 0 {
		return ""
	}
	return c.Compare.Statistics.Tested().Test.Why(say.Page)
}

// Doubts are the warnings about it.
func (c *Pairs) Doubts() []string { return c.R().TestDoubts(c.Compare.Statistics.Tested(), say.Page) }

// Pairs are the comparisons with the baseline first, then the others; or in the order that was asked for, those without
// a figure last.
func (c *Pairs) Pairs() []report.Pair {
	r, t := c.R(), c.Compare.Statistics.Tested()
	var out []report.Pair
	for i := range r.Systems {
		if p, ok := t.Pair(r.Baseline, i); ok && i != r.Baseline {
			out = append(out, p)
		}
	}
	for _, p := range t.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline {
			out = append(out, p)
		}
	}
	if c.Compare.Pairs.By == "" {
		return out
	}
	of := func(p report.Pair) float64 { return p.P }
	if c.Compare.Pairs.By == screen.PairsByDifference {
		of = func(p report.Pair) float64 { return p.Diff }
	}
	before := func(x, y report.Pair) int {
		u, v := of(x), of(y)
		switch {
		case math.IsNaN(u) || math.IsNaN(v):
			return cmp.Compare(map[bool]int{true: 1}[math.IsNaN(u)], map[bool]int{true: 1}[math.IsNaN(v)])
		case c.Compare.Pairs.Down:
			return cmp.Compare(v, u)
		}
		return cmp.Compare(u, v)
	}
	sort.SliceStable(out, func(i, j int) bool { return before(out[i], out[j]) < 0 })
	return out
}

// Page is the page of the table that is looked at, from 0; fewer pairs may have come since it was turned.
func (c *Pairs) Page() int { return min(c.Compare.Pairs.Page, c.Pages()-1) }

// Pages is how many there are, at least 1.
func (c *Pairs) Pages() int {
	return max(1, (len(c.Compare.Statistics.Tested().Pairs)+pairsShown-1)/pairsShown)
}

// Rows are the pairs on the page.
func (c *Pairs) Rows() []report.Pair {
	all := c.Pairs()
	from := min(c.Page()*pairsShown, len(all))
	return all[from:min(from+pairsShown, len(all))]
}

// Turn goes to another page.
func (c *Pairs) Turn(by int) { c.Compare.Pairs.Turn(by, c.Pages()) }

// Key names a row.
func (c *Pairs) Key(p report.Pair) string {
	return strconv.Itoa(p.A) + " " + strconv.Itoa(p.B)
}

// Name is the name of a run, as far as the table has room for it.
func (c *Pairs) Name(i int) string { return say.Within(c.R().Systems[i].Label, 28) }

// Sorted says how the table is sorted by a column.
func (c *Pairs) Sorted(by string) interface{} {
	if c.Compare.Pairs.By != by {
		return nil
	}
	if c.Compare.Pairs.Down {
		return "descending"
	}
	return "ascending"
}

// Arrow shows the same.
func (c *Pairs) Arrow(by string) string {
	switch {
	case c.Compare.Pairs.By != by:
		return ""
	case c.Compare.Pairs.Down:
		return " ↓"
	}
	return " ↑"
}

// By is the label of a button that does nothing else.
func (c *Pairs) By(by string) string {
	if a := c.Arrow(by); a != "" {
		return a[1:]
	}
	return "↕"
}

// Label is the pair in words.
func (c *Pairs) Label(p report.Pair) string {
	return c.R().Letter(p.B) + " " + ui.Brief(c.R().Systems[p.B].Label) + " − " + c.R().Letter(p.A) + " " +
		ui.Brief(c.R().Systems[p.A].Label)
}

// Pressed marks the pair that is looked at below.
func (c *Pairs) Pressed(p report.Pair) string {
	return strconv.FormatBool(p.A == c.Compare.View.A && p.B == c.Compare.View.B)
}

// Class colours what is no chance.
func (c *Pairs) Class(p report.Pair) string {
	switch {
	case !(p.Adjusted < report.Alpha):
		return ""
	case p.Diff > 0 != c.R().Columns[c.Compare.View.Column].Lower:
		return "up"
	}
	return "down"
}

// Interval is the interval of the difference, corrected as p is.
func (c *Pairs) Interval(p report.Pair) string {
	return say.Page.Span(p.Low, p.High, 4)
}

// after says what p is: over which pairs it was corrected too, where those are not all.
func (c *Pairs) after() string {
	s := c.R().Correction()
	if s == report.NoCorrection {
		return "p without correction"
	}
	if n := c.tested(); n < len(c.Compare.Statistics.Tested().Pairs) {
		return "p after " + s + " over " + strconv.Itoa(n)
	}
	return "p after " + s
}

// tested is how many pairs p is corrected over.
func (c *Pairs) tested() int {
	n := 0
	for _, p := range c.Compare.Statistics.Tested().Pairs {
		if c.R().Tested(p.A, p.B) {
			n++
		}
	}
	return n
}

// Caption says what was tested and how, and what came out.
func (c *Pairs) Caption() string {
	r, t := c.R(), c.Compare.Statistics.Tested()
	apart := 0
	for _, p := range t.Pairs {
		if p.Adjusted < report.Alpha {
			apart++
		}
	}
	n, which := c.tested(), ""
	if n < len(t.Pairs) {
		which = " with the baseline"
	}
	s := "By " + c.Measure() + ", " + strconv.Itoa(apart) + " of " + say.Count(n, "pair"+which, "pairs"+which) + " " +
		say.Verb(apart, "is", "are") + " significantly different (" + t.Test.Name + ", " +
		say.Count(len(r.On(t.Column).Queries), "query", "queries") + ", " + c.after() +
		" below 0.05). Select a pair to compare it in Queries and in the tests below."
	if len(t.Pairs) == 1 {
		return r.ConclusionOn(t).Between(t.Pairs[0].B, t.Pairs[0].A, say.Page)
	}
	if n < len(t.Pairs) {
		s += " The other " + say.Count(len(t.Pairs)-n, "pair has", "pairs have") +
			" p without correction, which decides nothing."
	}
	if held := r.Together(t); held != "" {
		s += " " + held
	}
	return s
}
