package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/message"
)

// ShowAnalyses shows a part of what matters and whether it is luck, or hides it.
func (c *Compare) ShowAnalyses(part string, on bool) {
	if c.Report() == nil || slices.Contains(c.Looking, part) == on {
		return
	}
	if on {
		c.Looking = append(slices.Clone(c.Looking), part)
	} else {
		c.Looking = slices.DeleteFunc(slices.Clone(c.Looking), func(p string) bool { return p == part })
	}
	c.lookAnalyses()
	c.App.View.Draw()
}

// AnalysesOf reports whether a part is there.
func (c *Compare) AnalysesOf(part string) bool {
	return c.Analysed != nil && slices.Contains(c.Analysed.Parts, part)
}

// Investigating reports whether the worker is looking.
func (c *Compare) Investigating() bool {
	_, waiting := c.App.Engine.Asked(message.Analyse)
	return waiting
}

// Timeable says whether the runs were made here, so that their times can be measured.
func (c *Compare) Timeable() bool { return !c.Setting.Matrix.Empty() }

// drawn are the parts that unfolded figures are drawn from, of runs that were made here: the named patterns, whose
// documents are at hand, and the times.
func (c *Compare) drawn() (parts []string) {
	if !c.Timeable() {
		return nil
	}
	if c.Unfolded(chart.Mistakes) {
		parts = append(parts, analysis.Matters)
	}
	if slices.ContainsFunc(chart.Clocked, c.Unfolded) {
		parts = append(parts, analysis.Took)
	}
	if c.Unfolded(chart.Waterfall) {
		parts = append(parts, analysis.Grown)
	}
	if c.Unfolded(chart.Worths) {
		parts = append(parts, analysis.Apart)
	}
	return parts
}

// lacking are the measures that unfolded figures are drawn from, with those of the report, the one that is looked at
// first; nil if the report has all of them.
func (c *Compare) lacking() []string {
	r := c.Report()
	if r == nil || !r.HasRankings() && c.Done.Available != nil {
		return nil // a table has what it has
	}
	all := []string{r.Measures[c.Column]}
	add := func(measures []string) {
		for _, m := range measures {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	for _, f := range chart.All() {
		if f.Measures != nil && c.Unfolded(f.Name) {
			add(f.Measures(all[0]))
		}
	}
	add(r.Measures)
	if len(all) == len(r.Measures) {
		return nil
	}
	return all
}

// lookAnalyses asks for the parts that are looked at, and for those that figures are drawn from.
func (c *Compare) lookAnalyses() {
	parts := slices.Clone(c.Looking)
	for _, p := range c.drawn() {
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	_, waiting := c.App.Engine.Asked(message.Analyse)
	measures := c.lacking()
	if c.Report() != nil && (len(parts) > 0 || c.Claim != "" || len(measures) > 0) || waiting {
		c.App.Engine.Request(message.Analyse, &message.AskAnalyse{Parts: parts, Claim: c.Claim, Measures: measures})
	}
}
