package facts

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart"
)

// named is a report of runs of these names; the values of a run are its place in hundredths, on four queries.
func named(names ...string) *report.Report {
	r := &report.Report{Measures: []string{"AP"}, Queries: make([]report.Query, 4),
		Columns: []report.Column{{Measure: "AP"}}}
	c := &r.Columns[0]
	for i, name := range names {
		v := float64(i) / 100
		r.Systems = append(r.Systems, report.System{Label: name})
		c.Values, c.Means = append(c.Values, []float64{v, v, v, v + 0.001}), append(c.Means, v)
	}
	return r
}

func TestSweepsAreFoundInTheNamesOfRuns(t *testing.T) {
	for _, c := range []struct {
		name  string
		runs  []string
		x, y  chart.Param
		where [][]int
	}{
		{"one number", []string{"dense", "bm25(k1=1.2)", "bm25(k1=0.6)", "bm25(k1=1.8)"},
			chart.Param{Name: "k1", Values: []float64{0.6, 1.2, 1.8}}, chart.Param{}, [][]int{{2, 1, 3}}},
		// b is .4 where none is written
		{"two numbers, one at its default", []string{"bm25(k1=0.6)", "bm25(k1=1.8,b=0.75)", "bm25(k1=0.6,b=0.75)",
			"bm25(k1=1.8)"}, chart.Param{Name: "k1", Values: []float64{0.6, 1.8}}, chart.Param{Name: "b",
			Values: []float64{0.4, 0.75}}, [][]int{{0, 3}, {2, 1}}},
		{"the number of a stage within", []string{"rrf(bm25, dense, k=10)", "rrf(bm25, dense, k=60)",
			"rrf(bm25, dense, k=100)"}, chart.Param{Name: "k",
			Values: []float64{10, 60, 100}}, chart.Param{}, [][]int{{0, 1, 2}}},
		// two rows of one grid, and a run that is in neither
		{"a run beside the grid", []string{"bm25(k1=0.6,b=0.4)", "bm25(k1=0.6,b=0.5)", "bm25(k1=1.8,b=0.4)",
			"bm25(k1=1.8,b=0.5)", "bm25(k1=1.1,b=0.9)"}, chart.Param{Name: "k1",
			Values: []float64{0.6, 1.8}}, chart.Param{Name: "b", Values: []float64{0.4, 0.5}}, [][]int{{0, 2},
			{1, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := Of(named(c.runs...), nil).Sweep
			if w == nil {
				t.Fatal("none")
			}
			if fmt.Sprint(*w) != fmt.Sprint(chart.Sweep{X: c.x, Y: c.y, System: c.where}) {
				t.Errorf("%+v", *w)
			}
		})
	}
	for _, none := range [][]string{{"bm25", "dense", "ql"}, {"my run 1", "my run 2", "my run 3"},
		{"bm25(k1=1)", "bm25(k1=2)"}, {"bm25(k1=1,b=0.1) >> rm3(docs=3)", "bm25(k1=2,b=0.2) >> rm3(docs=4)",
			"bm25(k1=3,b=0.1) >> rm3(docs=3)"}, {}} {
		if w := Of(named(none...), nil).Sweep; w != nil {
			t.Errorf("%q: %+v", none, *w)
		}
	}
}

func TestPipelinesThatGrow(t *testing.T) {
	x := Of(named("dense", "bm25 >> rm3 >> mmr", "bm25", "bm25 >> rm3", "mine"), nil)
	if want := []chart.Growth{{System: 2, Stage: "bm25"}, {System: 3, Stage: "rm3"},
		{System: 1, Stage: "mmr"}}; !slices.Equal(x.Steps, want) {
		t.Errorf("steps %v", x.Steps)
	}
	if !slices.Equal(x.Stages, []int{1, 3, 1, 2, 0}) {
		t.Errorf("stages %v", x.Stages)
	}
	if x.Ablation != nil {
		t.Errorf("bm25 >> mmr is missing, and %v", x.Ablation)
	}
	if x := Of(named("bm25 >> rm3 >> mmr", "dense"), nil); x.Steps != nil {
		t.Errorf("steps %v", x.Steps)
	}
	// values by hand: with both .01, without mmr .02, without rm3 .03, bare 0
	x = Of(named("bm25", "bm25 >> rm3 >> mmr", "bm25 >> rm3", "bm25 >> mmr"), nil)
	a := x.Ablation
	if a == nil || a.Measure != "AP" || len(a.Stages) != 2 || a.Stages[0].Stage != "rm3" {
		t.Fatalf("%+v", a)
	}
	// lost without rm3: .01 - .03; alone .02 - 0; their mean is Shapley's value of two stages
	if w := a.Stages[0]; math.Abs(w.Lost+0.02) > 1e-12 || math.Abs(w.Alone-0.02) > 1e-12 ||
		math.Abs(w.Shapley) > 1e-12 {
		t.Errorf("rm3 %+v", w)
	}
}

// TestGrades: of list a, scores 10, 8, 4, 0 lie at 1, .8, .4 and 0; b has one score and is left out; c has no
// judgments. Quantiles as numpy.percentile.
func TestGrades(t *testing.T) {
	q := collection.NewQrels()
	q.Add("a", "d1", 2)
	q.Add("a", "d3", 0)
	q.Add("a", "d4", 0)
	q.Add("b", "d1", 1)
	b := collection.NewRunBuilder("r")
	for i, doc := range []string{"d1", "d2", "d3", "d4"} {
		b.Add("a", doc, []float64{10, 8, 4, 0}[i])
		b.Add("b", doc, 1)
		b.Add("c", doc, float64(i))
	}
	run, _ := b.Run()
	got := Grades(&compare.Input{Qrels: q, Runs: []compare.Named{{Name: "r", Run: run}}})
	want := []chart.Graded{{N: 1, Low: 0.8, Lower: 0.8, Median: 0.8, Upper: 0.8, High: 0.8},
		{Judged: true, N: 2, Low: 0.02, Lower: 0.1, Median: 0.2, Upper: 0.3, High: 0.38}, {Grade: 2, Judged: true, N: 1,
			Low: 1, Lower: 1, Median: 1, Upper: 1, High: 1}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		g, w := got[i], want[i]
		same := g.System == w.System && g.Grade == w.Grade && g.Judged == w.Judged && g.N == w.N
		for _, v := range [][2]float64{{g.Low, w.Low}, {g.Lower, w.Lower}, {g.Median, w.Median}, {g.Upper, w.Upper},
			{g.High, w.High}} {
			same = same && math.Abs(v[0]-v[1]) < 1e-12
		}
		if !same {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if got := Grades(&compare.Input{}); got != nil {
		t.Errorf("%v of nothing", got)
	}
}
