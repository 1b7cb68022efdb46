package matrix

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/stage"
)

func TestShapley(t *testing.T) {
	for _, x := range []struct {
		name   string
		values []float64
		want   []float64
	}{
		{"one player", []float64{1, 4}, []float64{3}},
		// by hand: the first brings 1 alone and 3 after the second; the second 3 alone and 5 after the first
		{"two that help each other", []float64{0, 1, 3, 6}, []float64{2, 4}},
		// Shapley's game of gloves: a left one and two right ones; a pair is worth 1. 2/3, 1/6, 1/6
		{"gloves", []float64{0, 0, 0, 1, 0, 1, 0, 1}, []float64{2.0 / 3, 1.0 / 6, 1.0 / 6}},
		{"each adds its own", []float64{7, 8, 9, 10, 11, 12, 13, 14}, []float64{1, 2, 4}},
	} {
		got := Shapley(x.values)
		for i := range x.want {
			if math.Abs(got[i]-x.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
				break
			}
		}
	}
}

func TestSubsetsOfAPipeline(t *testing.T) {
	n := stage.MustParse("rrf(bm25 >> rm3, dense,k=10) >> cut(20)")
	var names []string
	of := players(n)
	for _, p := range of {
		names = append(names, p.text)
	}
	if want := []string{"rm3", "bm25 >> rm3", "dense", "cut(20)"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	all := subsets(n, of)
	for mask, want := range map[int]string{
		0b1111: "rrf(bm25 >> rm3, dense, k=10) >> cut(20)",
		0b1110: "rrf(bm25, dense, k=10) >> cut(20)",
		0b1101: "dense >> cut(20)",
		0b0011: "bm25 >> rm3",
		0b0010: "bm25",
		0b1001: "",
		0b0000: "",
	} {
		if all[mask] != want {
			t.Errorf("%04b: %q, want %q", mask, all[mask], want)
		}
	}
}

func TestAblationOfAnExperiment(t *testing.T) {
	out := finished(t, session(t), `{"ablate": "rrf(bm25 >> rm3, dense)", "measures": ["nDCG@10"]}`, 1)
	a := out.Ablation
	if a == nil || len(a.Stages) != 3 || a.Bare != 0 {
		t.Fatalf("%+v", a)
	}
	sum := 0.0
	for _, s := range a.Stages {
		sum += s.Shapley
	}
	if math.Abs(sum-(a.Full-a.Bare)) > 1e-12 {
		t.Errorf("the values sum to %v, not %v", sum, a.Full)
	}
	mean := map[string]float64{}
	for i, s := range out.Report.Systems {
		mean[s.Label] = out.Report.Columns[0].Means[i]
	}
	for i, without := range []string{"rrf(bm25, dense)", "dense", "bm25 >> rm3"} {
		if s := a.Stages[i]; s.Without != without || s.Lost != a.Full-mean[without] || !(s.Low <= s.Lost && s.Lost <= s.High) {
			t.Errorf("%+v: without is %s of %v", s, without, mean[without])
		}
	}
	// the dense argument and the words argument with rm3, alone
	if a.Stages[2].Alone != mean["dense"] || a.Stages[1].Alone != mean["bm25"] || a.Stages[0].Alone != 0 {
		t.Errorf("%+v", a.Stages)
	}
	if _, err := Ablate(out.Report, "bm25 >> rm3 >> cut(20)"); err == nil || !strings.Contains(err.Error(), "was not run") {
		t.Errorf("runs that are not there: %v", err)
	}
	for _, bad := range []string{`{"ablate": "bm25"}`, `{"ablate": "bm25 >> cut(90) >> cut(80) >> cut(70) >> cut(60) >> cut(50) >> cut(40) >> cut(30) >> cut(20) >> cut(10)"}`} {
		spec, err := ReadSpec([]byte(bad))
		if err == nil {
			_, err = NewPlan(spec, session(t).Ref())
		}
		if err == nil || !strings.Contains(err.Error(), "ablate") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Two systems and ten queries, by hand. A has 0.6 on every query. B has 1 on two and 0.5 on the others: its mean of 0.6 is as good. C has 1 on
// query 0 alone and 0.55 on the others, 0.595. The folds that the queries with 1 are in are chosen without them.
func TestTuning(t *testing.T) {
	r := &report.Report{Measures: []string{"nDCG@10"}}
	for range 10 {
		r.Queries = append(r.Queries, report.Query{})
	}
	row := func(rest float64, ones ...int) []float64 {
		v := make([]float64, 10)
		for q := range v {
			if v[q] = rest; slices.Contains(ones, q) {
				v[q] = 1
			}
		}
		return v
	}
	r.Systems = []report.System{{Label: "A"}, {Label: "B"}}
	r.Columns = []report.Column{{Measure: "nDCG@10", Values: [][]float64{row(0.6), row(0.56, 3)}}}
	if err := r.Conclude(report.Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	// B: (1 + 9 × 0.56) / 10 = 0.604, the best. Of the fold with query 3 the others say A (0.6 against 0.56), of the other four folds B
	// (0.56 + 0.44 / 8 = 0.615). Held out: the two queries of that fold have A's 0.6, the other eight B's 0.56: 0.568.
	got, ok, err := Tune(r, 1)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got.Best != 1 || math.Abs(got.Tuned-0.604) > 1e-12 || math.Abs(got.HeldOut-0.568) > 1e-12 || math.Abs(got.Optimism-0.036) > 1e-12 || math.Abs(got.Gain+0.032) > 1e-12 {
		t.Errorf("%+v", got)
	}
	as := 0
	for _, c := range got.Choices {
		if c == 0 {
			as++
		}
	}
	if as != 1 || len(got.Choices) != Folds || !got.WithinBest {
		t.Errorf("%+v", got)
	}
	fold := Deal(23, 5, 7)
	size := make([]int, 5)
	for _, f := range fold {
		size[f]++
	}
	slices.Sort(size)
	if !slices.Equal(size, []int{4, 4, 5, 5, 5}) || slices.Equal(fold, Deal(23, 5, 8)) || !slices.Equal(fold, Deal(23, 5, 7)) {
		t.Errorf("folds of %v", size)
	}
	r.Queries = r.Queries[:9]
	if _, ok, _ := Tune(r, 1); ok {
		t.Error("nine queries are dealt to five folds")
	}
}

// The hash of an outcome is the same natively and as wasm, where the tests run too.
func TestHashIsTheSameEverywhere(t *testing.T) {
	const want = "5e81e78f503f4474cfd7964e8dffc0a8a8a40ce35e7f8c9277eb2fd28a1eb420"
	if got := finished(t, session(t), five, 2).Hash; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
