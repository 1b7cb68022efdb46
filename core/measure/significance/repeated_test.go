package significance

import (
	"encoding/json"
	"math"
	"math/rand"
	"os"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// scripts/oracle/significance/repeated.py: statsmodels 0.15.0 AnovaRM, pingouin 0.6.1 rm_anova and epsilon; the rest of
// ε by numpy.
func TestRepeatedMeasuresAreThoseOfStatsmodelsAndPingouin(t *testing.T) {
	b, err := os.ReadFile("testdata/repeated.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Cases []struct {
			Name    string
			Levels  []int
			Queries int
			Values  []float64
			Effects []struct {
				Factors []int
				F, DF   float64
				ErrorDF float64 `json:"error_df"`
				P       float64
				PGG     float64 `json:"p_gg"`
				GG, HF  float64
			}
		}
	}
	if err := json.Unmarshal(b, &oracle); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, c := range oracle.Cases {
		for _, w := range c.Effects {
			set := uint(0)
			for _, f := range w.Factors {
				set |= 1 << f
			}
			got, err := RepeatedMeasures(c.Levels, c.Queries, c.Values, []uint{set})
			if err != nil {
				t.Fatal(err)
			}
			e := got[0]
			if !slices.Equal(e.Factors, w.Factors) {
				t.Errorf("%v", e.Factors)
			}
			for name, v := range map[string][2]float64{"F": {e.F, w.F}, "df": {e.DF, w.DF},
				"df of the error": {e.ErrorDF, w.ErrorDF}, "p without correction": {e.PUncorrected, w.P},
				"p": {e.P, w.PGG}, "ε": {e.Epsilon, w.GG}, "ε of Huynh and Feldt": {e.HuynhFeldt, w.HF}} {
				checked++
				if !(math.Abs(v[0]-v[1]) <= 1e-9*math.Abs(v[1])) {
					t.Errorf("%s, %v, %d queries, %v: %s %v, oracle %v", c.Name, c.Levels, c.Queries, w.Factors, name,
						v[0], v[1])
				}
			}
		}
	}
	if len(oracle.Cases) < 40 || checked < 700 {
		t.Errorf("%d cases, %d figures", len(oracle.Cases), checked)
	}
}

// A factor of two levels is tested as the paired t test does, whatever else varies.
func TestRepeatedMeasuresOfTwoLevelsIsTheTTest(t *testing.T) {
	rnd := NewRand(3, 1)
	const n = 9
	values := make([]float64, 2*3*n)
	for i := range values {
		values[i] = float64(rnd.Intn(1000)) / 1000
	}
	d := make([]float64, n)
	for q := range d {
		for b := range 3 {
			d[q] += (values[(3+b)*n+q] - values[b*n+q]) / 3
		}
	}
	want := must(PairedT(d, Options{}))
	got := must(RepeatedMeasures([]int{2, 3}, n, values, []uint{1}))[0]
	if math.Abs(got.P-want.P) > 1e-12 || math.Abs(got.F-want.Statistic*want.Statistic) > 1e-10*got.F ||
		got.Epsilon != 1 {
		t.Errorf("%+v, the t test has %+v", got, want)
	}
}

func TestRepeatedMeasuresAtTheirLimits(t *testing.T) {
	for name, c := range map[string]struct {
		levels  []int
		queries int
		values  []float64
		terms   []uint
		want    string
	}{
		"one level": {[]int{1}, 3, []float64{1, 2, 3}, []uint{1},
			"a factor has fewer than two levels, or there are too many cells"},
		"one query": {[]int{2}, 1, []float64{1, 2}, []uint{1},
			"the design is not a full one with at least two queries"},
		"a missing cell": {[]int{2}, 2, []float64{1, 2, 3}, []uint{1},
			"the design is not a full one with at least two queries"},
		"no number":         {[]int{2}, 2, []float64{1, 2, 3, math.Inf(1)}, []uint{1}, "a value is not finite"},
		"an unknown effect": {[]int{2}, 2, []float64{1, 2, 3, 4}, []uint{2}, "a term is not of the design"},
		"no effect":         {[]int{2}, 2, []float64{1, 2, 3, 4}, []uint{0}, "a term is not of the design"},
	} {
		if _, err := RepeatedMeasures(c.levels, c.queries, c.values, c.terms); err == nil ||
			err.Error() != "significance: repeated measures: "+c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// the same effect for every query, also where binary fractions differ: nothing to test against
	got := must(RepeatedMeasures([]int{3}, 3, []float64{0.1, 0.2, 0.3, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, []uint{1}))[0]
	// by hand: levels' means .2, .3, .6 about 11/30, times 3
	if got.F == got.F || got.P == got.P || got.ErrorSS != 0 || math.Abs(got.SS-0.26) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

// Without true effects, which here differ from query to query all the same, each effect is found in 5 of 100 samples of
// queries. Against the rest of a table of fixed effects it would be found in most. Greenhouse and Geisser's ε is known
// to hold back a little with few queries.
func TestRepeatedMeasuresRejectAtTheirLevel(t *testing.T) {
	of := 600
	if shared.Long() {
		of = 10000
	}
	for name, draw := range map[string]func(rnd *rand.Rand) float64{
		"normal":        (*rand.Rand).NormFloat64,
		"zero-inflated": func(rnd *rand.Rand) float64 { return max(0, rnd.NormFloat64()-0.5) },
		"skewed":        func(rnd *rand.Rand) float64 { return math.Exp(0.7 * rnd.NormFloat64()) },
	} {
		for _, n := range []int{10, 25, 50, 200} {
			if n == 200 && !shared.Long() {
				continue
			}
			rnd := rand.New(rand.NewSource(int64(n)))
			levels, terms := []int{3, 2}, []uint{1, 2, 3}
			rejected := make([]int, len(terms))
			for range of {
				values := make([]float64, 6*n)
				for q := range n {
					level := 2 * draw(rnd)
					var a [3]float64
					var b [2]float64
					for i := range a {
						a[i] = draw(rnd)
					}
					for i := range b {
						b[i] = draw(rnd)
					}
					for cell := range 6 {
						values[cell*n+q] = level + a[cell/2] + b[cell%2] + 0.5*draw(rnd)
					}
				}
				for i, e := range must(RepeatedMeasures(levels, n, values, terms)) {
					if e.P < 0.05 {
						rejected[i]++
					}
				}
			}
			for i, r := range rejected {
				share, off := float64(r)/float64(of), 3.5*math.Sqrt(0.05*0.95/float64(of))
				if of == 10000 {
					off = 0.01
				}
				t.Logf("%s, %d queries, effect %d: %.4f of %d", name, n, i, share, of)
				if share > 0.05+off || n > 10 && name == "normal" && share < 0.05-off {
					t.Errorf("%s, %d queries, effect %d: %.4f of %d reject at 5 %%", name, n, i, share, of)
				}
			}
		}
	}
}
