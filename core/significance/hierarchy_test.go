package significance

import (
	"math"
	"testing"
)

// baycomp 1.0.3 with pystan 3.10.0: HierarchicalTest.probs(0, y, rope, nsamples=20000), four chains, gives 0.276, 0.056, 0.668. The tolerance is 0.04: the two samplers
// differ by 0.02 to 0.03 in the middle share; within ± 0.01 a numerical integration of the same model in Python (over place, width and degrees of freedom) has 0.079
// and ours 0.078: Stan's chains reach the smallest widths seldom.
func TestHierarchicalPosteriorIsThatOfBaycomp(t *testing.T) {
	y := [][]float64{{0.203, 0.095, 0.068, -0.089, 0.038, 0.032, 0.053, 0.01, 0.056, 0.022, -0.045, 0.131}, {0.101, 0.167, 0.034, -0.002, -0.014, -0.094, 0.109, -0.058, -0.065, 0.014, 0.149, 0.049},
		{-0.032, -0.007, 0.1, 0.037, -0.012, 0.032, 0.11, 0.208, -0.05, 0, -0.014, -0.144}, {-0.084, -0.092, 0.08, -0.021, -0.14, 0.042, -0.039, -0.149, -0.058, -0.057, -0.08, -0.008},
		{-0.14, 0.019, 0.121, 0.108, 0.129, 0.13, 0.159, -0.049, 0.108, -0.109, -0.008, -0.113}}
	for _, c := range []struct{ rope, first, equal, second float64 }{{.01, .27615, .05635, .6675}, {.03, .134875, .4895125, .3756125}} {
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
	for nu, want := range map[float64]float64{1.5: -10.124150974977292, 4: -7.277157546397636, 300: -18.60846174708398} {
		if got := g.lnFreedom(nu) - g.lnFreedom(10); !(math.Abs(got-(want-base)) <= 1e-12) {
			t.Errorf("%v degrees against 10: %v, want %v", nu, got, want-base)
		}
	}
}
