package gates

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// A gate or a threshold that no run can fail, or none can meet, is refused with what was probably meant.
func TestGatesThatSayNothingAreRefused(t *testing.T) {
	for _, c := range []struct{ gate, want string }{
		{"nDCG@10>=-2", "did you mean nDCG@10>=-2%"},
		{"nDCG@10>=+2", "did you mean nDCG@10>=+2%"},
		{"nDCG@10<=+3", "did you mean nDCG@10<=+3%"},
		{"nDCG@10>=0", "every value meets it: the measure lies between 0 and 1"},
		{"nDCG@10<=1", "every value meets it"},
		{"nDCG@10>1", "no value meets it"},
		{"nDCG@10>=40", "did you mean nDCG@10>=0.4?"},
		{"AP>=-100%", "nothing can lose more than 100 %"},
		{"AP>=-200%", "nothing can lose more than 100 %"},
		{"AP<-100%", "no value meets it"},
	} {
		if _, err := ParseGate(c.gate); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.gate, err, c.want)
		}
	}
	for _, text := range []string{"nDCG@10>=-2%", "nDCG@10>=-0.02", "nDCG@10>0", "nDCG@10<1", "nDCG@10>=1",
		"nDCG@10>=+0", "NumRet>=100", "NumRet>=-5", "DCG@10>=7", "AP>=+250%", "nDCG(gains={1:-1})@10>=-0.5"} {
		if _, err := ParseGate(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, c := range []struct {
		threshold Threshold
		measures  []string
		want      string
	}{
		{Threshold{Absolute: 5}, []string{"nDCG@10", "AP"}, "did you mean 5%"},
		{Threshold{Relative: 5}, []string{"nDCG@10"}, "nothing can lose more than 100 %"},
		{Threshold{Absolute: 5}, []string{"nDCG@10", "NumRet"}, ""},
		{Threshold{Absolute: 1}, []string{"nDCG@10"}, ""},
		{DefaultThreshold, []string{"nDCG@10"}, ""},
	} {
		if err := c.threshold.Sense(c.measures); (err == nil) != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v of %v: %v, want %q", c.threshold, c.measures, err, c.want)
		}
	}
}

// What a check prints and whether it fails a build is one thing.
func TestChecksFailAsTheySay(t *testing.T) {
	g, err := ParseGate("AP>=-2%")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		passed        bool
		p             float64
		fails, surely bool
	}{
		{"passed", true, 0.01, false, false},
		{"worse for sure", false, 0.01, true, true},
		{"worse by chance", false, 0.2, true, false},
		{"p of the level", false, report.Alpha, true, false},
		{"the mean itself", false, math.NaN(), true, true},
	} {
		x := Check{Gate: g, System: "s", Passed: c.passed, P: c.p}
		for sure, want := range map[bool]bool{false: c.fails, true: c.surely} {
			if x.Fails(sure) != want || strings.HasPrefix(x.Text(sure), "FAILED") != want {
				t.Errorf("%s, sure %v: fails %v, says %s", c.name, sure, x.Fails(sure), x.Text(sure))
			}
		}
	}
}

