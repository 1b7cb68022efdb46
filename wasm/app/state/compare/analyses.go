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
	c.App.Draw()
}

// AnalysesOf reports whether a part is there.
func (c *Compare) AnalysesOf(part string) bool {
	return c.Analysed != nil && slices.Contains(c.Analysed.Parts, part)
}

// Investigating reports whether the worker is looking.
func (c *Compare) Investigating() bool {
	_, waiting := c.App.Asked(message.Analyse)
	return waiting
}

// lookAnalyses asks for the parts that are looked at, and for what the figure of what goes wrong shows of them: of an experiment's runs, whose
// documents are at hand, the named patterns.
func (c *Compare) lookAnalyses() {
	parts := c.Looking
	if len(c.Setting.Matrix.Systems) > 0 && c.Unfolded(chart.Mistakes) && !slices.Contains(parts, analysis.Matters) {
		parts = append(slices.Clone(parts), analysis.Matters)
	}
	_, waiting := c.App.Asked(message.Analyse)
	if c.Report() != nil && (len(parts) > 0 || c.Claim != "") || waiting {
		c.App.Request(message.Analyse, &message.AskAnalyse{Parts: parts, Claim: c.Claim})
	}
}
