package compare

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Claim finds out where a printed figure comes from.
type Claim struct {
	part
}

// detective is the name of the section that answers.
const detective = "detective"

// Form is what the fields show.
func (c *Claim) Form() screen.Claimed { return c.Compare.Claim.Form() }

// Measures are those of the report, and the one of the form where a link brought another.
func (c *Claim) Measures() []string {
	out := c.Compare.Runs.Report().Measures
	if m := c.Form().Measure; !slices.Contains(out, m) {
		out = append(slices.Clone(out), m)
	}
	return out
}

// Type takes the figure as it is typed.
func (c *Claim) Type(event vugu.DOMEvent) {
	text := event.PropString("target", "value")
	c.Compare.Claim.Edit(func(f *screen.Claimed) { f.Number = text })
}

// SetRun chooses whose figure it is.
func (c *Claim) SetRun(event vugu.DOMEvent) {
	if i, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.Compare.Claim.Edit(func(f *screen.Claimed) { f.Run = i })
	}
}

// SetMeasure chooses its measure.
func (c *Claim) SetMeasure(event vugu.DOMEvent) {
	name := event.PropString("target", "value")
	c.Compare.Claim.Edit(func(f *screen.Claimed) { f.Measure = name })
}

// Investigate looks for where it comes from.
func (c *Claim) Investigate(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Claim.Check()
}

// Problem is what is wrong with the figure, "" for nothing.
func (c *Claim) Problem() string {
	if a := c.Compare.Analyses.Done; a != nil && c.Compare.View.Claim != "" {
		return say.Visible(a.Problem)
	}
	return ""
}

// X is the figure beside what tools print, nil while there is none.
func (c *Claim) X() *analysis.Checked {
	if c.Compare.Analyses.Done == nil || c.Compare.View.Claim == "" {
		return nil
	}
	return c.Compare.Analyses.Done.Checked
}

// Section is what else could give the figure, nil while that is not there.
func (c *Claim) Section() *analysis.Section {
	if c.Compare.Analyses.Done == nil || c.Compare.View.Claim == "" {
		return nil
	}
	for i := range c.Compare.Analyses.Done.Sections {
		if s := &c.Compare.Analyses.Done.Sections[i]; s.Name == detective {
			return s
		}
	}
	return nil
}

// Waiting says whether the answer is on its way.
func (c *Claim) Waiting() bool {
	return c.Compare.View.Claim != "" && c.Compare.Analyses.Waiting() && c.Section() == nil
}

// Row marks the tools that print the figure.
func (c *Claim) Row(t analysis.ToolFigure) string {
	if t.Fits {
		return "picked"
	}
	return ""
}

// To is where a tool's choices are defined; for Rankbox, where the measure is.
func (c *Claim) To(t analysis.ToolFigure) string {
	if t.Version == "" {
		return ui.ToMeasure(t.As)
	}
	return ui.ToTool(t.Tool)
}

// Value sets the figure that was asked for in bold.
func (c *Claim) Value(t analysis.ToolFigure) string {
	if t.Fits {
		return "best"
	}
	return ""
}

// Difference is that to Rankbox, nothing for Rankbox itself.
func (c *Claim) Difference(t analysis.ToolFigure) string {
	switch {
	case t.Version == "":
		return ""
	case t.Difference == 0:
		return say.Page.Number(0, 4)
	}
	return say.Page.Signed(t.Difference, 4)
}

// DifferenceClass sets back what agrees.
func (c *Claim) DifferenceClass(t analysis.ToolFigure) string {
	if t.Difference == 0 {
		return "muted"
	}
	return ""
}

// Expanded says for the screen reader whether the queries are shown.
func (c *Claim) Expanded() string { return strconv.FormatBool(c.Compare.Claim.Changed) }

// Toggle shows the queries, or hides them.
func (c *Claim) Toggle() { c.Compare.Claim.ShowChanged(!c.Compare.Claim.Changed) }

// ShowLabel is that of the button.
func (c *Claim) ShowLabel() string {
	n := len(c.X().Changed)
	if c.Compare.Claim.Changed {
		return "Hide the " + say.Count(n, "query", "queries")
	}
	if n == 1 {
		return "Show the query"
	}
	return "Show the " + say.Count(n, "query", "queries")
}
