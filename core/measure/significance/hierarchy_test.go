package significance

import (
	"math"
	"testing"
)

// baycomp 1.0.3 with pystan 3.10.0: HierarchicalTest.probs(0, y, rope, nsamples=20000), four chains, gives 0.276,
// 0.056, 0.668. The tolerance is 0.04: the two samplers differ by 0.02 to 0.03 in the middle share; within ± 0.01 a
// numerical integration of the same model in Python (over place, width and degrees of freedom) has 0.079 and ours
// 0.078: Stan's chains reach the smallest widths seldom.
func TestHierarchicalPosteriorIsThatOfBaycomp(t *testing.T) {
	y := [][]float64{{0.203, 0.095, 0.068, -0.089, 0.038, 0.032, 0.053, 0.01, 0.056, 0.022, -0.045, 0.131},
		{0.101, 0.167, 0.034, -0.002, -0.014, -0.094, 0.109, -0.058, -0.065, 0.014, 0.149, 0.049},
		{-0.032, -0.007, 0.1, 0.037, -0.012, 0.032, 0.11, 0.208, -0.05, 0, -0.014, -0.144},
		{-0.084, -0.092, 0.08, -0.021, -0.14, 0.042, -0.039, -0.149, -0.058, -0.057, -0.08, -0.008},
		{-0.14, 0.019, 0.121, 0.108, 0.129, 0.13, 0.159, -0.049, 0.108, -0.109, -0.008, -0.113}}
	for _, c := range []struct {
		rope, first, equal, second float64
	}{{.01, .27615, .05635, .6675}, {.03, .134875, .4895125, .3756125}} {
		got, err := HierarchicalPosterior(y, c.rope, Hierarchy{Rho: 1.0 / 12}, Options{Seed: 1, Samples: 20000})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range [][2]float64{{got.First, c.first}, {got.Equal, c.equal}, {got.Second, c.second}} {
			if math.Abs(v[0]-v[1]) > .04 {
				t.Errorf("rope %v: %+v, baycomp has %+v", c.rope, got, c)
				break
			}
		}
		if c.rope == .01 && math.Abs(got.Equal-.079) > .01 {
			t.Errorf("rope %v: %+v, integrated 0.079 lies within", c.rope, got)
		}
	}
}

// scipy 1.17.1: gamma.logpdf(m, a, scale=1/b). Differences of two that share what lnShape and lnRate leave out.
func TestPriorOfThePriorOfFreedom(t *testing.T) {
	const m, base = 9, -3.7242038840276317 // a = 1.5, b = 0.05
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"another shape", lnShape(m, 1.2, .05) - lnShape(m, 1.5, .05), -3.520059722794229 - base},
		{"another rate", lnRate(m, 1.5, .08) - lnRate(m, 1.5, .05), -3.289198440159028 - base},
		{"all others", lnShape(.3, 1.9, .02) - .02*.3, -8.483434958283736},
		{"all others again", lnRate(40, 1.1, .1) + .1*math.Log(40) - lnGamma(1.1), -6.114083215622217},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-13) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// scipy 1.17.1: sum(t.logpdf(delta, nu, mean, width)) + gamma.logpdf(nu - 1, alpha, scale=1/beta) + log(nu - 1).
func TestFreedomIsWeighed(t *testing.T) {
	g := gibbs{delta: []float64{.3, -.2, .5, 1.5}, mean: .25, width: .4, alpha: 1.7, beta: .06}
	const base = -6.224392039065842 // of 10
	for nu, want := range map[float64]float64{1.5: -10.124150974977292, 4: -7.277157546397636,
		300: -18.60846174708398} {
		if got := g.lnFreedom(nu) - g.lnFreedom(10); !(math.Abs(got-(want-base)) <= 1e-12) {
			t.Errorf("%v degrees against 10: %v, want %v", nu, got, want-base)
		}
	}
}

