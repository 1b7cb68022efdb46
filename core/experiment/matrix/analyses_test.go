package matrix

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/stage"
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
		got := shapley(x.values)
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
	for mask, want := range map[uint32]string{
		0b1111: "rrf(bm25 >> rm3, dense, k=10) >> cut(20)",
		0b1110: "rrf(bm25, dense, k=10) >> cut(20)",
		0b1101: "dense >> cut(20)",
		0b0011: "bm25 >> rm3",
		0b0010: "bm25",
		0b1001: "",
		0b0000: "",
	} {
		if got := subset(n, of, mask); got != want {
			t.Errorf("%04b: %q, want %q", mask, got, want)
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
		if s := a.Stages[i]; s.Without != without || s.Lost != a.Full-mean[without] ||
			!(s.Low <= s.Lost && s.Lost <= s.High) {
			t.Errorf("%+v: without is %s of %v", s, without, mean[without])
		}
	}
	// the dense argument and the words argument with rm3, alone
	if a.Stages[2].Alone != mean["dense"] || a.Stages[1].Alone != mean["bm25"] || a.Stages[0].Alone != 0 {
		t.Errorf("%+v", a.Stages)
	}
	if _, err := Ablate(out.Report, "bm25 >> rm3 >> cut(20)", 0, nil); err == nil ||
		!strings.Contains(err.Error(), "was not run to the end") {
		t.Errorf("runs that are not there: %v", err)
	}
	for _, bad := range []string{`{"ablate": "bm25"}`, `{"ablate": "bm25` + strings.Repeat(" >> rm3", MaxPlayers+1) +
		`"}`} {
		spec, err := ReadSpec([]byte(bad))
		if err == nil {
			_, err = NewPlan(spec, session(t).Ref())
		}
		if err == nil || !strings.Contains(err.Error(), "ablate") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Two systems and ten queries, by hand. A has 0.6 on every query. B has 1 on two and 0.5 on the others: its mean of 0.6
// is as good. C has 1 on query 0 alone and 0.55 on the others, 0.595. The folds that the queries with 1 are in are
// chosen without them.
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
	// B: (1 + 9 × 0.56) / 10 = 0.604, the best. Of the fold with query 3 the others say A (0.6 against 0.56), of the
	// other four folds B (0.56 + 0.44 / 8 = 0.615). Held out: the two queries of that fold have A's 0.6, the other
	// eight B's 0.56: 0.568.
	got, ok, err := tune(r, 1, Folds)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if got.Best != 1 || math.Abs(got.Tuned-0.604) > 1e-12 || math.Abs(got.HeldOut-0.568) > 1e-12 ||
		math.Abs(got.Optimism-0.036) > 1e-12 || math.Abs(got.Gain+0.032) > 1e-12 {
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
	if !slices.Equal(size, []int{4, 4, 5, 5, 5}) || slices.Equal(fold, Deal(23, 5, 8)) ||
		!slices.Equal(fold, Deal(23, 5, 7)) {
		t.Errorf("folds of %v", size)
	}
	r.Queries = r.Queries[:9]
	if _, ok, _ := tune(r, 1, Folds); ok {
		t.Error("nine queries are dealt to five folds")
	}
}

// The hash of an outcome is the same natively and as wasm, where the tests run too.
func TestHashIsTheSameEverywhere(t *testing.T) {
	const want = "843b83ef243b303b7394bbae22b54cb2406972d5aafcd0cd46b43de39cd8bd00"
	if got := finished(t, session(t), five, 2).Hash; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Where every player adds its own whoever else is there, every order says the same, and there is no error. A game of 11
// players in which 6 are a majority gives each 1/11: of 400 orders the estimates are within four of their standard
// errors. They always sum to what all get.
func TestSampledShapley(t *testing.T) {
	orders := drawOrders(11, 400, 3)
	own, off := sampledShapley(orders, func(mask uint32) float64 {
		s := 0.0
		for i := range 11 {
			if mask>>i&1 == 1 {
				s += float64(int(1) << i)
			}
		}
		return s
	})
	for i := range own {
		if own[i] != float64(int(1)<<i) || off[i] != 0 {
			t.Errorf("player %d has %v ± %v", i, own[i], off[i])
		}
	}
	worth, off := sampledShapley(orders, func(mask uint32) float64 {
		if bits.OnesCount32(mask) >= 6 {
			return 1
		}
		return 0
	})
	sum := 0.0
	for i := range worth {
		sum += worth[i]
		// 1/11 of the orders have a player in the sixth place
		if want := math.Sqrt(1.0 / 11 * 10 / 11 / 400); math.Abs(worth[i]-1.0/11) > 4*want ||
			math.Abs(off[i]-want) > .3*want {
			t.Errorf("player %d has %v ± %v", i, worth[i], off[i])
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("they sum to %v", sum)
	}
}

// A game by hand: the first brings 1, the second 2, both 6. In the orders 01, 10, 01 the first brings 1, 4, 1: 2 on
// average, with a variance of (1 + 4 + 1)/2 = 3 and a standard error of √(3/3) = 1. The second brings 5, 2, 5.
func TestSampledShapleyByHand(t *testing.T) {
	values := []float64{0, 1, 2, 6}
	worth, off := sampledShapley([][]int{{0, 1}, {1, 0}, {0, 1}}, func(mask uint32) float64 { return values[mask] })
	if !slices.Equal(worth, []float64{2, 4}) || !slices.Equal(off, []float64{1, 1}) {
		t.Errorf("%v ± %v", worth, off)
	}
}

// Sampled values of a game of ten are within four standard errors of its exact ones.
func TestSampledShapleyIsNearTheExactOne(t *testing.T) {
	values := make([]float64, 1<<10)
	for mask := range values {
		values[mask] = math.Sqrt(float64(mask&0x1f)) + float64(bits.OnesCount(uint(mask)))*float64(mask>>9)
	}
	exact := shapley(values)
	got, off := sampledShapley(drawOrders(10, 2000, 1), func(mask uint32) float64 { return values[mask] })
	for i := range exact {
		if math.Abs(got[i]-exact[i]) > 4*off[i]+1e-12 {
			t.Errorf("player %d: %v ± %v, exactly %v", i, got[i], off[i], exact[i])
		}
	}
}

// Nine stages are 512 runs, of which the whole, each left out and each alone are compared; eleven are as many as the
// orders pass through.
func TestAblationOfManyStages(t *testing.T) {
	long := "bm25"
	for i := range 9 {
		long += " >> cut(" + strconv.Itoa(90-i) + ")"
	}
	out := finished(t, session(t), `{"ablate": "`+long+`", "measures": ["nDCG@10"]}`, 1)
	if n := len(out.Report.Systems); n > 20 || out.Ablation.Orders != 0 || len(out.Plan.Runs) != 1<<9 {
		t.Errorf("%d compared, %d runs", n, len(out.Plan.Runs))
	}
	// cuts below the depth that is looked at change nothing: every value is 0
	for _, s := range out.Ablation.Stages {
		if s.Shapley != 0 || s.Lost != 0 {
			t.Errorf("%+v", s)
		}
	}
	for i := range 2 {
		long += " >> cut(" + strconv.Itoa(80-i) + ")"
	}
	out = finished(t, session(t), `{"ablate": "`+long+`", "measures": ["nDCG@10"], "seed": 4}`, 1)
	if a := out.Ablation; a.Orders != drawnOrders || len(a.Stages) != 11 || len(out.Plan.Runs) > 450 ||
		a.Stages[3].Error != 0 {
		t.Errorf("%d orders, %d stages, %d runs", a.Orders, len(a.Stages), len(out.Plan.Runs))
	}
}

// By hand, ten queries in two folds, dealt by their places. Two systems are tuned, A of two values and B of two. On the
// even queries A's second is best (.8), on the odd ones its first (.6); B's two are .5 and .4 everywhere. The default
// of A, its first, is the baseline.
func TestNestedTuning(t *testing.T) {
	values := make([][]float64, 4)
	fold := Deal(20, 2, 9)
	for q := range 20 {
		even, odd := .3, .6
		if fold[q] == 0 {
			even, odd = .8, .3
		}
		for s, v := range []float64{odd, even, .5, .4} {
			values[s] = append(values[s], v)
		}
	}
	r := tuned(t, false, values)
	f, err := tuneFamilies(r, [][]int{{0, 1}, {2, 3}}, 9, 2)
	if err != nil {
		t.Fatal(err)
	}
	// Of fold 0 the other says A's first (.6 there): .3 on fold 0. Of fold 1 the other says A's second (.8 there): .3.
	// Held out .3; tuned .55.
	a := f.Families[0]
	if a.Best != 1 || math.Abs(a.Tuned-.55) > 1e-12 || math.Abs(a.HeldOut-.3) > 1e-12 ||
		math.Abs(a.Optimism-.25) > 1e-12 || a.Default != 0 {
		t.Errorf("%+v", a)
	}
	if b := f.Families[1]; math.Abs(b.HeldOut-.5) > 1e-12 || math.Abs(b.Optimism) > 1e-12 || b.Default != 2 ||
		!b.WithinBest {
		t.Errorf("%+v", b)
	}
	// Within fold 1 (A's first is .6 on all of it) the inner choice is A, which has .3 on fold 0; within fold 0 A too
	// (.8), .3 on fold 1.
	if math.Abs(f.HeldOut-.3) > 1e-12 || math.Abs(f.Optimism-.25) > 1e-12 || !a.WithinBest {
		t.Errorf("%+v", f)
	}
	if f, err := tuneFamilies(r, [][]int{{0}, {2}}, 9, 2); f != nil || err != nil {
		t.Errorf("families of one: %+v, %v", f, err)
	}
}

// What only the collection tells of the queries is among the slices, and what its words predict among the analyses.
func TestAnalysesOfAnExperiment(t *testing.T) {
	s := session(t)
	out := finished(t, s, `{"systems": ["bm25(k1=0.6|0.9, b=0.2|0.4)"], "measures": ["nDCG@10"]}`, 1)
	if err := out.Analyse(s, nil); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, x := range out.Analyses {
		said[x.Name] = x.Sentence
		for _, table := range x.Tables {
			said[table.Caption] = "there"
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Errorf("%s: a row of %d for %d columns", x.Name, len(row), len(table.Columns))
				}
			}
		}
	}
	for _, want := range []string{"components", "slices", "places", "belief", "kinds", "judging", "prediction",
		"errors", "By documents with the rarest word: nDCG@10"} {
		if said[want] == "" {
			t.Errorf("nothing is said of %s: %v", want, said)
		}
	}
	data, err := out.JSON()
	if err != nil || !strings.Contains(string(data), `"analyses":[{"name":"components"`) {
		t.Error(err)
	}
}
