package compare

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Rules are the policies.
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

var optionLabels = map[string]string{"ties docid-desc": "by id, descending", "ties docid-asc": "by id, ascending",
	"ties stable": "as in the file", "ties input": "the file's order, scores ignored",
	"missing zero": "count 0", "missing skip": "left out", "unjudged non-relevant": "not relevant",
	"unjudged condensed": "taken out first", "gain linear": "the grade", "gain exponential": "2^grade − 1",
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
	c.Compare.Runs.SetPolicy(name, strings.TrimSpace(event.PropString("target", "value")))
}

// Policy says which decisions differ from the usual ones.
func (c *Rules) Policy() string {
	applied, _, _ := compare.ReadPolicy(c.S().Runs.Done.Policy) // the tests are chosen beside the pairs
	p := applied.String()
	if p == "" {
		return "As trec_eval -c: ties by document id descending, missing queries count 0, unjudged documents are not " +
			"relevant, linear gain."
	}
	return "Different from trec_eval -c: " + strings.ReplaceAll(p, " ", ", ") + "."
}
