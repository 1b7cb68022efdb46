package compare

import (
	"math"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
)

// reportOf makes a report of one run with given values of one measure.
func reportOf(notation string, values []float64) *Report {
	m, err := measure.Parse(notation)
	if err != nil {
		panic(err)
	}
	r := &Report{}
	r.Systems = []experiment.System{{Label: "main"}}
	r.Measures = []string{m.String()}
	r.Columns = []experiment.Column{{Measure: m.String(), Values: [][]float64{values}, Means: []float64{average(values)}}}
	r.Extra = []Extra{{Lower: m.Info().Lower}}
	for q := range values {
		r.Queries = append(r.Queries, experiment.Topic{ID: "q" + strconv.Itoa(q)})
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
		mean := average(noise)
		for i := range out {
			out[i] += by + spread*(noise[i]-mean)
		}
		return out
	}
	m := average(base)
	for _, c := range []struct {
		name      string
		measure   string
		later     []float64
		threshold Threshold
		want      Verdict
	}{
		{"10 % less on every query", "nDCG@10", shifted(-0.1*m, 0.02), DefaultThreshold, Regressed},
		{"10 % less by a few queries that moved a lot", "nDCG@10", shifted(-0.1*m, 2), DefaultThreshold, Worse},
		{"3 % less for sure", "nDCG@10", shifted(-0.03*m, 0.01), DefaultThreshold, Unchanged},
		{"3 % less for sure, threshold 2 %", "nDCG@10", shifted(-0.03*m, 0.01), Threshold{Relative: 0.02}, Regressed},
		{"3 % less for sure, threshold 0.01", "nDCG@10", shifted(-0.03*m, 0.01), Threshold{Relative: 0.05, Absolute: 0.01}, Regressed},
		{"10 % more", "nDCG@10", shifted(0.1*m, 0.02), DefaultThreshold, Improved},
		{"10 % more by chance", "nDCG@10", shifted(0.1*m, 2), DefaultThreshold, Unchanged},
		{"the same", "nDCG@10", slices.Clone(base), DefaultThreshold, Unchanged},
		// what says how much is judged or found is no quality: a run that finds what nobody judged did not regress
		{"10 % more unjudged, where smaller is better", "unj@10", shifted(0.1*m, 0.02), DefaultThreshold, Changed},
		{"10 % less judged", "Judged@10", shifted(-0.1*m, 0.02), DefaultThreshold, Changed},
		{"10 % less judged by chance", "Judged@10", shifted(-0.1*m, 2), DefaultThreshold, Unchanged},
		{"10 % fewer found", "NumRet", shifted(-0.1*m, 0.02), DefaultThreshold, Changed},
	} {
		g, err := Regress(reportOf(c.measure, base), reportOf(c.measure, c.later), c.threshold, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := g.Changes[0]
		if x.Verdict != c.want || g.Failed() != (c.want == Regressed) {
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
	a, err := Compare(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Compare(later, nil, nil)
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
	for _, want := range []string{"1 query is not in the snapshot", "policy ties was docid-desc and is docid-asc", "the snapshot has 12 judgments, this report 13", "run gamma is not in the snapshot", "measure R@5 is not in the snapshot"} {
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
	r, err := Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// nDCG@10: alpha 0.6830, beta 0.8467 (+24.0 %), gamma 0.3052 (-55.3 %); Judged@10: 0.9375, 1, 0.5
	for _, c := range []struct {
		gate        string
		beta, gamma bool
	}{
		{"nDCG@10>=-2%", true, false},
		{"nDCG@10 >= +23.9 %", true, false},
		{"nDCG@10>=+24%", false, false},
		{"nDCG@10>=-60%", true, true},
		{"nDCG@10<+0%", false, true},
		{"ndcg_cut_10>=0.8467", true, false},
		{"nDCG@10>=+0.1637", true, false},
		{"nDCG@10>+0.1638", false, false},
		{"Judged@10>=1", true, false},
		{"Judged@10>=+0.0625", true, false},
		{"Judged@10>+0.0625", false, false},
		{"P@2<=0.375", false, true},
		{"P@2<0.375", false, false},
	} {
		g, err := ParseGate(c.gate)
		if err != nil {
			t.Fatal(err)
		}
		checks, err := CheckGates(r, []Gate{g}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(checks) != 2 || checks[0].System != "beta" || checks[0].Passed != c.beta || checks[1].Passed != c.gamma {
			t.Errorf("%s: %+v", c.gate, checks)
		}
		for _, x := range checks {
			if x.Passed && x.Moved != nil {
				t.Errorf("%s: queries of a gate that passed", c.gate)
			}
		}
	}
	g, _ := ParseGate("nDCG@10>=-2%")
	checks, _ := CheckGates(r, []Gate{g}, nil, nil)
	got := checks[1].String()
	// q3 is missing from gamma: the largest loss, so it is first
	if !strings.Contains(got, "FAILED") || !strings.Contains(got, "it could be chance") || strings.Index(got, "q3  0.6309 -> 0.0000") > strings.Index(got, "q2  0.6131") || checks[1].Sure() {
		t.Errorf("%s", got)
	}
	for _, bad := range []string{"", "nDCG@10", "nDCG@10>=", "nDCG@10>=x%", ">=0.5", "nope@10>=1", "nDCG@10>=NaN", "nDCG@10=1"} {
		if _, err := ParseGate(bad); err == nil {
			t.Errorf("%q is no gate", bad)
		}
	}
	other, _ := ParseGate("R@7>=0.1")
	if _, err := CheckGates(r, []Gate{other}, nil, nil); err == nil {
		t.Error("a measure that the report lacks")
	}
	// against a snapshot every run is checked, the baseline too
	old := fixture(t)
	old.Runs[0].Run, old.Runs[1].Run = old.Runs[1].Run, old.Runs[0].Run
	was, err := Compare(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	checks, err = CheckGates(r, []Gate{g}, was, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) != 3 || checks[0].Passed || !checks[1].Passed || !checks[2].Passed || checks[0].Against != "snapshot" || len(checks[0].Moved) != 4 {
		t.Errorf("%+v", checks)
	}
	// the worst first is what the gate's operator makes it, against a snapshot as against a baseline
	ceiling, _ := ParseGate("nDCG@10<=-90%")
	checks, err = CheckGates(r, []Gate{ceiling}, was, nil)
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
	alone, _ := CheckGates(r, []Gate{ap}, nil, nil)
	both, _ := CheckGates(r, []Gate{ap, g}, nil, nil)
	if len(both) != 4 || !(alone[1].P < both[1].P) || both[1].P > 1 {
		t.Errorf("%+v, then %+v", alone, both)
	}
	for _, x := range []struct {
		snapshot *Report
		gate     string
		want     string
	}{{was, "R@7>=-2%", "the report has no measure R@7"}, {strip(was), "nDCG@10>=-2%", "no measure nDCG@10"}, {renamed(was), "nDCG@10>=-2%", "no run is in the snapshot"}} {
		g, err := ParseGate(x.gate)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := CheckGates(r, []Gate{g}, x.snapshot, nil); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.gate, err)
		}
	}
}

// strip returns a report without its first measure.
func strip(r *Report) *Report {
	out := *r
	out.Measures, out.Columns, out.Extra = r.Measures[1:], r.Columns[1:], r.Extra[1:]
	return &out
}

func renamed(r *Report) *Report {
	out := *r
	out.Systems = slices.Clone(r.Systems)
	for i := range out.Systems {
		out.Systems[i].Label += " of yesterday"
	}
	return &out
}

func TestSelect(t *testing.T) {
	r, err := Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// nDCG@10 of A: .49 .61 .63 1, B: 1 1 1 .39, C: .61 0 0 .61
	for _, c := range []struct{ sort, where, want string }{
		{"", "", "q1 q2 q3 q4"},
		{"A", "", "q4 q3 q2 q1"},
		{"-A", "", "q1 q2 q3 q4"},
		{"B-A", "", "q1 q2 q3 q4"},
		{"-B-A", "", "q4 q3 q2 q1"},
		{"a - b", "", "q4 q3 q2 q1"},
		{"C", "", "q4 q1 q2 q3"},
		{"spread", "", "q2 q3 q4 q1"},
		{"", "B-A>0.1", "q1 q2 q3"},
		{"-A", "B>=1", "q1 q2 q3"},
		{"", "C=0", "q2 q3"},
		{"", "B<=0.4", "q4"},
		{"", "spread>2", ""},
	} {
		list, err := r.Select(0, c.sort, c.where)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, q := range list {
			ids = append(ids, r.Queries[q].ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("sort %q where %q: %s, want %s", c.sort, c.where, got, c.want)
		}
	}
	for _, c := range [][2]string{{"D", ""}, {"", "B"}, {"", "B>x"}, {"", "E>1"}, {"-", ""}, {"", "A-B-C>1"}} {
		if _, err := r.Select(0, c[0], c[1]); err == nil {
			t.Errorf("%q is an error", c)
		}
	}
	if _, err := r.Select(9, "", ""); err == nil {
		t.Error("there is no measure 9")
	}
}

func TestPoliciesHaveTheirPlaceInTheReport(t *testing.T) {
	for _, c := range []struct {
		set     string
		queries int
		warning string
	}{
		{"missing=skip", 3, "1 judged query is left out because not every run has a list"},
		{"rel=3", 4, "3 judged queries have no relevant document"},
		{"rel=3 empty=skip", 1, "3 judged queries are left out because no document is relevant"},
	} {
		in := fixture(t)
		for _, pair := range strings.Fields(c.set) {
			name, option, _ := strings.Cut(pair, "=")
			if err := in.Policy.Set(name, option); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Queries) != c.queries || len(r.Skipped) != 4-c.queries || !strings.Contains(strings.Join(r.Warnings, "\n"), c.warning) {
			t.Errorf("%s: %d queries, %q", c.set, len(r.Queries), r.Warnings)
		}
		if !strings.Contains(r.decisions(), strings.ReplaceAll(c.set, " ", ", ")) && c.set != "rel=3 empty=skip" {
			t.Errorf("%s: %s", c.set, r.decisions())
		}
		if len(r.Policies) != len(measure.Switches()) {
			t.Error("a switch has no place in the report")
		}
	}
	// what the policy makes of the measures
	in := fixture(t)
	in.Policy = measure.Policy{Gain: measure.Exponential, Rel: 2, Unjudged: measure.Condensed}
	r, err := Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Measures[0] != "nDCG@10" || r.Applied[0] != "nDCG(dcg='exp-log2',judged_only=True)@10" || r.Applied[1] != "AP(rel=2,judged_only=True)" {
		t.Errorf("%q", r.Applied)
	}
}

// A comparison's figures are those of `rankbox eval`: measure.Evaluate over topics in the order of the qrels.
func TestFiguresAreThoseOfMeasure(t *testing.T) {
	rnd := rand.New(rand.NewSource(6))
	for range 20 {
		in := random(t, rnd, 2, 6, 15)
		in.Measures = everyMeasure()
		c, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for s := range in.Runs {
			topics := measure.Topics(slices.Collect(c.lists(s)), in.Policy)
			want := measure.Evaluate(topics, c.measures, in.Policy)
			for m := range c.measures {
				for q, v := range want.Values[m] {
					if r.Columns[m].Values[s][q] != v || r.Queries[q].ID != want.Queries[q] {
						t.Errorf("%s, %s: %v, want %v", r.Measures[m], want.Queries[q], r.Columns[m].Values[s][q], v)
					}
				}
				if r.Columns[m].Means[s] != want.Mean(m) || r.Extra[m].Median[s] != want.Median(m) || r.Extra[m].Geometric[s] != want.GeometricMean(m) {
					t.Errorf("%s: mean %v, want %v", r.Measures[m], r.Columns[m].Means[s], want.Mean(m))
				}
				for _, f := range r.Fields {
					for i, share := range want.By(m, func(q string) string { return c.fields[q].Type }) {
						if g := f.Groups[i]; g.Value != share.Key || g.Queries != share.Queries || math.Abs(g.Means[m][s]-share.Mean) > 1e-15 {
							t.Errorf("%s by type: %+v, want %+v", r.Measures[m], g, share)
						}
					}
				}
				lo, hi, rlo, rhi := 0.0, 0.0, 0.0, 0.0
				known := true
				for i := range topics {
					x := c.measures[m].TieRange(&topics[i])
					lo, hi = lo+x.Low, hi+x.High
					y, ok := c.measures[m].Residual(&topics[i])
					rlo, rhi, known = rlo+y.Low, rhi+y.High, known && ok
				}
				n := float64(len(topics))
				if e := r.Extra[m]; e.TieLow[s] != lo/n || e.TieHigh[s] != hi/n {
					t.Errorf("%s: ties %v to %v, want %v to %v", r.Measures[m], e.TieLow[s], e.TieHigh[s], lo/n, hi/n)
				} else if known && (e.ResidualLow[s] != rlo/n || e.ResidualHigh[s] != rhi/n) || !known && !math.IsNaN(e.ResidualLow[s]) {
					t.Errorf("%s: residual %v to %v, want %v to %v", r.Measures[m], e.ResidualLow[s], e.ResidualHigh[s], rlo/n, rhi/n)
				}
			}
		}
	}
}

func TestInputsThatCannotBeCompared(t *testing.T) {
	good := fixture(t)
	for name, in := range map[string]Input{
		"nothing":     {},
		"no runs":     {Qrels: good.Qrels},
		"no qrels":    {Runs: good.Runs},
		"empty qrels": {Runs: good.Runs, Qrels: collection.NewQrels()},
		"baseline":    {Runs: good.Runs, Qrels: good.Qrels, Baseline: 3},
		"measure":     {Runs: good.Runs, Qrels: good.Qrels, Measures: []string{"nDCGG@10"}},
		"nil run":     {Runs: []Named{{Name: "x"}}, Qrels: good.Qrels},
	} {
		if _, err := Open(in); err == nil || !strings.HasPrefix(err.Error(), "compare: open: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := Open(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Explain("AP", 0, 5, "q1"); err == nil {
		t.Error("run 5")
	}
	if _, err := c.Unfold("AP", 0, "q7"); err == nil {
		t.Error("query q7")
	}
	if _, err := c.Unfold("APP", 0, "q1"); err == nil {
		t.Error("measure APP")
	}
	if _, err := c.Report(func() bool { return true }, nil); err != ErrCancelled {
		t.Errorf("cancelled: %v", err)
	}
	var done, total int
	if _, err := c.Report(nil, func(d, n int) { done, total = d, n }); err != nil || done != 12 || total != 12 {
		t.Errorf("%d of %d, %v", done, total, err)
	}
	two := fixture(t)
	two.Runs[1].Name, two.Runs[2].Name = "alpha", "alpha"
	if c, err = Open(two); err != nil || strings.Join(c.Names(), ",") != "alpha,alpha (2),alpha (3)" {
		t.Errorf("%q, %v", c.Names(), err)
	}
}

func TestUnfoldByHand(t *testing.T) {
	c, err := Open(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	// alpha on q1: grades 0, 3, -, 1; judged 3, 1, 0, 2
	log2 := math.Log2
	u, err := c.Unfold("nDCG@10", 0, "q1")
	if err != nil {
		t.Fatal(err)
	}
	ideal := 3 + 2/log2(3) + 0.5
	want := (3/log2(3) + 1/log2(5)) / ideal
	if math.Abs(u.Value-want) > 1e-15 || math.Abs(u.Divisor-ideal) > 1e-15 || len(u.Rows) != 4 || u.Rows[1].Work != "3 / log2(3)" || u.Rows[2].Grade != Unjudged || u.Rows[2].Term != 0 || u.Rows[3].ID != "d2" || len(u.Ideal) != 3 {
		t.Errorf("%+v", u)
	}
	if u, err = c.Unfold("ERR(max_rel=3)", 0, "q1"); err != nil || math.Abs(u.Value-(7.0/8/2+1.0/8*(1.0/8)/4)) > 1e-15 || u.Rows[3].Work != "0.125 x 0.125 / 4" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err = c.Unfold("RBP(rel=1,p=0.5)", 0, "q1"); err != nil || u.Value != 0.25+0.0625 || u.Rows[1].Work != "0.5 x 0.5^1" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err = c.Unfold("AP(judged_only=True)", 0, "q1"); err != nil || math.Abs(u.Value-(1.0/2+2.0/3)/3) > 1e-15 || u.Rows[3].Rank != 3 || u.Rows[3].Place != 4 {
		t.Errorf("%+v, %v", u, err)
	}
	if got := (&Explanation{}).Sentence(); got == "" {
		t.Error("no sentence for no difference")
	}
}
