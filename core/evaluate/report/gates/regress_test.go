package gates

import (
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// reportOf makes a report of one run with given values of one measure.
func reportOf(notation string, values []float64) *report.Report {
	m, err := measure.Parse(notation)
	if err != nil {
		panic(err)
	}
	r := &report.Report{}
	r.Systems = []report.System{{Label: "main"}}
	r.Measures = []string{m.String()}
	r.Columns = []report.Column{{Measure: m.String(), Values: [][]float64{values},
		Means: []float64{measure.Mean(values)}, Lower: m.Info().Lower}}
	for q := range values {
		r.Queries = append(r.Queries, report.Query{ID: "q" + strconv.Itoa(q)})
	}
	return r
}

func TestRegress(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	base, noise := make([]float64, 60), make([]float64, 60)
	for i := range base {
		base[i] = 0.3 + 0.4*rnd.Float64()
		noise[i] = 0.3 * rnd.NormFloat64()
	}
	shifted := func(by, spread float64) []float64 {
		out := slices.Clone(base)
		mean := measure.Mean(noise)
		for i := range out {
			out[i] += by + spread*(noise[i]-mean)
		}
		return out
	}
	m := measure.Mean(base)
	for _, c := range []struct {
		name      string
		measure   string
		later     []float64
		threshold Threshold
		want      Verdict
	}{
		{"10 % less on every query", "nDCG@10", shifted(-0.1*m, 0.02), DefaultThreshold, Regressed},
		{"10 % less by a few queries that moved a lot", "nDCG@10", shifted(-0.1*m, 2), DefaultThreshold, Unchanged},
		{"3 % less for sure", "nDCG@10", shifted(-0.03*m, 0.01), DefaultThreshold, BelowThreshold},
		{"3 % less for sure, threshold 2 %", "nDCG@10", shifted(-0.03*m, 0.01), Threshold{Relative: 0.02}, Regressed},
		{"3 % less for sure, threshold 0.01", "nDCG@10", shifted(-0.03*m, 0.01),
			Threshold{Relative: 0.05, Absolute: 0.01}, Regressed},
		{"10 % more", "nDCG@10", shifted(0.1*m, 0.02), DefaultThreshold, Improved},
		{"10 % more by chance", "nDCG@10", shifted(0.1*m, 2), DefaultThreshold, Unchanged},
		{"the same", "nDCG@10", slices.Clone(base), DefaultThreshold, Unchanged},
		// what says how much is judged or found is no quality: a run that finds what nobody judged did not regress
		{"10 % more unjudged, where smaller is better", "unj@10", shifted(0.1*m, 0.02), DefaultThreshold, Changed},
		{"10 % less judged", "Judged@10", shifted(-0.1*m, 0.02), DefaultThreshold, Changed},
		{"10 % less judged by chance", "Judged@10", shifted(-0.1*m, 2), DefaultThreshold, Changed},
		{"10 % fewer found", "NumRet", shifted(-0.1*m, 0.02), DefaultThreshold, Changed},
	} {
		g, err := Regress(reportOf(c.measure, base), reportOf(c.measure, c.later), c.threshold, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := g.Changes[0]
		if x.Verdict != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, x.Verdict, c.want, x)
		}
		if x.Better+x.WorseCount != len(x.Moved) || x.Queries != 60 {
			t.Errorf("%s: %d better, %d worse, %d moved", c.name, x.Better, x.WorseCount, len(x.Moved))
		}
		if len(x.Moved) > 1 {
			first, last := x.Moved[0].New-x.Moved[0].Old, x.Moved[len(x.Moved)-1].New-x.Moved[len(x.Moved)-1].Old
			if (first > last) != (c.measure == "unj@10") {
				t.Errorf("%s: the worst query is not first", c.name)
			}
		}
	}
}

