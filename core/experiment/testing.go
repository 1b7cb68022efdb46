package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// Testing says which paired test counts and how its p is corrected for the number of pairs. The zero Testing is the default: the test that
// significance.Choose takes for the differences, and Holm.
type Testing struct {
	Test       string                  // name in the registry of significance; "" chooses one
	Correction string                  // name of a correction; "" is holm, NoCorrection none
	Zeros      significance.ZeroMethod // of Wilcoxon's test
	Continuity bool                    // correction of its normal approximation
}

// NoCorrection is the correction that leaves every p as it is.
const NoCorrection = "none"

var testSwitches = []measure.Switch{
	{Name: "test", Title: "Test", Options: []string{"auto"}, Doc: "paired test that counts: chosen for the differences, or one by name"},
	{Name: "correction", Title: "Correction", Doc: "correction of p for the number of pairs"},
	{Name: "zeros", Title: "Differences of zero", Options: []string{"wilcox", "pratt", "zsplit"}, Doc: "differences of zero in Wilcoxon's test: left out, ranked and left out (Pratt), or ranked and split"},
	{Name: "continuity", Title: "Continuity correction", Options: []string{"off", "on"}, Doc: "continuity correction of Wilcoxon's normal approximation"},
}

func init() {
	for _, t := range significance.All() {
		testSwitches[0].Options = append(testSwitches[0].Options, t.Name)
	}
	for _, c := range significance.Corrections() {
		testSwitches[1].Options = append(testSwitches[1].Options, c.Name)
	}
	testSwitches[1].Options = append(testSwitches[1].Options, NoCorrection)
}

// TestSwitches lists the decisions of a Testing under the names that Set and String use, the default option first.
func TestSwitches() []measure.Switch { return slices.Clone(testSwitches) }

func (t Testing) option(i int) string {
	name := ""
	switch i {
	case 0:
		name = t.Test
	case 1:
		name = t.Correction
	case 2:
		name = t.Zeros.String()
	case 3:
		if t.Continuity {
			name = "on"
		}
	}
	if name == "" {
		return testSwitches[i].Options[0]
	}
	return name
}

// String returns the decisions that differ from the defaults as name=option, separated by spaces; "" for none.
func (t Testing) String() string {
	var parts []string
	for i, s := range testSwitches {
		if o := t.option(i); o != s.Options[0] {
			parts = append(parts, s.Name+"="+o)
		}
	}
	return strings.Join(parts, " ")
}

// Set changes one decision by name. known is false where the name is that of no decision; the error names the options. Other names of a
// correction that significance knows ("by", "hochberg") are taken too.
func (t *Testing) Set(name, option string) (known bool, err error) {
	i := slices.IndexFunc(testSwitches, func(s measure.Switch) bool { return s.Name == name })
	if i < 0 {
		return false, nil
	}
	s := testSwitches[i]
	if c, err := significance.LookupCorrection(option); name == "correction" && err == nil {
		option = c.Name
	}
	k := slices.Index(s.Options, option)
	if k < 0 {
		return true, fmt.Errorf("experiment: set %s %q: not one of %s", name, option, strings.Join(s.Options, ", "))
	}
	if k == 0 && i < 2 {
		option = ""
	}
	switch i {
	case 0:
		t.Test = option
	case 1:
		t.Correction = option
	case 2:
		t.Zeros, err = significance.LookupZeros(option)
	case 3:
		t.Continuity = k == 1
	}
	return true, err
}

// Adjust returns p-values corrected for their number.
func (t Testing) Adjust(p []float64) []float64 {
	switch t.Correction {
	case NoCorrection:
		return slices.Clone(p)
	case "":
		return significance.Holm(p)
	}
	c, err := significance.LookupCorrection(t.Correction)
	if err != nil { // Set lets none in
		panic(err)
	}
	return c.Adjust(p)
}

// ConcludeBy is Conclude with the tests of t.
func (r *Report) ConcludeBy(t Testing, cancel func() bool) error { return r.conclude(t, cancel) }

// Retest makes the paired tests of a concluded report again: what Conclude does with another Testing. Nothing else changes, and the
// finding and the hash are for the caller to make anew. What the report shared with others stays as it was.
func (r *Report) Retest(t Testing, cancel func() bool) error {
	if len(r.Columns) == 0 || len(r.Columns[0].Values) == 0 {
		return nil
	}
	r.Columns = slices.Clone(r.Columns)
	c := &r.Columns[0]
	c.Low, c.High = slices.Clone(c.Low), slices.Clone(c.High)
	r.Test = Test{}
	_, err := r.compare(c, significance.Options{Seed: seed, Cancel: cancel, Samples: Resamples(len(c.Values), len(r.Queries))}, t)
	return stopped(err)
}

// Resamples is how many resamples the tests of a report draw where nothing is exact: fewer the more values there are.
func Resamples(systems, queries int) int { return samples(mostTested, workTested, systems, queries) }

// explainTest says which test was taken and why.
func (t Testing) explainTest(found *significance.Comparison) Test {
	out := Test{Name: TestTitle(found.Test), Why: found.Choice.Why, Warnings: found.Choice.Warnings}
	if t.Test == "" {
		return out
	}
	x, err := significance.Lookup(t.Test)
	if err != nil {
		return out
	}
	detail := ""
	if t.Test == "wilcoxon" {
		switch t.Zeros {
		case significance.Pratt:
			detail += ", zeros as Pratt has them"
		case significance.Split:
			detail += ", zeros split between the sides"
		}
		if t.Continuity {
			detail += ", with continuity correction"
		}
	}
	out.Why = x.Title + detail + ": chosen by hand. It assumes: " + say.Lower(x.Assumes) + " Automatic would be: " + say.Lower(out.Why)
	if found.Choice.Test == t.Test {
		out.Why = x.Title + detail + ": chosen by hand, and automatic would be the same. " + found.Choice.Why
	}
	return out
}
