// Package arithmetic is the pane of the Search screen that takes the measure of a ranking apart, term by term. The
// richer program holds it.
package arithmetic

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	state "github.com/rankbox/rankbox/wasm/app/state/arithmetic"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Arithmetic is the pane.
type Arithmetic struct {
	S *state.Arithmetic
}

// A is the answer, nil while it is waited for.
func (c *Arithmetic) A() *evaluation.Unfolded {
	if a := c.S.Answer; a != nil && a.System == c.System() {
		return a
	}
	return nil
}

// System is the one whose ranking is unfolded.
func (c *Arithmetic) System() int { return c.S.App.Search.Unfolded - 1 }

// Heading names the figure.
func (c *Arithmetic) Heading() string {
	if a := c.A(); a != nil {
		return a.Measure + " of " + say.Letter(a.System) + ", term by term"
	}
	return "The measure, term by term"
}

// Class says whether the sheet of a narrow screen has its full height.
func (c *Arithmetic) Class() string {
	if c.S.App.View.Tall {
		return "why tall"
	}
	return "why"
}

// Measures are those of the query.
func (c *Arithmetic) Measures() []string {
	if c.S.App.Search.Results == nil {
		return nil
	}
	return c.S.App.Search.Results.Measures
}

// Column is the one that is looked at, as the value of an option.
func (c *Arithmetic) Column() string { return strconv.Itoa(c.S.Column) }

// Look turns to another one.
func (c *Arithmetic) Look(event vugu.DOMEvent) {
	if i := ui.Chosen(event); i >= 0 {
		c.S.Look(i)
	}
}

// Work is how a term comes about.
func (c *Arithmetic) Work(t evaluation.Row) string {
	if t.Work == "" {
		return "–"
	}
	return say.Work(t.Work)
}

// Divided is the last step: what the sum is divided by.
func (c *Arithmetic) Divided() string { return "÷ " + c.A().By }

// Scheme says what is not a plain sum.
func (c *Arithmetic) Scheme() string {
	if c.A().Stepwise {
		return "This measure is not a sum over documents. Each term is the change when the document is appended to " +
			"those above it."
	}
	return ""
}
