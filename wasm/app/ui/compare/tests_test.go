package compare

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// pairOf is a screen that looks at two runs of forty queries.
func pairOf(t *message.PairTests) *Tests {
	r := &report.Report{Columns: []report.Column{{}}}
	r.Measures = []string{"AP"}
	r.Systems = []report.System{{Label: "old"}, {Label: "new"}}
	a := screen.New(state.New(nil, nil, "/"))
	a.Runs.Done = &message.Compared{Report: r}
	a.View.B, a.Statistics.PairTests = 1, t
	t.A, t.B, t.Measure, t.Queries, t.Pairs, t.Correction = 0, 1, "AP", 40, 3, "Holm"
	return &Tests{part: part{Compare: a}}
}

func TestTheFindingCountsTheTestsThatAgree(t *testing.T) {
	row := func(test string, p float64) message.TestRow {
		return message.TestRow{Test: test, Method: "exact", N: 40, P: p, Adjusted: p, Counts: test == "t"}
	}
	for _, c := range []struct {
		name string
		ps   [5]float64
		want string
	}{
		{"all find it", [5]float64{.01, .01, .01, .01, .01},
			"All 5 tests agree: B new is better by more than chance ("},
		{"one does not", [5]float64{.01, .01, .01, .2, .01},
			"4 of 5 tests agree: B new is better by more than chance; the sign test does not find a difference ("},
		{"two do not", [5]float64{.01, .01, .2, .2, .01},
			"3 of 5 tests agree: B new is better by more than chance; the Wilcoxon signed-rank test and the sign " +
				"test do not find a difference ("},
		{"none, and one cannot say", [5]float64{.2, .2, math.NaN(), .2, .2},
			"All 4 tests agree: the difference could be chance ("},
	} {
		x := &message.PairTests{Difference: .2, Low: .1, High: .3}
		for i, test := range []string{"t", "randomisation", "wilcoxon", "sign", "tukey"} {
			x.Rows = append(x.Rows, row(test, c.ps[i]))
		}
		s := pairOf(x).Finding()
		if !strings.HasPrefix(s, c.want) ||
			!strings.HasSuffix(s, "(AP, 40 queries, p after Holm over 3 pairs below 0.05).") {
			t.Errorf("%s: %s", c.name, s)
		}
	}
}

func TestPowerIsSaidInSentences(t *testing.T) {
	for _, c := range []struct {
		detectable, needed float64
		want               string
	}{
		{.05, 22.3, "With 40 queries a difference of 0.0500 AP is found 80 times in 100 (paired t test at 5 %); for " +
			"this one, +0.0700, 23 queries suffice."},
		{.05, 1234.5, "With 40 queries a difference of 0.0500 AP is found 80 times in 100 (paired t test at 5 %); a " +
			"difference as small as this one, +0.0700, takes 1,235 queries."},
		{.05, math.Inf(1), "With 40 queries a difference of 0.0500 AP is found 80 times in 100 (paired t test at 5 " +
			"%); a difference as small as this one takes more queries than anyone judges."},
		{0, math.NaN(), "With 40 queries a difference of 0.0000 AP is found 80 times in 100 (paired t test at 5 %)."},
		{math.NaN(), math.NaN(), "With 40 queries the power of a test cannot be computed."},
	} {
		if got := pairOf(&message.PairTests{Difference: .07, Detectable: c.detectable,
			Needed: c.needed}).Power(); got != c.want {
			t.Errorf("%s", got)
		}
	}
}

func TestTheOrdersOfTheRunsAreSummedUp(t *testing.T) {
	for _, c := range []struct {
		taus []float64
		want string
	}{
		{[]float64{1, 1}, "M0 and M1 put the 2 runs into the same order as AP."},
		{[]float64{1, -1}, "M0 puts the 2 runs into the same order as AP; M1 does not (τ −1.00)."},
		{[]float64{.5, 1, .2}, "M1 puts the 2 runs into the same order as AP; M0 and M2 do not, M2 least of " +
			"all (τ 0.20)."},
		{[]float64{.5}, "M0 puts the 2 runs into another order than AP (τ 0.50)."},
		{[]float64{.5, .2}, "M0 and M1 put the 2 runs into another order than AP, M1 most of all (τ 0.20)."},
	} {
		x := &Agreement{part: part{Compare: pairOf(&message.PairTests{}).Compare}}
		d := &message.Agreed{Measure: "AP"}
		for i, v := range c.taus {
			d.Orders = append(d.Orders, report.Order{Measure: "M" + strconv.Itoa(i), Tau: v})
		}
		x.Compare.Statistics.Agreed = d
		if got := x.OrderFinding(); got != c.want {
			t.Errorf("%s", got)
		}
	}
}

func TestAChangeThatSaysNothingOfQualityHasItsOwnWords(t *testing.T) {
	a := screen.New(state.New(nil, nil, "/"))
	a.Runs.Done = &message.Compared{Snapshot: "s",
		Regression: []gates.MeasureChange{{Verdict: gates.Changed, Test: "paired t test"}, {Verdict: gates.Unchanged}}}
	c := &Since{part: part{Compare: a}}
	if got := c.Verdict(c.Compare.Runs.Done.Regression[0]); got != "changed, no verdict on quality" {
		t.Error(got)
	}
	if got := c.Caption(); got != "Against s: nothing regressed, 1 changed that says nothing of quality. Test: "+
		"paired t test, p after Holm over 2 changes." {
		t.Error(got)
	}
}

// 2,000 draws give no p below 2/2001: over 190 pairs that is never below 5 %, whatever the difference.
func TestATestWithTooFewDrawsIsNoVoice(t *testing.T) {
	c := pairOf(&message.PairTests{Difference: .2, Low: .1, High: .3,
		Rows: []message.TestRow{{Test: "t", Method: "t", N: 40, Counts: true},
			{Test: "randomisation", Method: "monte-carlo", N: 40, Draws: 2000, P: 2. / 2001, Adjusted: .19}}})
	if s := c.Finding(); !strings.HasPrefix(s, "All 2 tests agree: B new is better") ||
		!strings.HasPrefix(c.Rows()[1].Says, "cannot say") {
		t.Error(s, c.Rows()[1].Says)
	}
	c.T().Rows[1].P = .01
	if s := c.Finding(); !strings.HasPrefix(s, "2 of 3 tests agree") {
		t.Error(s)
	}
}