// Nothing is said of a run that has no judged query: neither by a gate nor against a snapshot.
func TestNothingIsSaidOfARunWithoutQueries(t *testing.T) {
	in := fixture(t)
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Answered(r); err != nil {
		t.Error(err)
	}
	foreign := *r
	foreign.Coverage = append([]report.Coverage(nil), r.Coverage...)
	foreign.Coverage[2].Queries = 0
	if err := Answered(&foreign); err != nil {
		t.Errorf("two of three runs have queries: %v", err)
	}
	for _, text := range []string{"AP>=0.1", "AP>=-2%"} {
		g, err := ParseGate(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := CheckGates(&foreign, []Gate{g}, Checking{}); err == nil ||
			!strings.Contains(err.Error(), "no query of run gamma is judged") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Regress(r, &foreign, DefaultThreshold, nil); err == nil ||
		!strings.Contains(err.Error(), "no query of run gamma is judged") {
		t.Errorf("regress: %v", err)
	}
	// as it was in the snapshot, it keeps nobody from the others
	if g, err := Regress(&foreign, &foreign, DefaultThreshold, nil); err != nil ||
		!slices.ContainsFunc(g.Warnings, func(w string) bool {
			return strings.Contains(w, "no query of run gamma is judged, as in the snapshot")
		}) {
		t.Errorf("%+v, %v", g, err)
	}
	for s := range foreign.Coverage {
		foreign.Coverage[s].Queries = 0
	}
	if err := Answered(&foreign); err == nil {
		t.Error("no run has a query")
	}
}

// Judgments that are as many as before but not the same are said, whatever the order in which they are read.
func TestOtherJudgmentsAreSaid(t *testing.T) {
	in := fixture(t)
	old, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, query, doc string
		grade            float64
		want             bool
	}{{"the same again", "q1", "d2", 1, false}, {"another grade", "q1", "d2", 3, true}} {
		in := fixture(t)
		grade, ok := in.Qrels.Grade(c.query, c.doc)
		if !ok {
			t.Fatal("the fixture changed")
		}
		if !c.want {
			c.grade = grade
		} else if c.grade == grade {
			c.grade++
		}
		in.Qrels.Add(c.query, c.doc, c.grade)
		r, err := compare.Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Regress(old, r, DefaultThreshold, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(g.Warnings, "\n"), "but not the same"); got != c.want {
			t.Errorf("%s: %q", c.name, g.Warnings)
		}
	}
}

// A value that is no number is no 0: its query is left out, and that is said.
func TestMissingValuesAreLeftOut(t *testing.T) {
	old, now := reportOf("AP", []float64{0.5, math.NaN(), 0.7}), reportOf("AP", []float64{0.5, 0.9, 0.7})
	g, err := Regress(old, now, DefaultThreshold, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := g.Changes[0]; c.Queries != 2 || c.Verdict != Unchanged || c.Old != 0.6 || len(g.Warnings) != 1 ||
		!strings.Contains(g.Warnings[0], "1 query without a value of AP") {
		t.Errorf("%+v, %q", c, g.Warnings)
	}
}

// numpy 2.4.6: quantile([10, 20, 30, 600], .95) is 514.5, of .5 it is 25.
func TestGatesOfTime(t *testing.T) {
	for text, want := range map[string]float64{"p95<=2s": 2000, "p50 < 150 ms": 150, "p99.9<=800us": .8} {
		g, err := ParseGate(text)
		if err != nil || math.Abs(g.Value-want) > 1e-12 || g.Quantile == 0 || g.Change {
			t.Errorf("%s: %+v, %v", text, g, err)
		}
	}
	for _, bad := range []string{"p95<=2", "p95<=s", "p0<=1s", "p100<=1s", "p95<=-1s", "p95>=+5%"} {
		if _, err := ParseGate(bad); err == nil {
			t.Errorf("%s is a gate", bad)
		}
	}
	if g, err := ParseGate("P@5>=+15%"); err != nil || !g.Percent || g.Quantile != 0 || g.Measure != "P@5" {
		t.Errorf("%+v, %v", g, err)
	}
	g, _ := ParseGate("p95<=500ms")
	runs := []Timed{{"slow", []float64{30, 10, 600, 20}}, {"fast", []float64{1, 2}}, {"none", nil}}
	checks := CheckTimes([]Gate{g}, runs)
	if len(checks) != 2 || checks[0].Passed || math.Abs(checks[0].Got-514.5) > 1e-9 || !checks[1].Passed {
		t.Fatalf("%+v", checks)
	}
	if text := checks[0].Text(false); !strings.HasPrefix(text, "FAILED  p95<=500ms  slow  514.500 ms") {
		t.Error(text)
	}
	if v := report.Quantile(slices.Sorted(slices.Values(runs[0].Millis)), .5); v != 25 {
		t.Error(v)
	}
}
