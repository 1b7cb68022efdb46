package compare

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Opinions are the figures of all runs as other tools have them.
type Opinions struct {
	part
}

// S is the state of the screen.
func (c *Opinions) S() *screen.Compare { return c.Compare }

func (c *Opinions) measure() string { return c.S().Runs.Report().Measures[c.S().View.Column] }

// AskLabel offers to ask the other tools.
func (c *Opinions) AskLabel() string { return "Compute " + c.measure() + " as other tools do" }

func (c *Opinions) said() int {
	for m, name := range c.S().Runs.Report().Measures {
		if name == c.S().Reasons.Said {
			return m
		}
	}
	return 0
}

func (c *Opinions) ours(i int) float64 { return c.S().Runs.Report().Columns[c.said()].Means[i] }

// Ours is the mean of the report.
func (c *Opinions) Ours(i int) string { return say.Page.Number(c.ours(i), 4) }

// As is what a tool calls the measure.
func (c *Opinions) As(o compare.Opinion) string {
	if o.As == "" {
		return "not available"
	}
	return o.As
}

// Theirs is the mean that a tool would print.
func (c *Opinions) Theirs(o compare.Opinion, i int) string {
	if i >= len(o.Means) {
		return "–"
	}
	return say.Page.Number(o.Means[i], 4)
}

// Same sets back what agrees.
func (c *Opinions) Same(o compare.Opinion, i int) string {
	switch {
	case i >= len(o.Means):
		return "muted"
	case math.Abs(o.Means[i]-c.ours(i)) <= 1e-9:
		return ""
	}
	return "differs"
}

// Why says which of a tool's decisions make the difference.
func (c *Opinions) Why(o compare.Opinion) string {
	var parts []string
	seen := map[string]bool{}
	for _, causes := range o.Differs {
		for _, x := range causes {
			if !seen[x.Decision] {
				seen[x.Decision] = true
				parts = append(parts, say.Visible(x.Example))
			}
		}
	}
	if o.As == "" {
		return ""
	}
	if len(parts) == 0 {
		return "the same"
	}
	return strings.Join(parts, "; ")
}

// Caption states the finding.
func (c *Opinions) Caption() string {
	same, other := 0, 0
	for _, o := range c.S().Reasons.Opinions {
		if o.As == "" {
			continue
		}
		agrees := true
		for i := range o.Means {
			agrees = agrees && math.Abs(o.Means[i]-c.ours(i)) <= 1e-9
		}
		if agrees {
			same++
		} else {
			other++
		}
	}
	if other == 0 {
		return say.Count(same, "other tool prints", "other tools print") + " the same " + c.S().Reasons.Said +
			" for these files."
	}
	return say.Count(other, "tool prints", "tools print") + " another " + c.S().Reasons.Said + " for these files, " +
		say.Thousands(same) + " the same. Reasons name the first query that changes."
}
