package compare

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/say"
)

// Claim finds out where a printed figure comes from.
type Claim struct {
	part
}

// detective is the name of the section that answers.
const detective = "detective"

// Type takes the figure as it is typed.
func (c *Claim) Type(event vugu.DOMEvent) { c.Compare.Typed = event.PropString("target", "value") }

// Investigate looks for where it comes from.
func (c *Claim) Investigate(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Investigate(c.Compare.Typed)
}

// Problem is what is wrong with the figure, "" for nothing.
func (c *Claim) Problem() string {
	if a := c.Compare.Analysed; a != nil && c.Compare.Claim != "" {
		return say.Visible(a.Problem)
	}
	return ""
}

// Section is the answer, nil while there is none.
func (c *Claim) Section() *analysis.Section {
	if c.Compare.Analysed == nil || c.Compare.Claim == "" {
		return nil
	}
	for i := range c.Compare.Analysed.Sections {
		if s := &c.Compare.Analysed.Sections[i]; s.Name == detective {
			return s
		}
	}
	return nil
}

// Waiting says whether the answer is on its way.
func (c *Claim) Waiting() bool {
	return c.Compare.Claim != "" && c.Compare.Investigating() && c.Section() == nil
}
