package ui

import (
	"strconv"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ComparePairs are the paired tests.
type ComparePairs struct {
	App *state.App
}

// pairsShown is how many pairs stand in the table.
const pairsShown = 45

// Pairs are the comparisons with the baseline first, then the others.
func (c *ComparePairs) Pairs() []experiment.Pair {
	r := c.App.Compare.Report()
	var out []experiment.Pair
	for i := range r.Systems {
		if p, ok := r.Pair(r.Baseline, i); ok && i != r.Baseline {
			out = append(out, p)
		}
	}
	for _, p := range r.Pairs {
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

// Name is the name of a run.
func (c *ComparePairs) Name(i int) string { return c.App.Compare.Report().Systems[i].Label }

// Pressed marks the pair that is looked at below.
func (c *ComparePairs) Pressed(p experiment.Pair) string {
	return strconv.FormatBool(p.A == c.App.Compare.A && p.B == c.App.Compare.B)
}

// Class colours what is no chance.
func (c *ComparePairs) Class(p experiment.Pair) string {
	switch r := c.App.Compare.Report(); {
	case !(p.Adjusted < 0.05):
		return ""
	case p.Diff > 0 != r.Extra[0].Lower:
		return "up"
	}
	return "down"
}

// Interval is the interval of the difference.
func (c *ComparePairs) Interval(p experiment.Pair) string {
	return fixed(p.Low, 4) + " to " + fixed(p.High, 4)
}

// Caption says what was tested and how.
func (c *ComparePairs) Caption() string {
	r := c.App.Compare.Report()
	s := r.Measures[0] + ", " + r.Test.Name + ", " + plural(len(r.Queries), "query", "queries") + "; p after Holm over " + plural(len(r.Pairs), "pair", "pairs") + ". Select a pair to see its queries below."
	if len(r.Pairs) > pairsShown {
		s += " The table shows " + strconv.Itoa(pairsShown) + " pairs, those with the baseline first; all are in the exports."
	}
	return s
}
