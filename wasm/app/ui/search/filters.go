package search

import (
	"strconv"
	"strings"

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
func (c *Filters) Shown() any { return [2]any{c.App.Filters.Facets(), c.Summary()} }

// Choice is one of the selects: all documents, or those of one of its options.
type Choice struct {
	ID, Label string
	All       string // what is said where nothing is chosen
	Value     string // what is chosen, or nothing
	Options   []message.Count
	Text      func(message.Count) string
	Set       func(string)
}

// Drawn says whether the months are drawn behind this one.
func (s Choice) Drawn() bool { return s.ID == "to" && len(s.Options) > 1 }

// Choices are the selects in their order.
func (c *Filters) Choices() []Choice {
	have := c.App.Filters.Facets()
	f, from, to := c.App.Settings.Spec.Filter, c.from(), c.to()
	month := func(n message.Count) string { return ui.Month(n.Value) }
	return []Choice{
		{"category", "Category", "all", first(f.Categories), have.Categories, counted, c.App.Filters.Category},
		{"from", "From", "any date", from, c.months(), month, func(m string) { c.App.Filters.Dates(m, to) }},
		{"to", "to", "any date", to, c.months(), month, func(m string) { c.App.Filters.Dates(from, m) }},
		{"entity", "About", "any person or place", first(f.Entities), frequent(have.Entities, first(f.Entities)), counted,
			c.App.Filters.Entity},
	}
}

// frequent are the first values of a list, and the chosen one wherever it is.
func frequent(list []message.Count, chosen string) []message.Count {
	n := min(40, len(list))
	for _, x := range list[n:] {
		if x.Value == chosen {
			return append(list[:n:n], x)
		}
	}
	return list[:n]
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// counted is a value with the number of its documents.
func counted(n message.Count) string { return n.Value + " (" + strconv.Itoa(n.N) + ")" }

// months are the months of the collection.
func (c *Filters) months() []message.Count {
	return c.App.Filters.Facets().Months
}

func monthOf(s string) string {
	if len(s) >= 7 {
		return s[:7]
	}
	return ""
}

// from is the first month that is searched.
func (c *Filters) from() string { return monthOf(c.App.Settings.Spec.Filter.From) }

// to is the last.
func (c *Filters) to() string { return monthOf(c.App.Settings.Spec.Filter.To) }

// Summary says what is searched.
func (c *Filters) Summary() string {
	f := c.App.Settings.Spec.Filter
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
func (c *Filters) HistogramBox() string { return "0 0 " + strconv.Itoa(10*len(c.months())) + " 28" }

// Bar is a month in the histogram: where it begins, how high it is, and "out" as the class of one that is not searched.
type Bar struct {
	Y, Height int
	Class     string
}

// Bars are the months, the highest as high as the histogram.
func (c *Filters) Bars() []Bar {
	highest := 1
	for _, n := range c.months() {
		highest = max(highest, n.N)
	}
	from, to := c.from(), c.to()
	var out []Bar
	for _, n := range c.months() {
		b := Bar{Height: 28 * n.N / highest}
		b.Y = 28 - b.Height
		if from != "" && n.Value < from || to != "" && n.Value > to {
			b.Class = "out"
		}
		out = append(out, b)
	}
	return out
}
