package gates

import (
	"math"
	"math/rand"
	"strconv"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/measure"
)

// values draws as many values as a measure with levels gives: 0 or 1, or continuous and often 0.
func valuesOf(rnd *rand.Rand, n int, binary bool) []float64 {
	out := make([]float64, n)
	for i := range out {
		switch {
		case binary:
			out[i] = float64(rnd.Intn(10) / 3 % 2) // 1 for 3, 4, 5 and 9
		case rnd.Intn(4) > 0:
			out[i] = 0.2 + 0.7*rnd.Float64()*rnd.Float64()
		}
	}
	return out
}

// later are the values after a loss: every query loses it and noise is added, or, of 0 or 1, queries flip.
func after(rnd *rand.Rand, old []float64, loss, noise float64, binary bool) []float64 {
	out := make([]float64, len(old))
	mean := measure.Mean(old)
	for i, v := range old {
		if !binary {
			out[i] = v - loss + noise*rnd.NormFloat64()
			continue
		}
		// of those at 1 the share down becomes 0, of those at 0 the share up becomes 1: down·mean - up·(1 - mean) = loss
		changed := max(noise, loss)
		down, up := (changed+loss)/2/mean, (changed-loss)/2/(1-mean)
		switch u := rnd.Float64(); {
		case v == 1 && u < down:
			out[i] = 0
		case v == 0 && u < up:
			out[i] = 1
		default:
			out[i] = v
		}
	}
	return out
}

// The loss that is promised to fail the build in 4 of 5 cases does so, by the verdict itself on fresh data, and no loss
// fails at most 1 of 20. The promise is made from one earlier change of the same kind: its standard deviation is an
// estimate, which is why few queries may be off by more. The standard error of a
// share of 100, of the reduced run, is .04.
func TestPromisedLossFailsTheBuild(t *testing.T) {
	for _, c := range []struct {
		name     string
		queries  int
		measure  string
		noise    float64
		low, top float64 // of the share that must fail
	}{
		{"20 queries", 20, "nDCG@10", 0.15, 0.60, 0.95},
		{"60 queries", 60, "nDCG@10", 0.15, 0.63, 0.92},
		{"200 queries", 200, "nDCG@10", 0.15, 0.72, 0.88},
		{"600 queries", 600, "nDCG@10", 0.15, 0.72, 0.88},
		{"600 quiet queries", 600, "nDCG@10", 0.02, 0.72, 0.88},
		{"100 queries of 0 or 1", 100, "Success@5", 0.12, 0.62, 0.93},
	} {
		rnd := rand.New(rand.NewSource(int64(c.queries)))
		binary := c.measure == "Success@5"
		old := valuesOf(rnd, c.queries, binary)
		was := reportOf(c.measure, old)
		g, err := Regress(was, reportOf(c.measure, after(rnd, old, 0, c.noise, binary)), DefaultThreshold, nil)
		if err != nil {
			t.Fatal(err)
		}
		power, err := PowerOf(was, nil, false, g, nil)
		if err != nil || len(power) != 1 || power[0].Assumed != "" {
			t.Fatalf("%s: %v %+v", c.name, err, power)
		}
		p := power[0]
		found, alarms := 0, 0
		builds := shared.Sample(100, 300)
		for range builds {
			for _, d := range []struct { // in one order, so that the draws are the same in every run
				loss float64
				n    *int
			}{{p.Loss, &found}, {0, &alarms}} {
				g, err := Regress(was, reportOf(c.measure, after(rnd, old, d.loss, c.noise, binary)), DefaultThreshold, nil)
				if err != nil {
					t.Fatal(err)
				}
				if g.Changes[0].Verdict == Regressed {
					*d.n++
				}
			}
		}
		slack := 0.04
		if builds < 100 { // in WebAssembly: three standard errors of a share of .8
			slack = 3 * math.Sqrt(0.16/float64(builds))
		}
		if share := float64(found) / float64(builds); share < c.low-slack || share > c.top+slack {
			t.Errorf("%s: a loss of %v fails %v of the builds: %s", c.name, p.Loss, share, p.Sentence())
		}
		if share := float64(alarms) / float64(builds); share > 0.05+2*0.022 || p.Alarms > 0.07 {
			t.Errorf("%s: no loss fails %v of the builds, %v by simulation", c.name, share, p.Alarms)
		}
		if mean := measure.Mean(old); p.Loss > mean {
			t.Errorf("%s: a loss of %v from %v", c.name, p.Loss, mean)
		}
	}
}

// Two queries and three measures: no test at 5 % can reject, so no loss is promised. Nor is one beyond the scale.
func TestNoLossIsPromisedThatCannotBe(t *testing.T) {
	for n := 1; n <= 5; n++ {
		old := valuesOf(rand.New(rand.NewSource(3)), n, false)
		old[0] = 0.9
		power, err := PowerOf(reportOf("nDCG@10", old), nil, false, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := power[0]
		want := "nDCG@10: no loss could fail this build in 4 of 5 cases, with " + strconv.Itoa(n) + " queries"
		if n == 1 {
			want = "nDCG@10: nothing tells which loss fails this build, with 1 query."
		} else if !math.IsInf(p.Loss, 1) {
			t.Errorf("%d queries: %v", n, p.Loss)
		}
		if got := p.Sentence(); got[:len(want)] != want {
			t.Errorf("%s", got)
		}
	}
	// every value is 0: nothing can be lost
	power, err := PowerOf(reportOf("nDCG@10", make([]float64, 50)), nil, false, nil, nil)
	if err != nil || !math.IsNaN(power[0].Loss) {
		t.Errorf("%v %+v", err, power)
	}
}

// A gate on the change alone fails by chance; with sure it does not. The power says both.
func TestPowerOfGates(t *testing.T) {
	rnd := rand.New(rand.NewSource(9))
	old := valuesOf(rnd, 60, false)
	was := reportOf("nDCG@10", old)
	g, err := Regress(was, reportOf("nDCG@10", after(rnd, old, 0, 0.2, false)), DefaultThreshold, nil)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := ParseGate("nDCG@10>=-2%")
	if err != nil {
		t.Fatal(err)
	}
	for sure, low := range map[bool]float64{false: 0.15, true: 0} {
		power, err := PowerOf(was, []Gate{gate}, sure, g, nil)
		if err != nil || len(power) != 2 || power[1].Gate != gate.Text {
			t.Fatal(err, power)
		}
		if a := power[1].Alarms; sure && a > report.Alpha+0.025 || !sure && a < low {
			t.Errorf("sure %v: false alarms %v", sure, a)
		}
	}
}
