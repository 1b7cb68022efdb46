package report

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Protocol says which paired test counts and how its p is corrected for the number of pairs. The zero Protocol is the
// default: the test that significance.Choose takes for the differences, and Holm.
type Protocol struct {
	Test       string                  // name in the registry of significance; "" chooses one
	Correction string                  // name of a correction; "" is holm, NoCorrection none
	Zeros      significance.ZeroMethod // of Wilcoxon's test
	Continuity bool                    // correction of its normal approximation
	Wilcoxon   string                  // how its p is found: "" as scipy's auto, "exact", "normal"
	Family     string                  // pairs that p is corrected over: "" all, BaselineFamily those with the baseline
}

// NoCorrection is the correction that leaves every p as it is.
const NoCorrection = "none"

// BaselineFamily is the family of the pairs with the baseline: the others have a p, and none after correction.
const BaselineFamily = "baseline"

var switches = []measure.Switch{
	{Name: "test", Title: "Test", Options: []string{"auto"},
		Doc: "paired test that counts: chosen for the differences, or one by name"},
	{Name: "correction", Title: "Correction", Doc: "correction of p for the number of pairs"},
	{Name: "zeros", Title: "Differences of zero", Options: []string{"wilcox", "pratt", "zsplit"},
		Doc: "differences of zero in Wilcoxon's test: left out, ranked and left out (Pratt), or ranked and split"},
	{Name: "continuity", Title: "Continuity correction", Options: []string{"off", "on"},
		Doc: "continuity correction of Wilcoxon's normal approximation"},
	{Name: "wilcoxon", Title: "Wilcoxon's p", Options: []string{"auto", "exact", "normal"},
		Doc: "p of Wilcoxon's test: as scipy chooses, exact for up to 300 differences, or the normal approximation"},
	{Name: "family", Title: "Over", Options: []string{"all", BaselineFamily},
		Doc: "pairs that p is corrected over: all, or those with the baseline only"},
}

func init() {
	for _, t := range significance.All() {
		switches[0].Options = append(switches[0].Options, t.Name)
	}
	for _, c := range significance.Corrections() {
		switches[1].Options = append(switches[1].Options, c.Name)
	}
	switches[1].Options = append(switches[1].Options, NoCorrection)
}

// Switches lists the decisions of a Protocol under the names that Set and String use, the default option first.
func Switches() []measure.Switch { return slices.Clone(switches) }

func (t Protocol) option(i int) string {
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
	case 4:
		name = t.Wilcoxon
	case 5:
		name = t.Family
	}
	if name == "" {
		return switches[i].Options[0]
	}
	return name
}

// String returns the decisions that differ from the defaults as name=option, separated by spaces; "" for none.
func (t Protocol) String() string {
	var parts []string
	for i, s := range switches {
		if o := t.option(i); o != s.Options[0] {
			parts = append(parts, s.Name+"="+o)
		}
	}
	return strings.Join(parts, " ")
}

// Set changes one decision by name. known is false where the name is that of no decision; the error names the options.
// Other names of a correction that significance knows ("by", "hochberg") are taken too.
func (t *Protocol) Set(name, option string) (known bool, err error) {
	i := slices.IndexFunc(switches, func(s measure.Switch) bool { return s.Name == name })
	if i < 0 {
		return false, nil
	}
	s := switches[i]
	if c, err := significance.LookupCorrection(option); name == "correction" && err == nil {
		option = c.Name
	}
	k := slices.Index(s.Options, option)
	if k < 0 {
		return true, say.Faultf("report", "set %s %q: not one of %s", name, option, strings.Join(s.Options, ", "))
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
	case 4:
		if t.Wilcoxon = option; k == 0 {
			t.Wilcoxon = ""
		}
	case 5:
		if t.Family = option; k == 0 {
			t.Family = ""
		}
	}
	return true, err
}

// method is how Wilcoxon's test finds p.
func (t Protocol) method() significance.Method {
	switch t.Wilcoxon {
	case "exact":
		return significance.Exact
	case "normal":
		return significance.Normal
	}
	return significance.Auto
}

// Correct sets Adjusted of every pair of a report: NaN outside of the family.
func (t Protocol) Correct(pairs []Pair, r *Report) {
	var ps []float64
	for _, p := range pairs {
		if t.tests(r, p.A, p.B) {
			ps = append(ps, p.P)
		}
	}
	ps = t.Adjust(ps)
	for i := range pairs {
		p := &pairs[i]
		if p.Adjusted = math.NaN(); t.tests(r, p.A, p.B) {
			p.Adjusted, ps = ps[0], ps[1:]
		}
	}
}

// Adjust returns p-values corrected for their number.
func (t Protocol) Adjust(p []float64) []float64 {
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

// Decisions returns those of t that are not at their defaults.
func (t Protocol) Decisions() []Decision {
	var out []Decision
	for _, pair := range strings.Fields(t.String()) {
		name, option, _ := strings.Cut(pair, "=")
		for _, s := range switches {
			if s.Name == name {
				out = append(out, Decision{Name: name, Option: option, Doc: s.Doc})
			}
		}
	}
	return out
}

// Protocol is how the pairs of the report were tested.
func (r *Report) Protocol() Protocol {
	var t Protocol
	for _, s := range r.Decisions {
		if !s.Default {
			t.Set(s.Name, s.Option) // what it does not know is of the measures, or of a later version
		}
	}
	return t
}

// Correction is the name of the correction of the pairs' p: "Holm", "none".
func (r *Report) Correction() string {
	t := r.Protocol()
	if t.Correction == NoCorrection {
		return t.Correction
	}
	return correctionOf(t).Title
}

func correctionOf(t Protocol) significance.Correction {
	name := t.Correction
	if name == "" || name == NoCorrection {
		name = "holm"
	}
	c, _ := significance.LookupCorrection(name) // Set lets no other in
	return c
}

// CorrectionKey is its name in files.
func (r *Report) CorrectionKey() string {
	if t := r.Protocol(); t.Correction == NoCorrection {
		return t.Correction
	} else {
		return correctionOf(t).Name
	}
}

// Corrected says how p was corrected: " after Holm over 3 pairs".
func (r *Report) Corrected() string {
	t := r.Protocol()
	if t.Correction == NoCorrection {
		return " without correction for " + t.pairs(r.answering())
	}
	return " after " + r.Correction() + " over " + t.pairs(r.answering())
}

// pairs counts the family of so many systems.
func (t Protocol) pairs(systems int) string {
	if t.Family != "" {
		return say.Count(systems-1, "pair", "pairs") + " with the baseline"
	}
	return say.Count(systems*(systems-1)/2, "pair", "pairs")
}
