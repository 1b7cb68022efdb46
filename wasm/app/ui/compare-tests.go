package ui

import (
	"math"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// CompareTests is everything that is said of the pair that is looked at: every test, how large the difference is, power, equivalence.
type CompareTests struct {
	part
}

// TestLine is a row of its tables.
type TestLine struct {
	Name, Sub, To, How, Statistic, P, Adjusted, Says, Class string

	finds, counts, unsure bool
}

// T is the answer of the worker, nil while it is waited for.
func (c *CompareTests) T() *message.PairTests { return c.App.Compare.PairTests }

// Expanded says whether the tests are shown.
func (c *CompareTests) Expanded() string { return strconv.FormatBool(c.App.Compare.Tests) }

// Busy says whether they are waited for.
func (c *CompareTests) Busy() string { return strconv.FormatBool(c.T() == nil) }

// Label is that of the button.
func (c *CompareTests) Label() string {
	if c.App.Compare.Tests {
		return "Hide every test of this pair"
	}
	return "Every test of this pair: " + letter(c.App.Compare.B) + " − " + letter(c.App.Compare.A)
}

func (c *CompareTests) name(i int) string {
	return letter(i) + " " + brief(c.App.Compare.Report().Systems[i].Label)
}

func (c *CompareTests) better() (i int, known bool) {
	t := c.T()
	up := t.Difference > 0
	for m, name := range c.App.Compare.Report().Measures {
		if name == t.Measure && c.App.Compare.Report().Extra[m].Lower {
			up = t.Difference < 0
		}
	}
	if up {
		return t.B, t.Difference != 0
	}
	return t.A, t.Difference != 0
}

// Heading names the pair.
func (c *CompareTests) Heading() string {
	return c.name(c.T().B) + " − " + c.name(c.T().A) + ", " + c.T().Measure
}

// methods are how a p was found.
var methods = map[string]string{"exact": "exact", "normal": "normal approximation", "t": "Student's t"}

var statistics = map[string]string{"t": "t", "wilcoxon": "W", "sign": "B", "randomisation": "mean", "tukey": "mean"}

// Rows are the tests.
func (c *CompareTests) Rows() []TestLine {
	t := c.T()
	var out []TestLine
	for _, r := range t.Rows {
		x := TestLine{Name: "Randomised Tukey HSD", To: toTest(r.Test),
			How: methods[r.Method], Statistic: statistics[r.Test] + " = " + fixed(r.Statistic, 4), P: probability(r.P), Adjusted: probability(r.Adjusted), finds: r.Adjusted < compare.Alpha, counts: r.Counts}
		if r.Test == "tukey" {
			x.P = ""
		}
		if k, err := significance.Lookup(r.Test); err == nil {
			x.Name = k.Title
		}
		switch r.Test {
		case "wilcoxon":
			x.Statistic = "W = " + strconv.FormatFloat(r.Statistic, 'f', -1, 64)
		case "sign":
			x.Statistic = strconv.Itoa(int(r.Statistic)) + " of " + strconv.Itoa(r.N) + " up"
		case "t":
			x.Statistic = "t = " + fixed(r.Statistic, 3)
		}
		if r.Method == "monte-carlo" {
			x.How = thousands(r.Draws) + " draws"
		}
		if r.N != t.Queries {
			x.How += ", " + strconv.Itoa(r.N) + " of " + plural(t.Queries, "query", "queries")
		}
		if x.Says = "no"; x.finds {
			x.Says = "yes"
		}
		if r.Method == "monte-carlo" && !x.finds && r.P <= 2.001/float64(r.Draws+1) { // as small as so many draws can make it
			x.unsure, x.Says = true, "cannot say: too few draws for so many pairs"
		}
		if r.P != r.P {
			x.P, x.Adjusted, x.Says, x.unsure = "–", "–", "cannot say", true
		}
		if x.counts {
			x.Class, x.Says = "picked", x.Says+", and this one counts"
		}
		out = append(out, x)
	}
	b := TestLine{Name: "Bootstrap interval", To: toTest("bca"),
		How: "BCa, not corrected", Statistic: fixed(t.Low, 4) + " to " + fixed(t.High, 4), finds: t.Low > 0 || t.High < 0, Says: "no: it holds 0"}
	if b.finds {
		b.Says = "yes: it does not hold 0"
	}
	if t.Low != t.Low {
		b.Says, b.unsure = "cannot say", true
	}
	return append(out, b)
}

// Finding says how far the tests agree.
func (c *CompareTests) Finding() string {
	t, rows := c.T(), c.Rows()
	counts, agree, said := false, 0, 0
	for _, r := range rows {
		if r.counts {
			counts = r.finds
		}
		if !r.unsure {
			said++
		}
	}
	var others []string
	for _, r := range rows {
		if r.unsure {
			continue
		}
		if r.finds == counts {
			agree++
			continue
		}
		name := r.Name
		others = append(others, "the "+say.Lower(name))
	}
	what := "the difference could be chance"
	if best, known := c.better(); counts && known {
		what = c.name(best) + " is better by more than chance"
	}
	s := strconv.Itoa(agree) + " of " + strconv.Itoa(said) + " tests agree: " + what
	if said == 0 {
		return "No test can say anything of this pair."
	}
	if agree == said {
		s = "All " + strconv.Itoa(said) + " tests agree: " + what
	} else {
		verb := map[bool][2]string{true: {" does not find a difference", " do not find a difference"}, false: {" finds a difference", " find a difference"}}[counts][min(len(others), 2)-1]
		s += "; " + say.And(others) + verb
	}
	after := "p after " + t.Correction + " over " + plural(t.Pairs, "pair", "pairs")
	switch {
	case t.Pairs == 1:
		after = "one pair, so that nothing is corrected; p"
	case t.Correction == experiment.NoCorrection:
		after = "p without correction for " + plural(t.Pairs, "pair", "pairs")
	}
	return s + " (" + t.Measure + ", " + plural(t.Queries, "query", "queries") + ", " + after + " below 0.05)."
}

// Effects are how large the difference is.
func (c *CompareTests) Effects() []TestLine {
	t := c.T()
	span := func(low, high float64) string {
		if low != low || high != high {
			return ""
		}
		return fixed(low, 3) + " to " + fixed(high, 3)
	}
	b := letter(t.B)
	size := "–"
	switch d := math.Abs(t.Dz); {
	case d < 0.2:
		size = "less than a fifth of what a query makes of it"
	case d == d:
		size = fixed(d, 2) + " times what it varies by from query to query"
	}
	return []TestLine{
		{Name: "Mean difference", To: toTest("difference"), Statistic: signed(t.Difference, 4), P: fixed(t.Low, 4) + " to " + fixed(t.High, 4), Says: "bootstrap, BCa; by percentiles " + fixed(t.PercentileLow, 4) + " to " + fixed(t.PercentileHigh, 4)},
		{Name: "Cohen's d", Sub: "z", To: toTest("d_z"), Statistic: signed(t.Dz, 3), P: span(t.DzLow, t.DzHigh), Says: size},
		{Name: "Cliff's δ", To: toTest("delta"), Statistic: signed(t.Cliff, 3), Says: "of all values, queries not paired"},
		{Name: "Probability of superiority", To: toTest("superiority"), Statistic: fixed(t.Superiority, 3), Says: b + " is the better one on " + fixed(100*t.Superiority, 0) + " of 100 queries, equal ones half"},
	}
}

// EffectCaption states the finding.
func (c *CompareTests) EffectCaption() string {
	t := c.T()
	d := math.Abs(t.Dz)
	size := "a large"
	switch {
	case d != d:
		return "The differences do not vary: there is no effect to size up."
	case d < 0.2:
		size = "next to no"
	case d < 0.5:
		size = "a small"
	case d < 0.8:
		size = "a medium"
	}
	return "By Cohen's d this is " + size + " effect (Cohen's words: small from 0.2, medium from 0.5, large from 0.8). It says how large the difference is, not how sure."
}

// Power says what so many queries can show, and how many this difference takes.
func (c *CompareTests) Power() string {
	t := c.T()
	n := plural(t.Queries, "query", "queries")
	if t.Detectable != t.Detectable {
		return "With " + n + " nothing can be said of what such an experiment finds."
	}
	s := "With " + n + " a difference of " + fixed(t.Detectable, 4) + " " + t.Measure + " is found 80 times in 100 (paired t test at 5 %)"
	k := int(math.Ceil(min(t.Needed, 1e12) - 1e-9))
	switch {
	case t.Needed != t.Needed:
		return s + "."
	case t.Needed > 1e9:
		return s + "; one as small as that seen here takes more queries than anybody judges."
	case k <= t.Queries:
		return s + "; for the one seen here, " + signed(t.Difference, 4) + ", " + plural(k, "query suffices", "queries suffice") + "."
	}
	return s + "; one as small as that seen here, " + signed(t.Difference, 4) + ", takes " + thousands(k) + " queries."
}

// Margin is that of equivalence.
func (c *CompareTests) Margin() string { return strconv.FormatFloat(c.T().Margin, 'g', -1, 64) }

// SetMargin sets it.
func (c *CompareTests) SetMargin(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.App.SetMargin(v)
	}
}

// Equivalence says whether the runs are as good as equal.
func (c *CompareTests) Equivalence() string {
	t := c.T()
	if t.Equivalent != t.Equivalent {
		return t.Measure + ": nothing can be said with so few queries."
	}
	s := t.Measure + ": "
	switch p := probability(t.Equivalent); {
	case t.Equivalent < compare.Alpha:
		s += "these two are, p " + p
	default:
		s += "that is not shown of these two, p " + p
	}
	return s + " (TOST; the 90 % interval of the difference is " + fixed(t.EquivalentLow, 4) + " to " + fixed(t.EquivalentHigh, 4) + "). To find no difference is not yet to show that there is none."
}