// The least that is taken, and a little less.
func TestHierarchyRefuses(t *testing.T) {
	two := [][]float64{{.1, .3}, {.2, -.1}}
	for _, c := range []struct {
		name   string
		groups [][]float64
		rope   float64
		h      Hierarchy
		want   string // what the error ends with
	}{
		{"two groups of two, no rope, independent", two, 0, Hierarchy{Warm: 1}, ""},
		{"one group", two[:1], 0, Hierarchy{},
			"wants two groups, a rope of at least 0 and a correlation from 0 to below 1"},
		{"a rope below 0", two, -.1, Hierarchy{},
			"wants two groups, a rope of at least 0 and a correlation from 0 to below 1"},
		{"an endless rope", two, math.Inf(1), Hierarchy{},
			"wants two groups, a rope of at least 0 and a correlation from 0 to below 1"},
		{"correlation 1", two, 0, Hierarchy{Rho: 1},
			"wants two groups, a rope of at least 0 and a correlation from 0 to below 1"},
		{"correlation below 0", two, 0, Hierarchy{Rho: -.1},
			"wants two groups, a rope of at least 0 and a correlation from 0 to below 1"},
		{"a group of one", [][]float64{{.1, .3}, {.2}}, 0, Hierarchy{}, "every group wants two finite differences"},
		{"a group with none that is finite", [][]float64{{.1, .3}, {.2, math.NaN()}}, 0, Hierarchy{},
			"every group wants two finite differences"},
		{"nothing varies", [][]float64{{.1, .1}, {.2, .2}}, 0, Hierarchy{}, "the differences do not vary"},
	} {
		p, err := HierarchicalPosterior(c.groups, c.rope, c.h, Options{Samples: 10})
		switch {
		case c.want == "" && (err != nil || p.Draws != 10 || math.Abs(p.First+p.Equal+p.Second-1) > 1e-15):
			t.Errorf("%s: %+v, %v", c.name, p, err)
		case c.want != "" && (err == nil || err.Error() != "significance: hierarchical posterior: "+c.want ||
			p.First == p.First):
			t.Errorf("%s: %+v, %v", c.name, p, err)
		}
	}
}

// What the sampler begins with, by hand. The groups vary by √(0.5/4) = 0.35355 and 0 about 0 and 0.5: the unit is half
// of that, √2/8.
func TestGibbsBegins(t *testing.T) {
	g, ok := newGibbs([][]float64{{-.5, .5, 0, 0}, {.5, .5}}, Hierarchy{})
	unit := math.Sqrt2 / 8
	if !ok {
		t.Fatal("the first group varies")
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"unit", g.scale, unit}, {"queries", g.n[0], 4}, {"mean", g.mu[1], .5 / unit},
		{"squares", g.ss[0], .5 / unit / unit}, {"bound", g.bound, .5 / unit},
		{"delta", g.delta[1], .5 / unit}, {"sigma", g.sigma[0], 2},
		{"sigma of one that does not vary", g.sigma[1], .001}, {"place", g.mean, .25 / unit},
		{"width", g.width, .25 / unit}, {"widest", g.widest, 250 / unit}, {"largest sigma", g.spread, 1000},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-12*c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The draws of a seed are the same everywhere, as in TestBits: baycomp says above what they have to look like, this
// that no step of the chain has changed.
func TestBitsOfTheChain(t *testing.T) {
	h := hash(14695981039346656037)
	for _, rho := range []float64{0, .25} {
		g, _ := newGibbs([][]float64{{.1, .2, -.1, .3}, {0, .1, .2, .1, .5}, {-.2, .1, 0}}, Hierarchy{Rho: rho})
		g.r = NewRand(3, streamHierarchy)
		for range 300 {
			g.step()
			h.add(g.mean, g.width, g.nu, g.alpha, g.beta)
			h.add(g.delta...)
			h.add(g.sigma...)
			h.add(g.lambda...)
		}
		for i := range 200 {
			h.add(g.deviationOf(2, .5, .6), g.deviationOf(3, 1e-13, 1), g.r.gamma(.3+float64(i)/50))
		}
	}
	y := [][]float64{{.1, .2, -.1, .3}, {-.1, .1, .2, .1}, {-.2, .1, -.2, .1}}
	for _, rope := range []float64{0, .02, .06} {
		p := must(HierarchicalPosterior(y, rope, Hierarchy{Warm: 50}, Options{Samples: 400, Seed: 7}))
		h.add(p.First, p.Equal, p.Second)
		d := append([]float64{2 * rope, -2 * rope, rope}, append(y[0], y[2]...)...)
		for range 2 {
			p = must(SignedRankPosterior(d, rope, Options{Samples: 2000, Seed: 7}))
			h.add(p.First, p.Equal, p.Second)
			for i := range d {
				d[i] = -d[i]
			}
		}
		p = must(SignedRankPosterior(make([]float64, 3), rope, Options{Samples: 50}))
		h.add(p.First, p.Equal, p.Second)
	}
	if want := hash(0x87745787b8d64db6); h != want {
		t.Errorf("hash %#x, want %#x", uint64(h), uint64(want))
	}
}
