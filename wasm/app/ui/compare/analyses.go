package compare

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/say"
)

// Analyses is a part of what matters and whether it is luck.
type Analyses struct {
	part
	ID string // "matters", "slices", "luck"
}

// analysesOf are the parts by their ids, and what each says before it was looked into.
var analysesOf = map[string]struct{ part, lead, button string }{
	"matters": {analysis.Matters, "Which component of the systems makes the difference, and which queries are hard for every one of them.", "Look into what matters"},
	"slices":  {analysis.Slice, "Each run against the baseline on every kind of query, with an interval, the number of queries, and p corrected over all kinds.", "Compare kind by kind"},
	"luck":    {analysis.Luck, "Between which places each run stands, what to believe of the differences, which documents to judge next, and where a printed figure comes from.", "Look into the luck"},
}

// Part is the title.
func (c *Analyses) Part() string { return analysesOf[c.ID].part }

// Lead says what it is.
func (c *Analyses) Lead() string { return analysesOf[c.ID].lead }

// On says whether it is looked at.
func (c *Analyses) On() bool { return slices.Contains(c.Compare.Looking, c.Part()) }

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
func (c *Analyses) Waiting() bool { return c.On() && !c.Compare.AnalysesOf(c.Part()) }

// Busy says it for the screen reader.
func (c *Analyses) Busy() string { return strconv.FormatBool(c.Waiting()) }

// Toggle shows or hides it.
func (c *Analyses) Toggle() { c.Compare.ShowAnalyses(c.Part(), !c.On()) }

// Sections are those of the part.
func (c *Analyses) Sections() (out []*analysis.Section) {
	if !c.On() || !c.Compare.AnalysesOf(c.Part()) {
		return nil
	}
	for i := range c.Compare.Analysed.Sections {
		if s := &c.Compare.Analysed.Sections[i]; s.Part == c.Part() {
			out = append(out, s)
		}
	}
	return out
}

// Key tells the sections apart.
func (c *Analyses) Key(s *analysis.Section) string { return c.ID + "-" + s.Name }

// Class is how a cell stands: words to the left.
func (c *Analyses) Class(x analysis.Cell) string {
	if x.Number {
		return ""
	}
	return "words"
}

// HeadClass is that of a column's name.
func (c *Analyses) HeadClass(t *analysis.Table, column int) string {
	if len(t.Rows) > 0 && !t.Rows[0][column].Number {
		return "words"
	}
	return ""
}

// Rest are the cells of a row after its name.
func (c *Analyses) Rest(row []analysis.Cell) []analysis.Cell { return row[1:] }

// Asks says whether a figure can be looked into here.
func (c *Analyses) Asks() bool { return c.ID == "luck" && c.On() }

// Claim is the figure as it stands in its field.
func (c *Analyses) Claim() string { return c.Compare.Typed }

// Type takes the figure as it is typed.
func (c *Analyses) Type(event vugu.DOMEvent) { c.Compare.Typed = event.PropString("target", "value") }

// Investigate looks into it.
func (c *Analyses) Investigate(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Investigate(c.Compare.Typed)
}

// Problem is what is wrong with the figure.
func (c *Analyses) Problem() string {
	if a := c.Compare.Analysed; a != nil && c.Compare.Claim != "" {
		return say.Visible(a.Problem)
	}
	return ""
}
