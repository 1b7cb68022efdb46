package compare

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
)

// Analyses is a part of the analysis of components, kinds of queries and robustness.
type Analyses struct {
	part
	ID string // "matters", "slices", "luck", "time"
}

// analysesOf are the parts by their ids, their titles, and what each says before it is asked for.
var analysesOf = map[string]struct{ part, title, lead, button string }{
	"matters": {analysis.Matters, "Component analysis",
		"Which component makes the difference, and which queries are hard for every run.", "Analyse components"},
	"slices": {analysis.Slice, "Kinds of queries against the baseline",
		"Each run minus the baseline on every kind of query, with interval, n and corrected p.",
		"Compare kinds of queries"},
	"time": {analysis.Took, "Time",
		"Milliseconds per query of every system and stage, measured in this tab: p50, p95 and p99.", "Measure times"},
	"luck": {analysis.Luck, "Robustness",
		"The range of ranks each run could have, how much of each difference to believe, and which documents to " +
			"judge next.", "Analyse robustness"},
}

// Part is the part of the analysis.
func (c *Analyses) Part() string { return analysesOf[c.ID].part }

// Title heads it.
func (c *Analyses) Title() string { return analysesOf[c.ID].title }

// Lead says what it is.
func (c *Analyses) Lead() string { return analysesOf[c.ID].lead }

// On says whether it is looked at.
func (c *Analyses) On() bool { return slices.Contains(c.Compare.Analyses.Parts, c.Part()) }

// Expanded says it for the button.
func (c *Analyses) Expanded() string { return strconv.FormatBool(c.On()) }

// Label is that of the button.
func (c *Analyses) Label() string {
	if c.On() {
		return "Hide"
	}
	return analysesOf[c.ID].button
}

// Waiting says whether it is on its way.
func (c *Analyses) Waiting() bool { return c.On() && !c.Compare.Analyses.Has(c.Part()) }

// Busy says it for the screen reader.
func (c *Analyses) Busy() string { return strconv.FormatBool(c.Waiting()) }

// Toggle shows or hides it.
func (c *Analyses) Toggle() { c.Compare.Analyses.Show(c.Part(), !c.On()) }

// Sections are those of the part.
func (c *Analyses) Sections() (out []*analysis.Section) {
	if !c.On() || !c.Compare.Analyses.Has(c.Part()) {
		return nil
	}
	for i := range c.Compare.Analyses.Done.Sections {
		if s := &c.Compare.Analyses.Done.Sections[i]; s.Part == c.Part() && s.Name != detective {
			out = append(out, s)
		}
	}
	return out
}
