package search

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Filters are the choice of the documents that are searched.
type Filters struct {
	App *state.App
	dom.Kept
}

// Shown is what the component shows: the summary has all that is chosen.
func (c *Filters) Shown() any { return [2]any{c.App.Opened, c.Summary()} }

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// CategoryValue is the category that is chosen.
func (c *Filters) CategoryValue() string { return first(c.App.Spec.Filter.Categories) }

// EntityValue is the entity that is chosen.
func (c *Filters) EntityValue() string { return first(c.App.Spec.Filter.Entities) }

// SetCategory chooses one.
func (c *Filters) SetCategory(event vugu.DOMEvent) {
	c.App.Category(event.PropString("target", "value"))
}

// SetEntity chooses one.
func (c *Filters) SetEntity(event vugu.DOMEvent) { c.App.Entity(event.PropString("target", "value")) }

// Categories are what there is to choose from.
func (c *Filters) Categories() []message.Count {
	if c.App.Opened == nil {
		return nil
	}
	return c.App.Opened.Categories
}

// Entities are the forty that most documents name.
func (c *Filters) Entities() []message.Count {
	if c.App.Opened == nil {
		return nil
	}
	return c.App.Opened.Entities[:min(40, len(c.App.Opened.Entities))]
}

// Months are the months of the collection.
func (c *Filters) Months() []message.Count {
	if c.App.Opened == nil {
		return nil
	}
	return c.App.Opened.Months
}

// Counted writes a value with the number of its documents.
func (c *Filters) Counted(n message.Count) string { return n.Value + " (" + strconv.Itoa(n.N) + ")" }

// MonthName writes a month.
func (c *Filters) MonthName(n message.Count) string { return ui.Month(n.Value) }

func monthOf(s string) string {
	if len(s) >= 7 {
		return s[:7]
	}
	return ""
}

// From is the first month that is searched.
func (c *Filters) From() string { return monthOf(c.App.Spec.Filter.From) }

// To is the last.
func (c *Filters) To() string { return monthOf(c.App.Spec.Filter.To) }

// SetFrom chooses it.
func (c *Filters) SetFrom(event vugu.DOMEvent) {
	c.App.Dates(event.PropString("target", "value"), c.To())
}

// SetTo chooses it.
func (c *Filters) SetTo(event vugu.DOMEvent) {
	c.App.Dates(c.From(), event.PropString("target", "value"))
}

// Summary says what is searched.
func (c *Filters) Summary() string {
	f := c.App.Spec.Filter
	var parts []string
	parts = append(parts, f.Categories...)
	switch {
	case f.From != "" && f.To != "":
		parts = append(parts, ui.Month(monthOf(f.From))+" to "+ui.Month(monthOf(f.To)))
	case f.From != "":
		parts = append(parts, "from "+ui.Month(monthOf(f.From)))
	case f.To != "":
		parts = append(parts, "to "+ui.Month(monthOf(f.To)))
	}
	for _, e := range f.Entities {
		parts = append(parts, "about "+e)
	}
	if len(parts) == 0 {
		return "Filters: all documents"
	}
	return "Filters: " + strings.Join(parts, ", ")
}

// HistogramBox is the size of the small histogram.
func (c *Filters) HistogramBox() string { return "0 0 " + strconv.Itoa(10*len(c.Months())) + " 28" }

func (c *Filters) highest() int {
	m := 1
	for _, n := range c.Months() {
		m = max(m, n.N)
	}
	return m
}

// BarHeight is the height of a month.
func (c *Filters) BarHeight(n message.Count) int { return 28 * n.N / c.highest() }

// BarY is where it begins.
func (c *Filters) BarY(n message.Count) int { return 28 - c.BarHeight(n) }

// BarClass is "out" for a month that is not searched.
func (c *Filters) BarClass(n message.Count) string {
	if f := c.From(); f != "" && n.Value < f {
		return "out"
	}
	if t := c.To(); t != "" && n.Value > t {
		return "out"
	}
	return ""
}
