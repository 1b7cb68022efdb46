package compare

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

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
		if len(r.Queries) != c.queries || len(r.Skipped) != 4-c.queries ||
			!strings.Contains(strings.Join(r.Doubts(say.Plain), "\n"), c.warning) {
			t.Errorf("%s: %d queries, %+v", c.set, len(r.Queries), r.Warnings)
		}
		var said []string
		for _, d := range r.Decisions {
			if !d.Default {
				said = append(said, d.Name+"="+d.Option)
			}
		}
		if got := strings.Join(said, " "); got != c.set && c.set != "rel=3 empty=skip" {
			t.Errorf("%s: %s", c.set, got)
		}
		if len(r.Decisions) != len(measure.Switches()) {
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
	if r.Measures[0] != "nDCG@10" || r.Columns[0].Applied != "nDCG(dcg='exp-log2',judged_only=True)@10" ||
		r.Columns[1].Applied != "AP(rel=2,judged_only=True)" {
		t.Errorf("%q %q", r.Columns[0].Applied, r.Columns[1].Applied)
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
			var topics []measure.Topic
			for l := range c.lists(s) {
				topics = append(topics, l.Topic(in.Policy))
			}
			want := measure.Evaluate(topics, c.Evaluation.Asked, in.Policy)
			for m := range c.Evaluation.Asked {
				for q, v := range want.Values[m] {
					if r.Columns[m].Values[s][q] != v || r.Queries[q].ID != want.Queries[q] {
						t.Errorf("%s, %s: %v, want %v", r.Measures[m], want.Queries[q], r.Columns[m].Values[s][q], v)
					}
				}
				if r.Columns[m].Means[s] != want.Mean(m) || r.Columns[m].Median[s] != want.Median(m) ||
					r.Columns[m].Geometric[s] != want.GeometricMean(m) {
					t.Errorf("%s: mean %v, want %v", r.Measures[m], r.Columns[m].Means[s], want.Mean(m))
				}
				for _, f := range r.Fields {
					sums, counts := map[string]float64{}, map[string]int{}
					for q, v := range want.Values[m] {
						kind := c.fields[want.Queries[q]].Type
						sums[kind], counts[kind] = sums[kind]+v, counts[kind]+1
					}
					for _, g := range f.Groups {
						if n := counts[g.Value]; g.Queries != n ||
							math.Abs(g.Means[m][s]-sums[g.Value]/float64(n)) > 1e-15 {
							t.Errorf("%s by type: %+v, want %d queries and a sum of %v", r.Measures[m], g, n,
								sums[g.Value])
						}
					}
					if len(f.Groups) != len(counts) {
						t.Errorf("%s by type: %d groups, want %d", r.Measures[m], len(f.Groups), len(counts))
					}
				}
				lo, hi, rlo, rhi := 0.0, 0.0, 0.0, 0.0
				known := true
				for i := range topics {
					x := c.Evaluation.Asked[m].TieRange(&topics[i])
					lo, hi = lo+x.Low, hi+x.High
					y, ok := c.Evaluation.Asked[m].Residual(&topics[i])
					rlo, rhi, known = rlo+y.Low, rhi+y.High, known && ok
				}
				n := float64(len(topics))
				if e := r.Columns[m]; e.TieLow[s] != lo/n || e.TieHigh[s] != hi/n {
					t.Errorf("%s: ties %v to %v, want %v to %v", r.Measures[m], e.TieLow[s], e.TieHigh[s], lo/n, hi/n)
				} else if known && (e.ResidualLow[s] != rlo/n || e.ResidualHigh[s] != rhi/n) || !known &&
					!math.IsNaN(e.ResidualLow[s]) {
					t.Errorf("%s: residual %v to %v, want %v to %v", r.Measures[m], e.ResidualLow[s], e.ResidualHigh[s],
						rlo/n, rhi/n)
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
	if math.Abs(u.Value-want) > 1e-15 || math.Abs(u.Divisor-ideal) > 1e-15 || len(u.Rows) != 4 ||
		u.Rows[1].Work != "3 / log2(3)" || u.Rows[2].Grade != Unjudged || u.Rows[2].Term != 0 || u.Rows[3].ID != "d2" ||
		len(u.Ideal) != 3 {
		t.Errorf("%+v", u)
	}
	if u, err = c.Unfold("ERR(max_rel=3)", 0, "q1"); err != nil ||
		math.Abs(u.Value-(7.0/8/2+1.0/8*(1.0/8)/4)) > 1e-15 || u.Rows[3].Work != "0.125 x 0.125 / 4" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err = c.Unfold("RBP(rel=1,p=0.5)", 0, "q1"); err != nil || u.Value != 0.25+0.0625 ||
		u.Rows[1].Work != "0.5 x 0.5^1" {
		t.Errorf("%+v, %v", u, err)
	}
	if u, err = c.Unfold("AP(judged_only=True)", 0, "q1"); err != nil || math.Abs(u.Value-(1.0/2+2.0/3)/3) > 1e-15 ||
		u.Rows[3].Rank != 3 || u.Rows[3].Place != 4 {
		t.Errorf("%+v, %v", u, err)
	}
	if got := (&Explanation{}).Sentence(say.Plain); got == "" {
		t.Error("no sentence for no difference")
	}
}
