package compare

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// pairOf is a screen that looks at two runs of forty queries.
func pairOf(t *message.PairTests) *Tests {
	r := &report.Report{Columns: []report.Column{{Measure: "AP", Means: []float64{.3, .5}}}}
	r.Measures = []string{"AP"}
	r.Systems = []report.System{{Label: "old"}, {Label: "new"}}
	a := screen.New(state.New(nil, nil, "/"))
	a.Runs.Done = &message.Compared{Report: r}
	a.View.B, a.Statistics.PairTests = 1, t
	t.A, t.B, t.Measure, t.Queries, t.Pairs, t.Correction = 0, 1, "AP", 40, 3, "Holm"
	return &Tests{part: part{Compare: a}}
}

// One test decides, in the words of the report. The others have a p and no verdict.
func TestOneTestDecidesAPair(t *testing.T) {
	c := pairOf(&message.PairTests{Difference: .2, Rows: []message.TestRow{
		{Test: "t", Method: "t", N: 40, P: .01, Adjusted: .01, Counts: true},
		{Test: "sign", Method: "exact", N: 40, P: .2, Adjusted: .2}}})
	r := c.Compare.Runs.Report()
	r.Test.Name = "paired t test"
	for q := range 40 {
		r.Queries = append(r.Queries, report.Query{ID: strconv.Itoa(q)})
	}
	for _, x := range []struct {
		pair report.Pair
		want string
	}{
		{report.Pair{B: 1, Diff: .2, Low: .1, High: .3, P: .01, Adjusted: .01, Better: 30, Worse: 10},
			"B new is significantly better than A old (+0.2000; paired t test, p\u00a0=\u00a00.010)."},
		{report.Pair{B: 1, Diff: .2, Low: -.1, High: .3, P: .2, Adjusted: .2, Better: 30, Worse: 10},
			"B new is not significantly different from A old (+0.2000; paired t test, p\u00a0=\u00a00.200)."},
		{report.Pair{B: 1, P: 1, Adjusted: 1, Equal: 40}, "B new and A old are equal on every query."},
	} {
		r.Pairs = []report.Pair{x.pair}
		if s := c.Finding(); !strings.HasPrefix(s, "By AP, "+x.want) {
			t.Errorf("%s, want %s", s, x.want)
		}
	}
	if rows := c.Rows(); rows[0].Says != "decides" || rows[1].Says != "" || rows[1].Adjusted != "0.200" {
		t.Errorf("%+v", rows)
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
		{24.479, 9000, "With 40 queries not even the largest difference that AP can have is found 80 times in 100."},
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
