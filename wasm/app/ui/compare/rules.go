package compare

import (
	"math"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Rules are the policies, and what other tools would say.
type Rules struct {
	part
}

// S is the state of the screen.
func (c *Rules) S() *screen.Compare { return c.Compare }

func switches(numbers bool) []measure.Switch {
	var out []measure.Switch
	for _, s := range measure.Switches() {
		if (s.Options == nil) == numbers {
			out = append(out, s)
		}
	}
	return out
}

// Choices are the switches with named options.
func (c *Rules) Choices() []measure.Switch { return switches(false) }

// Numbers are those that take a number.
func (c *Rules) Numbers() []measure.Switch { return switches(true) }

var optionLabels = map[string]string{"ties docid-desc": "by id, descending", "ties docid-asc": "by id, ascending", "ties stable": "as in the file", "ties input": "the file's order, scores ignored",
	"missing zero": "count 0", "missing skip": "left out", "unjudged non-relevant": "not relevant", "unjudged condensed": "taken out first", "gain linear": "the grade", "gain exponential": "2^grade − 1",
	"empty zero": "count 0", "empty skip": "left out", "precision double": "double", "precision single": "single"}

// Option names an option.
func (c *Rules) Option(name, option string) string {
	if l, ok := optionLabels[name+" "+option]; ok {
		return l
	}
	return option
}

// Placeholder is what a number is where nothing is typed.
func (c *Rules) Placeholder(name string) string {
	if name == "depth" {
		return "all"
	}
	return "1"
}

// Set sets a switch.
func (c *Rules) Set(event vugu.DOMEvent, name string) {
	c.Compare.SetPolicy(name, strings.TrimSpace(event.PropString("target", "value")))
}

// Policy says which decisions differ from the usual ones.
func (c *Rules) Policy() string {
	applied, _, _ := compare.ReadPolicy(c.S().Done.Policy) // the tests are chosen beside the pairs
	p := applied.String()
	if p == "" {
		return "As trec_eval -c: ties by document id descending, missing queries count 0, unjudged documents are not relevant, linear gain."
	}
	return "Different from trec_eval -c: " + strings.ReplaceAll(p, " ", ", ") + "."
}

func (c *Rules) measure() string { return c.S().Report().Measures[c.S().Column] }

// AskLabel offers to ask the other tools.
func (c *Rules) AskLabel() string { return "Compute " + c.measure() + " as other tools do" }

func (c *Rules) said() int {
	for m, name := range c.S().Report().Measures {
		if name == c.S().Said {
			return m
		}
	}
	return 0
}

func (c *Rules) ours(i int) float64 { return c.S().Report().Columns[c.said()].Means[i] }

// Ours is the mean of the report.
func (c *Rules) Ours(i int) string { return say.Page.Number(c.ours(i), 4) }

// As is what a tool calls the measure.
func (c *Rules) As(o compare.Opinion) string {
	if o.As == "" {
		return "not available"
	}
	return o.As
}

// Theirs is the mean that a tool would print.
func (c *Rules) Theirs(o compare.Opinion, i int) string {
	if i >= len(o.Means) {
		return "–"
	}
	return say.Page.Number(o.Means[i], 4)
}

// Same sets back what agrees.
func (c *Rules) Same(o compare.Opinion, i int) string {
	switch {
	case i >= len(o.Means):
		return "muted"
	case math.Abs(o.Means[i]-c.ours(i)) <= 1e-9:
		return ""
	}
	return "differs"
}

// Why says which of a tool's decisions make the difference.
func (c *Rules) Why(o compare.Opinion) string {
	var parts []string
	seen := map[string]bool{}
	for _, causes := range o.Differs {
		for _, x := range causes {
			if !seen[x.Decision] {
				seen[x.Decision] = true
				parts = append(parts, say.Visible(x.Example))
			}
		}
	}
	if o.As == "" {
		return ""
	}
	if len(parts) == 0 {
		return "the same"
	}
	return strings.Join(parts, "; ")
}

// Caption states the finding.
func (c *Rules) Caption() string {
	same, other := 0, 0
	for _, o := range c.S().Opinions {
		if o.As == "" {
			continue
		}
		agrees := true
		for i := range o.Means {
			agrees = agrees && math.Abs(o.Means[i]-c.ours(i)) <= 1e-9
		}
		if agrees {
			same++
		} else {
			other++
		}
	}
	if other == 0 {
		return say.Count(same, "other tool prints", "other tools print") + " the same " + c.S().Said + " for these files."
	}
	return say.Count(other, "tool prints", "tools print") + " another " + c.S().Said + " for these files, " + say.Thousands(same) + " the same. Reasons name the first query that changes."
}
