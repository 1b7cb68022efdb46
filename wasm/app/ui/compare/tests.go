package compare

import (
	"math"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Tests is everything that is said of the pair that is looked at: every test, how large the difference is, power,
// equivalence.
type Tests struct {
	part
}

// TestLine is a row of its tables.
type TestLine struct {
	Name, Sub, To, How, Statistic, P, Adjusted, Says, Class string
}

// T is the answer of the worker, nil while it is waited for.
func (c *Tests) T() *message.PairTests { return c.Compare.Statistics.PairTests }

// Expanded says whether the tests are shown.
func (c *Tests) Expanded() string { return strconv.FormatBool(c.Compare.View.Tests) }

// Busy says whether they are waited for.
func (c *Tests) Busy() string { return strconv.FormatBool(c.T() == nil) }

// Label is that of the button.
func (c *Tests) Label() string {
	if c.Compare.View.Tests {
		return "Hide every test of this pair"
	}
	return "Every test of this pair: " + c.Compare.Runs.Report().Letter(c.Compare.View.B) + " − " +
		c.Compare.Runs.Report().Letter(c.Compare.View.A)
}

func (c *Tests) name(i int) string {
	return c.Compare.Runs.Report().Letter(i) + " " + ui.Brief(c.Compare.Runs.Report().Systems[i].Label)
}

// Heading names the pair.
func (c *Tests) Heading() string {
	return c.name(c.T().B) + " − " + c.name(c.T().A) + ", " + c.T().Measure
}

// methods are how a p was found.
var methods = map[string]string{"exact": "exact", "normal": "normal approximation", "t": "Student's t"}

var statistics = map[string]string{"t": "t", "wilcoxon": "W", "sign": "B", "randomisation": "mean"}

// Rows are the tests.
func (c *Tests) Rows() []TestLine {
	t := c.T()
	var out []TestLine
	for _, r := range t.Rows {
		x := TestLine{Name: r.Test, To: ui.ToTest(r.Test), How: methods[r.Method],
			Statistic: statistics[r.Test] + " = " + say.Page.Number(r.Statistic, 4), P: say.Page.P(r.P),
			Adjusted: say.Page.P(r.Adjusted)}
		if k, err := significance.Lookup(r.Test); err == nil {
			x.Name = k.Title
		}
		switch r.Test {
		case "wilcoxon":
			x.Statistic = "W = " + strconv.FormatFloat(r.Statistic, 'f', -1, 64)
		case "sign":
			x.Statistic = strconv.Itoa(int(r.Statistic)) + " of " + strconv.Itoa(r.N) + " up"
		case "t":
			x.Statistic = "t = " + say.Page.Number(r.Statistic, 3)
		}
		if r.Method == "monte-carlo" {
			x.How = say.Thousands(r.Draws) + " draws"
		}
		if r.N != t.Queries {
			x.How += ", " + strconv.Itoa(r.N) + " of " + say.Count(t.Queries, "query", "queries")
		}
		if r.Counts {
			x.Class, x.Says = "picked", "decides"
		}
		out = append(out, x)
	}
	return out
}

// Finding says what the test that decides says of the pair.
func (c *Tests) Finding() string {
	t, tested := c.T(), c.Compare.Statistics.Tested()
	if tested == nil {
		return ""
	}
	return c.Compare.Runs.Report().ConclusionOn(tested).Between(t.B, t.A, say.Page) +
		" The other tests decide nothing here: choose one above, and it decides everywhere."
}

// Effects are how large the difference is.
func (c *Tests) Effects() []TestLine {
	t := c.T()
	span := func(low, high float64) string {
		if low != low || high != high {
			return ""
		}
		return say.Page.Number(low, 3) + " to " + say.Page.Number(high, 3)
	}
	b := c.Compare.Runs.Report().Letter(t.B)
	size := "–"
	switch d := math.Abs(t.Dz); {
	case d < 0.2:
		size = "less than a fifth of the spread over queries"
	case d == d:
		size = say.Page.Number(d, 2) + " times its spread over queries"
	}
	return []TestLine{
		{Name: "Mean difference", To: ui.ToTest("difference"), Statistic: say.Page.Signed(t.Difference, 4),
			P:    say.Page.Span(t.Low, t.High, 4),
			Says: "the interval is corrected as p is"},
		{Name: "Cohen's d", Sub: "z", To: ui.ToTest("d_z"), Statistic: say.Page.Signed(t.Dz, 3),
			P: span(t.DzLow, t.DzHigh), Says: size},
		{Name: "Hedges's g", To: ui.ToTest("g_z"), Statistic: say.Page.Signed(t.G, 3),
			Says: "Cohen's d corrected for few queries"},
		{Name: "Cliff's δ", To: ui.ToTest("delta"), Statistic: say.Page.Signed(t.Cliff, 3),
			Says: "over all values, ignoring pairs"},
		{Name: "Probability of superiority", To: ui.ToTest("superiority"), Statistic: say.Page.Number(t.Superiority, 3),
			Says: b + " is the better one on " + say.Page.Number(100*t.Superiority, 0) +
				" of 100 queries, equal ones half"},
	}
}

// EffectCaption states the finding.
func (c *Tests) EffectCaption() string {
	t := c.T()
	d := math.Abs(t.Dz)
	size := "a large"
	switch {
	case d != d:
		return "The differences do not vary, so there is no effect size."
	case d < 0.2:
		size = "next to no"
	case d < 0.5:
		size = "a small"
	case d < 0.8:
		size = "a medium"
	}
	return "By Cohen's d this is " + size +
		" effect (Cohen's words: small from 0.2, medium from 0.5, large from 0.8). It measures size, not certainty."
}

// Power says what so many queries can show, and how many this difference takes.
func (c *Tests) Power() string {
	t := c.T()
	n := say.Count(t.Queries, "query", "queries")
	if t.Detectable != t.Detectable {
		return "With " + n + " the power of a test cannot be computed."
	}
	if !report.MayDiffer(t.Measure, t.Detectable, t.Queries) {
		return "With " + n + " not even the largest difference that " + t.Measure + " can have is found 80 times in 100."
	}
	s := "With " + n + " a difference of " + say.Page.Number(t.Detectable, 4) + " " + t.Measure +
		" is found 80 times in 100 (paired t test at 5 %)"
	k := int(math.Ceil(min(t.Needed, 1e12) - 1e-9))
	switch {
	case t.Needed != t.Needed:
		return s + "."
	case t.Needed > 1e9:
		return s + "; a difference as small as this one takes more queries than anyone judges."
	case k <= t.Queries:
		return s + "; for this one, " + say.Page.Signed(t.Difference, 4) + ", " + say.Count(k, "query suffices",
			"queries suffice") + "."
	}
	return s + "; a difference as small as this one, " + say.Page.Signed(t.Difference, 4) + ", takes " +
		say.Count(k, "query", "queries") + "."
}

// Margin is that of equivalence.
func (c *Tests) Margin() string { return strconv.FormatFloat(c.T().Margin, 'g', -1, 64) }

// SetMargin sets it.
func (c *Tests) SetMargin(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.Compare.Statistics.SetMargin(v)
	}
}

// Equivalence says whether the runs are as good as equal.
func (c *Tests) Equivalence() string {
	t := c.T()
	if t.Equivalent != t.Equivalent {
		return t.Measure + ": too few queries to say."
	}
	s := t.Measure + ": "
	switch p := say.Page.P(t.Equivalent); {
	case t.Equivalent < report.Alpha:
		s += "these two are, p " + p
	default:
		s += "that is not shown of these two, p " + p
	}
	return s + " (TOST; the 90 % interval of the difference is " + say.Page.Number(t.EquivalentLow, 4) + " to " +
		say.Page.Number(t.EquivalentHigh, 4) + "). Finding no difference does not show that there is none."
}
