package report

import (
	"math"
	"math/rand"
	"testing"
)

// Oracle: statsmodels 0.15.0, TTestPower().solve_power(nobs=20, alpha=.05, power=.8) = 0.66044165. Its power of
// 0.7835401327716 with 20 at .05 / 3 and of 0.478881842998714 with 44 at .05 / 2 are 0.8 to 13 digits. A spread of
// 0.17 makes 0.17 × 0.66044165 = 0.11227508 of the first: "your 20 queries can detect a change of .11 or more".
func TestDetectableChange(t *testing.T) {
	for _, c := range []struct {
		spread           float64
		queries, family  int
		want, difference float64
	}{
		{0.17, 20, 1, 0.11227508, 1e-7},
		{1, 20, 1, 0.66044165, 1e-7},
		{1, 20, 3, 0.78354013, 1e-7},
		{1, 44, 2, 0.47888184, 1e-7},
		{0, 20, 1, 0, 0},
	} {
		if got := Detectable(c.spread, c.queries, c.family); math.Abs(got-c.want) > c.difference {
			t.Errorf("%v of %d queries, %d tests: %v, want %v", c.spread, c.queries, c.family, got, c.want)
		}
	}
	if got := Detectable(0.2, 1, 1); !math.IsNaN(got) {
		t.Errorf("one query: %v", got)
	}
}

// A change as large as Detectable says is found by the test that a report makes in 4 of 5 experiments, not more often
// and not more rarely. Each experiment draws normal differences of 20 queries. The standard error of 1,000 is .013.
func TestDetectableIsFoundInFourOfFive(t *testing.T) {
	const queries, experiments, spread = 20, 1000, 0.17
	r := rand.New(rand.NewSource(1))
	change := Detectable(spread, queries, 1)
	found, alarms := 0, 0
	for range experiments {
		a, b, same := make([]float64, queries), make([]float64, queries), make([]float64, queries)
		for q := range a {
			a[q] = r.Float64()
			noise := spread * r.NormFloat64()
			same[q] = a[q] + noise
			b[q] = a[q] + noise - change
		}
		for _, x := range []struct {
			b []float64
			n *int
		}{{b, &found}, {same, &alarms}} {
			o, err := Paired("nDCG@10", a, x.b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if o.P < Alpha {
				*x.n++
			}
		}
	}
	if share := float64(found) / experiments; share < 0.75 || share > 0.85 {
		t.Errorf("a change of %v is found in %v of the experiments", change, share)
	}
	if share := float64(alarms) / experiments; share > 0.075 {
		t.Errorf("no change is found in %v of the experiments", share)
	}
}
