package gates

import (
	"math"
	"math/rand"
	"testing"
)

// run feeds a gate queries of a distribution until it is decided.
func run(t *testing.T, text string, family, most int, next func() (old, new float64)) *Sequential {
	t.Helper()
	g, err := ParseGate(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSequential(g, family)
	if err != nil {
		t.Fatal(err)
	}
	for range most {
		if s.Add(next()) {
			break
		}
	}
	return s
}

// On the border of the gate, the worst case in which it holds, looking after each of 1,000 queries fails at most 5 % of
// builds: Ville's inequality. 1,000 builds; the standard error of a share of .05 is .007. Far below it nearly every
// build fails, early.
func TestSequentialGateStaysValid(t *testing.T) {
	rnd := rand.New(rand.NewSource(4))
	skewed := func(mean float64) float64 { return math.Pow(rnd.Float64(), 1/mean-1) } // E[U^a] = 1/(a + 1)
	zeroOne := func(mean float64) float64 {
		if rnd.Float64() < mean {
			return 1
		}
		return 0
	}
	const builds = 1000
	for name, c := range map[string]struct {
		gate  string
		value func(mean float64) (old, new float64)
		mean  float64 // on the border
		lost  float64 // far below it
	}{
		"skewed mean":       {"nDCG@10>=0.6", func(m float64) (float64, float64) { return math.NaN(), skewed(m) }, 0.6, 0.4},
		"0/1 mean":          {"Success@5>=0.9", func(m float64) (float64, float64) { return math.NaN(), zeroOne(m) }, 0.9, 0.7},
		"change":            {"nDCG@10>=-0.05", func(m float64) (float64, float64) { return 0.6, skewed(m) }, 0.55, 0.3},
		"change, percent":   {"nDCG@10>=-5%", func(m float64) (float64, float64) { return 0.6, skewed(m) }, 0.57, 0.3},
		"smaller is wanted": {"nDCG@10<=0.3", func(m float64) (float64, float64) { return math.NaN(), skewed(m) }, 0.3, 0.6},
	} {
		failed, caught, queries := 0, 0, 0
		for range builds {
			if run(t, c.gate, 1, 1000, func() (float64, float64) { return c.value(c.mean) }).Failed() {
				failed++
			}
			s := run(t, c.gate, 1, 1000, func() (float64, float64) { return c.value(c.lost) })
			if s.Failed() {
				caught++
			}
			queries += s.Queries
		}
		if share := float64(failed) / builds; share > 0.05+2*0.007 {
			t.Errorf("%s: fails %v of the builds that meet it", name, share)
		}
		if share, n := float64(caught)/builds, queries/builds; share < 0.95 || n > 300 {
			t.Errorf("%s: catches %v of the losses, after %d queries on average", name, share, n)
		}
	}
	if _, err := NewSequential(Gate{Text: "x", Measure: "NumRet", Op: ">=", Value: 3}, 1); err == nil {
		t.Error("a measure without a highest value")
	}
	if _, err := NewSequential(Gate{Text: "x", Measure: "nDCG@10", Op: ">=", Tag: "faq"}, 1); err == nil {
		t.Error("a tag")
	}
}
