package ui

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
)

// ComparePairs are the paired tests on the measure that is looked at.
type ComparePairs struct {
	part
}

// pairsShown is how many pairs stand in the table.
const pairsShown = 45

// R is the report.
func (c *ComparePairs) R() *compare.Report { return c.App.Compare.Report() }

// Ready says whether the tests on the measure are there.
func (c *ComparePairs) Ready() bool { return c.App.Compare.Tested() != nil }

// Column is the measure as the value of an option.
func (c *ComparePairs) Column() string { return ordinal(c.App.Compare.Column) }

// Measure is its name.
func (c *ComparePairs) Measure() string { return c.R().Measures[c.App.Compare.Column] }

// SetColumn chooses it.
func (c *ComparePairs) SetColumn(event vugu.DOMEvent) { c.App.SetColumn(chosen(event)) }

// Why says why the test is another one than that of the first measure, which stands at the top; "" where that measure is looked at.
func (c *ComparePairs) Why() string {
	if c.App.Compare.Column == 0 {
		return ""
	}
	return c.App.Compare.Tested().Test.Why
}

// Doubts are the warnings about it.
func (c *ComparePairs) Doubts() []string { return c.App.Compare.Tested().Test.Warnings }

// Pairs are the comparisons with the baseline first, then the others.
func (c *ComparePairs) Pairs() []experiment.Pair {
	r, t := c.R(), c.App.Compare.Tested()
	var out []experiment.Pair
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
	return out[:min(len(out), pairsShown)]
}

// Key names a row.
func (c *ComparePairs) Key(p experiment.Pair) string {
	return strconv.Itoa(p.A) + " " + strconv.Itoa(p.B)
}

// Names are spelled out in the table up to this many runs; of more the letters have to do, which the leaderboard explains.
const namesShown = 6

// Name is the name of a run, as far as the table has room for it.
func (c *ComparePairs) Name(i int) string {
	if len(c.R().Systems) > namesShown {
		return ""
	}
	return within(c.R().Systems[i].Label, 28)
}

// Label is the pair in words.
func (c *ComparePairs) Label(p experiment.Pair) string {
	return letter(p.B) + " " + brief(c.R().Systems[p.B].Label) + " − " + letter(p.A) + " " + brief(c.R().Systems[p.A].Label)
}

// Pressed marks the pair that is looked at below.
func (c *ComparePairs) Pressed(p experiment.Pair) string {
	return strconv.FormatBool(p.A == c.App.Compare.A && p.B == c.App.Compare.B)
}

// Class colours what is no chance.
func (c *ComparePairs) Class(p experiment.Pair) string {
	switch {
	case !(p.Adjusted < compare.Alpha):
		return ""
	case p.Diff > 0 != c.R().Extra[c.App.Compare.Column].Lower:
		return "up"
	}
	return "down"
}

// Interval is the interval of the difference.
func (c *ComparePairs) Interval(p experiment.Pair) string {
	return fixed(p.Low, 4) + " to " + fixed(p.High, 4)
}

// after says what p is.
func (c *ComparePairs) after() string {
	if s := c.R().Correction(); s != experiment.NoCorrection {
		return "p after " + s
	}
	return "p without correction"
}

// Caption says what was tested and how, and what came out.
func (c *ComparePairs) Caption() string {
	r, t := c.R(), c.App.Compare.Tested()
	apart := 0
	for _, p := range t.Pairs {
		if p.Adjusted < compare.Alpha {
			apart++
		}
	}
	s := "By " + c.Measure() + ", " + strconv.Itoa(apart) + " of " + plural(len(t.Pairs), "pair differs", "pairs differ") + " by more than chance (" + t.Test.Name + ", " + plural(len(r.Queries), "query", "queries") +
		", " + c.after() + " below 0.05). Select a pair to see its queries below."
	if len(t.Pairs) == 1 {
		s = "By " + c.Measure() + ", the pair " + map[bool]string{true: "differs by more than chance", false: "cannot be told apart"}[apart == 1] + " (" + t.Test.Name + ", " + plural(len(r.Queries), "query", "queries") + ")."
	}
	if len(t.Pairs) > pairsShown {
		s += " The table shows " + strconv.Itoa(pairsShown) + " pairs, those with the baseline first; all are in the exports."
	}
	return s
}
