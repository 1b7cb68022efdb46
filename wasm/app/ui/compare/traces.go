package compare

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
)

// foundShown is how many relevant documents of an agent are listed on the page.
const foundShown = 200

// Traces is what agents did, step by step: recall so far, Any@k and All@k, and where each document was found.
type Traces struct {
	part
}

// Agents are the sections of the agents.
func (c *Traces) Agents() []analysis.Section { return c.Compare.Runs.Done.Traced }

// ID tells the sections apart.
func (c *Traces) ID(i int) string { return "trace-" + strconv.Itoa(i) }

// Agent is the section of an agent, with as many documents as are listed.
func (c *Traces) Agent(i int) *analysis.Section {
	s := c.Agents()[i]
	s.Name, s.Title = "steps", c.Compare.Runs.Report().Letter(i)+" "+s.Title
	tables := append([]analysis.Table(nil), s.Tables...)
	last := &tables[len(tables)-1]
	last.Rows = last.Rows[:min(len(last.Rows), foundShown)]
	s.Tables = tables
	return &s
}

// More counts the documents that are not listed.
func (c *Traces) More(i int) int {
	tables := c.Agents()[i].Tables
	return len(tables[len(tables)-1].Rows) - foundShown
}

// MoreNote says where they are.
func (c *Traces) MoreNote(i int) string {
	return say.Count(c.More(i), "more document is", "more documents are") +
		" not listed here: rankbox trace prints all."
}
