package compare

import (
	"slices"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Testing are the pickers of the test that counts and of the correction.
type Testing struct {
	part
}

// Switches are the decisions that there are to take: those of Wilcoxon's test only where it counts, the family only
// where there are pairs without the baseline.
func (c *Testing) Switches() []measure.Switch {
	all := report.Switches()
	wilcoxon := c.Compare.Runs.PolicyOption(all[0]) == "wilcoxon"
	return slices.DeleteFunc(all, func(s measure.Switch) bool {
		switch s.Name {
		case "zeros", "continuity", "wilcoxon":
			return !wilcoxon
		case "family":
			return len(c.Compare.Runs.Report().Systems) < 3
		}
		return false
	})
}

// To is where the chosen option is defined.
func (c *Testing) To(s measure.Switch) string {
	o := c.Compare.Runs.PolicyOption(s)
	switch s.Name {
	case "test":
		if _, err := significance.Lookup(o); err != nil {
			return ui.ToTest("chosen")
		}
		return ui.ToTest(o)
	case "correction":
		return ui.ToCorrection(o)
	case "family":
		return ui.ToTest(s.Name)
	}
	return ui.ToTest("wilcoxon")
}

var testingOptions = map[string]string{"zeros wilcox": "left out", "zeros pratt": "ranked, then left out (Pratt)",
	"zeros zsplit": "half to either side", "correction none": "none",
	"wilcoxon auto": "exact for few queries without ties, else normal", "wilcoxon exact": "exact",
	"wilcoxon normal": "normal approximation",
	"family all":      "all pairs", "family baseline": "pairs with the baseline"}

// Option names an option.
func (c *Testing) Option(s measure.Switch, o string) string {
	if l, ok := testingOptions[s.Name+" "+o]; ok {
		return l
	}
	switch s.Name {
	case "test":
		if t, err := significance.Lookup(o); err == nil {
			return t.Title
		}
		if t := c.Compare.Statistics.Tested(); t != nil && c.Compare.Runs.PolicyOption(s) == o {
			return "automatic: " + t.Test.Name
		}
		return "automatic"
	case "correction":
		if x, err := significance.LookupCorrection(o); err == nil {
			return x.Title
		}
	}
	return o
}

// Set sets a switch.
func (c *Testing) Set(event vugu.DOMEvent, name string) {
	c.Compare.Runs.SetPolicy(name, event.PropString("target", "value"))
}
