package significance

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// Oracle: statsmodels 0.15.0 (κ, weighted too) and krippendorff 0.9.0 (α) on 40 random cases with gaps;
// scripts/oracle/significance/sure.py.
func TestCoefficientsOfAgreementEqualTheReferenceTools(t *testing.T) {
	b, err := os.ReadFile("testdata/sure.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Cases []struct {
			Ratings [][]*int
			Cohen   [3][4]number
			Alpha   [3][2]number
		}
	}
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	c := &checker{t: t}
	for i, x := range f.Cases {
		var first, second []int
		for u, g := range x.Ratings[0] {
			if h := x.Ratings[1][u]; g != nil && h != nil {
				first, second = append(first, *g), append(second, *h)
			}
		}
		for w, want := range x.Cohen {
			got, err := CohenInterval(first, second, Weighting(w), 0)
			if err != nil {
				t.Fatal(err)
			}
			if kappa := got.Coefficient; math.Abs((got.Observed-got.Chance)/(1-got.Chance)-kappa) > 1e-12 {
				t.Errorf("case %d: κ %v is not that of %v and %v", i, kappa, got.Observed, got.Chance)
			}
			c.near(fmt.Sprint("case ", i, " κ weighting ", w), got.Coefficient, want[0], 1e-11, 1e-13)
		}
		ratings := make([][]float64, len(x.Ratings))
		for r, row := range x.Ratings {
			for _, g := range row {
				v := math.NaN()
				if g != nil {
					v = float64(*g)
				}
				ratings[r] = append(ratings[r], v)
			}
		}
		for s, want := range x.Alpha {
			got, err := KrippendorffInterval(ratings, Scale(s), 0)
			if err != nil {
				t.Fatal(err)
			}
			c.near(fmt.Sprint("case ", i, " α ", s), got.Coefficient, want[0], 1e-11, 1e-13)
		}
	}
	c.done(200)
}

// By hand: of four documents both judges hold two relevant, and each two others. κ = (1/2 - 1/2)/(1/2) = 0.
func TestCohenIntervalByHand(t *testing.T) {
	got, err := CohenInterval([]int{1, 1, 0, 0}, []int{1, 0, 1, 0}, Unweighted, 0.95)
	if err != nil || got.Coefficient != 0 || !(got.Low < 0 && got.High > 0) || got.Observed != 0.5 ||
		got.Chance != 0.5 {
		t.Errorf("%+v, %v", got, err)
	}
	for name, x := range map[string][2][]int{"nothing": {nil, nil}, "one grade": {{1, 1}, {1, 1}}} {
		if got, err := CohenInterval(x[0], x[1], Linear, 0.95); err != nil || got.Coefficient == got.Coefficient ||
			got.Low == got.Low {
			t.Errorf("%s: %+v, %v; want NaN", name, got, err)
		}
	}
	if _, err := CohenInterval([]int{1}, nil, Linear, 0.95); err == nil {
		t.Error("ratings of two lengths are taken")
	}
	if low, high := ShareInterval(0, 0, 0.95); low == low || high == high {
		t.Error("a share of nothing has an interval")
	}
}

// Oracle: ppi-python 0.2.3 (ppi_mean_pointestimate),
// scripts/oracle/significance/powered.py.
func TestPredictionPoweredMeansEqualPPIPython(t *testing.T) {
	b, err := os.ReadFile("testdata/powered.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Cases []struct {
			Label, Predicted, Others []float64
			Lambda                   number
			Powered                  [3]number
		}
	}
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	c := &checker{t: t}
	cut := 0
	for i, x := range f.Cases {
		got, err := PredictionPowered(x.Label, x.Predicted, x.Others, Unit, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		c.near(fmt.Sprint("case ", i, " λ"), got.Lambda, x.Lambda, 1e-11, 1e-14)
		c.near(fmt.Sprint("case ", i, " powered"), got.Mean, x.Powered[0], 1e-11, 1e-14)
		if x.Lambda == 0 {
			cut++
			low, high := Unit.Interval(x.Label, 0.95)
			if alone := (Estimate{Mean(x.Label), low, high}); got.Estimate != alone {
				t.Errorf("case %d: λ is 0, but %+v and %+v", i, got.Estimate, alone)
			}
		}
	}
	if cut == 0 {
		t.Error("no case has λ = 0")
	}
	c.done(60)
	for name, x := range map[string][3][]float64{"one label": {{1}, {1}, {1, 2}}, "no others": {{1, 2}, {1, 2}, nil}} {
		if got, err := PredictionPowered(x[0], x[1], x[2], Unit, 0.95); err != nil || got.Mean == got.Mean {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := PredictionPowered([]float64{1, 2}, []float64{1}, []float64{1}, Unit, 0.95); err == nil {
		t.Error("labels without predictions are taken")
	}
}

// The planned number of labels is the first whose interval is as narrow as asked: of 0 and 1, half each, from labels
// alone by Clopper and Pearson's interval. Predictions that are right need fewer.
func TestLabelsNeeded(t *testing.T) {
	label := []float64{0, 1, 0, 1, 0, 1, 0, 1}
	others := make([]float64, 2000)
	for i := range others {
		others[i] = float64(i % 2)
	}
	p := must(PredictionPowered(label, label, others, Unit, 0.95))
	powered, alone := p.Needed(0.1)
	width := func(n int) float64 {
		low, high := ShareInterval(n/2, n, 0.95)
		return high - low
	}
	if !(width(alone) <= 0.2 && width(alone-2) > 0.2) || powered == 0 || powered >= alone {
		t.Errorf("%d labels with predictions, %d without", powered, alone)
	}
	few := must(PredictionPowered(label, label, others[:10], Unit, 0.95))
	if powered, _ := few.Needed(0.1); powered != 0 {
		t.Errorf("%d labels and 10 others are said to be enough", powered)
	}
	if a, b := p.Needed(0); a != 0 || b != 0 {
		t.Errorf("no width: %d, %d", a, b)
	}
}