func TestRegressSaysWhatDoesNotMatch(t *testing.T) {
	old, later := fixture(t), fixture(t)
	old.Runs[2].Name = "delta"
	later.Measures = append([]string{"R@5"}, later.Measures...)
	later.Policy.Ties = measure.DocIDAsc
	later.Qrels.Add("q5", "d1", 1)
	a, err := compare.Compare(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := compare.Compare(later, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Regress(a, b, DefaultThreshold, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Changes) != 2*5 {
		t.Errorf("%d changes", len(g.Changes))
	}
	all := strings.Join(g.Warnings, "\n")
	for _, want := range []string{"1 query is not in the snapshot", "policy ties was docid-desc and is docid-asc",
		"the snapshot has 12 judgments, this report 13", "run gamma is not in the snapshot",
		"measure R@5 is not in the snapshot"} {
		if !strings.Contains(all, want) {
			t.Errorf("no warning %q in:\n%s", want, all)
		}
	}
	if _, err := Regress(a, b, Threshold{}, nil); err == nil {
		t.Error("no threshold, and no error")
	}
	b.Queries = nil
	if _, err := Regress(a, b, DefaultThreshold, nil); err == nil {
		t.Error("no query in common, and no error")
	}
}

func TestGates(t *testing.T) {
	r, err := compare.Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// nDCG@10: alpha 0.6830, beta 0.8467 (+24.0 %), gamma 0.3052 (-55.3 %); Judged@10: 0.9375, 1, 0.5
	for _, c := range []struct {
		gate   string
		passed string // by the runs that are checked: a change is none of the baseline alpha, a mean is of every run
	}{
		{"nDCG@10>=-2%", "beta"},
		{"nDCG@10 >= +23.9 %", "beta"},
		{"nDCG@10>=+24%", ""},
		{"nDCG@10>=-60%", "beta gamma"},
		{"nDCG@10<+0%", "gamma"},
		{"ndcg_cut_10>=0.8467", "beta"},
		{"nDCG@10>=0.65", "alpha beta"},
		{"nDCG@10>=+0.1637", "beta"},
		{"nDCG@10>+0.1638", ""},
		{"Judged@10>=1", "beta"},
		{"Judged@10>=+0.0625", "beta"},
		{"Judged@10>+0.0625", ""},
		{"P@2<=0.375", "gamma"},
		{"P@2<0.375", ""},
	} {
		g, err := ParseGate(c.gate)
		if err != nil {
			t.Fatal(err)
		}
		checks, err := CheckGates(r, []Gate{g}, Checking{})
		if err != nil {
			t.Fatal(err)
		}
		checked, passed := []string{"beta", "gamma"}, strings.Fields(c.passed)
		if !g.Change {
			checked = []string{"alpha", "beta", "gamma"}
		}
		if len(checks) != len(checked) {
			t.Fatalf("%s: %+v", c.gate, checks)
		}
		for i, x := range checks {
			if x.System != checked[i] || x.Passed != slices.Contains(passed, x.System) {
				t.Errorf("%s: %+v", c.gate, x)
			}
		}
		for _, x := range checks {
			if x.Passed && x.Moved != nil {
				t.Errorf("%s: queries of a gate that passed", c.gate)
			}
		}
	}
	g, _ := ParseGate("nDCG@10>=-2%")
	checks, _ := CheckGates(r, []Gate{g}, Checking{})
	got := checks[1].Text(false)
	// q3 is missing from gamma: the largest loss, so it is first
	if !strings.Contains(got, "FAILED") || !strings.Contains(got, "it could be chance") ||
		strings.Index(got, "q3  0.6309 -> 0.0000") > strings.Index(got, "q2  0.6131") || checks[1].Sure() {
		t.Errorf("%s", got)
	}
	for _, bad := range []string{"", "nDCG@10", "nDCG@10>=", "nDCG@10>=x%", ">=0.5", "nope@10>=1", "nDCG@10>=NaN",
		"nDCG@10=1"} {
		if _, err := ParseGate(bad); err == nil {
			t.Errorf("%q is no gate", bad)
		}
	}
	other, _ := ParseGate("R@7>=0.1")
	if _, err := CheckGates(r, []Gate{other}, Checking{}); err == nil {
		t.Error("a measure that the report lacks")
	}
	// against a snapshot every run is checked, the baseline too
	old := fixture(t)
	old.Runs[0].Run, old.Runs[1].Run = old.Runs[1].Run, old.Runs[0].Run
	was, err := compare.Compare(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	checks, err = CheckGates(r, []Gate{g}, since(was))
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) != 3 || checks[0].Passed || !checks[1].Passed || !checks[2].Passed ||
		checks[0].Against != "snapshot" || len(checks[0].Moved) != 4 {
		t.Errorf("%+v", checks)
	}
	// the worst first is what the gate's operator makes it, against a snapshot as against a baseline
	ceiling, _ := ParseGate("nDCG@10<=-90%")
	checks, err = CheckGates(r, []Gate{ceiling}, since(was))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range checks {
		for i := range x.Moved[:max(len(x.Moved)-1, 0)] {
			if a, b := x.Moved[i], x.Moved[i+1]; a.New-a.Old < b.New-b.Old {
				t.Errorf("%s of %s: %+v before %+v", ceiling.Text, x.System, a, b)
			}
		}
	}
	// p is after Holm over all checks: alone, and one of three (two of the gate on nDCG@10, one of them at most)
	ap, _ := ParseGate("AP>=-2%")
	alone, _ := CheckGates(r, []Gate{ap}, Checking{})
	both, _ := CheckGates(r, []Gate{ap, g}, Checking{})
	if len(both) != 4 || !(alone[1].P < both[1].P) || both[1].P > 1 {
		t.Errorf("%+v, then %+v", alone, both)
	}
	for _, x := range []struct {
		snapshot *report.Report
		gate     string
		want     string
	}{{was, "R@7>=-2%", "the report has no measure R@7"}, {strip(was), "nDCG@10>=-2%", "no measure nDCG@10"},
		{renamed(was), "nDCG@10>=-2%", "no run is in the snapshot"}} {
		g, err := ParseGate(x.gate)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := CheckGates(r, []Gate{g}, since(x.snapshot)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.gate, err)
		}
	}
}

// strip returns a report without its first measure.
func strip(r *report.Report) *report.Report {
	out := *r
	out.Measures, out.Columns = r.Measures[1:], r.Columns[1:]
	return &out
}

func renamed(r *report.Report) *report.Report {
	out := *r
	out.Systems = slices.Clone(r.Systems)
	for i := range out.Systems {
		out.Systems[i].Label += " of yesterday"
	}
	return &out
}

// The headline of a regression is its worst loss: what the test supports before what could be chance, the first
// measure before others.
func TestHeadline(t *testing.T) {
	change := func(system, measure string, v Verdict, old, new float64) MeasureChange {
		return MeasureChange{System: system, Measure: measure, Verdict: v, Old: old, New: new, Diff: new - old, Reached: true,
			Lower:    measure == "len",
			Relative: say.Relative(old, new)}
	}
	for _, c := range []struct {
		name    string
		changes []MeasureChange
		want    string
	}{
		{"nothing", nil, ""},
		{"unchanged and better", []MeasureChange{change("x", "AP", BelowThreshold, 0.5, 0.49),
			change("y", "AP", Improved, 0.5, 0.6)}, ""},
		{"regressed before worse",
			[]MeasureChange{change("x", "AP", Unchanged, 0.5, 0.1), change("y", "AP", Regressed, 0.5, 0.4)},
			"y is 20.0 % below the snapshot by AP."},
		{"largest loss of the first measure", []MeasureChange{change("x", "AP", Regressed, 0.5, 0.4),
			change("x", "P@5", Regressed, 0.5, 0.1), change("y", "AP", Regressed, 0.5, 0.3)},
			"y is 40.0 % below the snapshot by AP."},
		{"could be chance", []MeasureChange{change("x", "AP", Unchanged, 0.5, 0.4)},
			"x is 20.0 % below the snapshot by AP, but it could be chance."},
		{"less is better", []MeasureChange{change("x", "len", Regressed, 2, 3)},
			"x is 50.0 % above the snapshot by len."},
	} {
		if got := Headline(c.changes, say.Plain); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// since are gates checked against a snapshot.
func since(old *report.Report) Checking { return Checking{Snapshots: []Snapshot{{"", old}}} }
