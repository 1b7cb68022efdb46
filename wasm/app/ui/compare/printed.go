package compare

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Printed says what printed figures can show, without files.
type Printed struct {
	part
}

// P is what was typed.
func (c *Printed) P() *screen.Printed { return &c.Compare.Claim.Printed }

// TypeQueries takes the number of queries as it is typed.
func (c *Printed) TypeQueries(event vugu.DOMEvent) {
	c.P().Queries = event.PropString("target", "value")
}

// TypeMean takes the mean as it is typed.
func (c *Printed) TypeMean(event vugu.DOMEvent) { c.P().Mean = event.PropString("target", "value") }

// TypeBaseline takes the baseline's mean as it is typed.
func (c *Printed) TypeBaseline(event vugu.DOMEvent) {
	c.P().Baseline = event.PropString("target", "value")
}

// Check says what the figures can show.
func (c *Printed) Check(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Compare.Claim.CheckPrinted()
}

// Problem is what is wrong with the figures, "" for nothing.
func (c *Printed) Problem() string {
	if c.P().Asked == "" {
		return ""
	}
	if _, err := analysis.ReadPrinted(c.P().Asked); err != nil {
		return say.Visible(say.Sentence(err))
	}
	return ""
}

// Lines are what the figures can and cannot show.
func (c *Printed) Lines() []string {
	if c.P().Asked == "" {
		return nil
	}
	p, err := analysis.ReadPrinted(c.P().Asked)
	if err != nil {
		return nil
	}
	return p.Lines(say.Page)
}
