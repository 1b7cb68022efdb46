package significance

import (
	"math"
	"slices"
	"testing"
)

// statsmodels 0.15.0: anova_lm(ols('y ~ C(a) + C(b) + C(q) + C(a):C(b) [+ C(a):C(q) + C(b):C(q)]').fit(), typ=2), the
// same for typ=1. η² is the share of all sums of squares.
func TestAnovaIsThatOfStatsmodels(t *testing.T) {
	y := []float64{0.648, 0.274, 0.244, 0.349, 0.511, 0.569, 0.366, 0.298, 0.358, 0.533, 0.354, 0.112, 0.078, 0.133,
		0.357, 0.708, 0.418, 0.434, 0.52, 0.733, 0.508, 0.012, 0.168, 0.203, 0.471, 0.516, 0.187, 0.257, 0.307, 0.483}
	type row struct{ ss, df float64 }
	for name, c := range map[string]struct {
		terms []uint
		want  []row
	}{
		"components, queries and their interactions": {[]uint{1, 2, 4, 3, 5, 6}, []row{
			{0.0569825999999998, 2}, {0.1710075, 1},
			{0.5536798, 4}, {0.1614914, 2},
			{0.0250014, 8}, {0.00824566666666664, 4}, {0.0115499333333333, 8}}},
		"queries only as such": {[]uint{1, 2, 4, 3}, []row{
			{0.0569825999999998, 2}, {0.1710075, 1},
			{0.5536798, 4}, {0.1614914, 2}, {0.044797, 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Anova([]int{3, 2, 5}, y, c.terms)
			if err != nil {
				t.Fatal(err)
			}
			all := 0.0
			for _, w := range c.want {
				all += w.ss
			}
			for i, w := range c.want {
				g := got[i]
				for _, v := range [][2]float64{{g.SS, w.ss}, {g.DF, w.df}, {g.Eta, w.ss / all}} {
					if !(math.Abs(v[0]-v[1]) <= 1e-10*math.Abs(v[1])) {
						t.Errorf("row %d: %+v, statsmodels has %+v", i, g, w)
						break
					}
				}
			}
		})
	}
}

func TestAnovaRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		levels []int
		values []float64
		terms  []uint
		want   string
	}{
		"a factor of one level": {[]int{1, 3}, []float64{1, 2, 3}, []uint{2},
			"a factor has fewer than two levels, or there are too many cells"},
		"cells that are missing":   {[]int{2, 2}, []float64{1, 2, 3}, []uint{1}, "the design is not a full one"},
		"a value that is none":     {[]int{2, 2}, []float64{1, 2, 3, math.NaN()}, []uint{1}, "a value is not finite"},
		"a term that is not there": {[]int{2, 2}, []float64{1, 2, 3, 4}, []uint{4}, "a term is not of the design"},
		"a term of nothing":        {[]int{2, 2}, []float64{1, 2, 3, 4}, []uint{0}, "a term is not of the design"},
		"nothing left for the error": {[]int{2, 2}, []float64{1, 2, 3, 5}, []uint{1, 2, 3},
			"the effects leave nothing over"},
		"more cells than memory": {[]int{1 << 14, 1<<12 + 1}, nil, []uint{1},
			"a factor has fewer than two levels, or there are too many cells"},
		"as many cells as are taken": {[]int{1 << 14, 1 << 12}, nil, []uint{1}, "the design is not a full one"},
		"17 factors": {slices.Repeat([]int{2}, 17), make([]float64, 1<<17), []uint{1},
			"the design is not a full one"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Anova(c.levels, c.values, c.terms); err == nil ||
				err.Error() != "significance: analysis of variance: "+c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// baycomp 1.0.3: SignedRankTest.probs(a, b, rope, nsamples=400000), two seeds, which differ by up to 0.003. Their draws
// and ours are others:
// four standard errors of both together are allowed.
func TestSignedRankPosteriorIsThatOfBaycomp(t *testing.T) {
	a := []float64{0.827, 0.63, 0.855, 0.962, 0.855, 0.654, 0.144, 0.77, 0.354, 0.538, 0.232, 0.652, 0.641, 0.413,
		0.625, 0.357, 0.4, 0.649, 0.444, 0.936, 0.38, 0.921, 0.41, 0.496, 0.515, 0.337, 0.558, 0.423, 0.233, 0.245}
	b := []float64{0.827, 0.63, 0.855, 0.962, 0.768, 0.736, 0.279, 0.734, 0.439, 0.457, 0.278, 0.54, 0.803, 0.504,
		0.673, 0.329, 0.577, 0.896, 0.308, 1.0, 0.593, 1.0, 0.34, 0.632, 0.547, 0.327, 0.485, 0.528, 0.362, 0.233}
	d, err := Differences(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ rope, first, equal, second float64 }{
		{0, .0253, 0, .9747}, {.01, .0220, 0, .9780}, {.03, .01415, .0293, .95655}, {.05, .00005, .6452, .35475},
	} {
		got, err := SignedRankPosterior(d, c.rope, Options{Seed: 1, Samples: 40000})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range [][2]float64{{got.First, c.first}, {got.Equal, c.equal}, {got.Second, c.second}} {
			if tolerance := 4*math.Sqrt(v[1]*(1-v[1])*(1/4e4+1/8e5)) + 1e-4; math.Abs(v[0]-v[1]) > tolerance {
				t.Errorf("rope %v: %+v, baycomp has %v (tolerance %v)", c.rope, got, c, tolerance)
			}
		}
	}
}

// By hand. Of 1, 2, 3, 5 the rows explain 6.25, the columns 2.25 and neither 0.25, with one degree of freedom each. Of
// ±1 times ±1 times ±1 and twice the first of them, over 16 cells, the three together explain 16.
func TestAnovaByHand(t *testing.T) {
	nan := math.NaN()
	signs := make([]float64, 16)
	for i := range signs {
		s := func(bit int) float64 { return float64(1 - 2*(i>>bit&1)) }
		signs[i] = s(3)*s(2)*s(1) + 2*s(3) + s(0)/2
	}
	for _, c := range []struct {
		name   string
		levels []int
		values []float64
		terms  []uint
		want   []Effect
	}{
		{"one degree is left", []int{2, 2}, []float64{1, 2, 3, 5}, []uint{1, 2},
			[]Effect{{[]int{0}, 6.25, 1, 6.25 / 8.75}, {[]int{1}, 2.25, 1, 2.25 / 8.75}, {nil, 0.25, 1, 0.25 / 8.75}}},
		{"very small", []int{2, 2}, []float64{1e-20, 2e-20, 3e-20, 5e-20}, []uint{1},
			[]Effect{{[]int{0}, 6.25e-40, 1, 6.25 / 8.75}, {nil, 2.5e-40, 2, 2.5 / 8.75}}},
		{"three together", []int{2, 2, 2, 2}, signs, []uint{7, 1},
			[]Effect{{[]int{0, 1, 2}, 16, 1, 16.0 / 84}, {[]int{0}, 64, 1, 64.0 / 84}, {nil, 4, 13, 4.0 / 84}}},
		{"all is explained", []int{2, 2}, []float64{0.1, 0.2, 0.4, 0.5}, []uint{1, 2},
			[]Effect{{[]int{0}, 0.09, 1, 0.9}, {[]int{1}, 0.01, 1, 0.1}, {nil, 0, 1, 0}}},
		{"nothing varies", []int{2, 2}, []float64{3, 3, 3, 3}, []uint{1, 2},
			[]Effect{{[]int{0}, 0, 1, nan}, {[]int{1}, 0, 1, nan}, {nil, 0, 1, nan}}},
	} {
		got, err := Anova(c.levels, c.values, c.terms)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
			continue
		}
		for i, w := range c.want {
			g := got[i]
			if !slices.Equal(g.Factors, w.Factors) || !near(g.SS, number(w.SS), 1e-12, 0) || g.DF != w.DF ||
				!near(g.Eta, number(w.Eta), 1e-11, 0) {
				t.Errorf("%s: row %d: %+v, want %+v", c.name, i, g, w)
			}
		}
	}
	if got, err := Anova(slices.Repeat([]int{2}, 16), make([]float64, 1<<16), []uint{1}); err != nil || len(got) != 2 ||
		got[1].DF != 1<<16-2 {
		t.Errorf("16 factors: %v, %v", got, err)
	}
}
