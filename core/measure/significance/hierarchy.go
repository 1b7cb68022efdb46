package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Hierarchy is how the groups of HierarchicalPosterior are drawn. The zero value is for queries, which are independent
// of one another.
type Hierarchy struct {
	// correlation of the differences within a group, in [0, 1): 1/folds for what k-fold cross-validation gave
	Rho  float64
	Warm int // draws that are omitted at the beginning; 0 for 2000
}

// HierarchicalPosterior is the Bayesian hierarchical t test of the differences of two systems in several groups of
// queries: collections, or kinds of queries. It says what is believed of a new group of the same kind: that the first
// system is better there, that the two are within ± rope, that the second is better. Every group has a mean of its own,
// drawn from a Student distribution whose place, width and degrees of freedom are learnt. Options.Samples draws are
// made by Gibbs sampling, the degrees of freedom by a Metropolis step; they are not independent of one another, and the
// error of a share is about three times that of so many independent ones.
//
// Source: Corani et al. 2017, Statistical comparison of classifiers through Bayesian hierarchical modelling, Machine
// Learning 106; priors as baycomp's HierarchicalTest.
func HierarchicalPosterior(groups [][]float64, rope float64, h Hierarchy, o Options) (Posterior, error) {
	none := Posterior{math.NaN(), math.NaN(), math.NaN(), 0}
	if len(groups) < 2 || !(rope >= 0) || math.IsInf(rope, 1) || !(h.Rho >= 0 && h.Rho < 1) {
		return none, say.Faultf("significance",
			"hierarchical posterior: wants two groups, a rope of at least 0 and a correlation from 0 to below 1")
	}
	for _, g := range groups {
		if len(g) < 2 || !finite(g) {
			return none, say.Faultf("significance", "hierarchical posterior: every group wants two finite differences")
		}
	}
	g, ok := newGibbs(groups, h)
	if !ok {
		return none, say.Faultf("significance", "hierarchical posterior: the differences do not vary")
	}
	rope /= g.scale
	if h.Warm == 0 {
		h.Warm = 2000
	}
	g.r = NewRand(o.Seed, streamHierarchy)
	w := o.watch()
	out := Posterior{Draws: o.samples()}
	var first, equal, second int
	for i := range out.Draws + h.Warm {
		g.step()
		if w.stopped(3000 + 500*len(groups)) {
			return none, ErrCancelled
		}
		if i < h.Warm {
			continue
		}
		low, high := StudentCDF((-rope-g.mean)/g.width, g.nu), StudentSF((rope-g.mean)/g.width, g.nu)
		switch middle := 1 - low - high; max(low, middle, high) {
		case low:
			first++
		case middle:
			equal++
		default:
			second++
		}
	}
	draws := float64(out.Draws)
	out.First, out.Equal, out.Second = float64(first)/draws, float64(equal)/draws, float64(second)/draws
	return out, nil
}

// gibbs is the state of the sampler. Differences are in units of scale.
type gibbs struct {
	r     *Rand
	scale float64
	rho   float64
	n     []float64 // of a group: differences, their mean, and the sum of squares about it
	mu    []float64
	ss    []float64

	bound, widest, spread float64 // of mean, width and sigma

	mean, width, nu float64 // of the distribution that the groups' means are drawn from
	alpha, beta     float64 // of the gamma prior of nu - 1
	delta           []float64
	sigma           []float64
	lambda          []float64 // precision of delta in units of 1/width²
}

func newGibbs(groups [][]float64, h Hierarchy) (*gibbs, bool) {
	g := &gibbs{rho: h.Rho, nu: 10, alpha: 1.5, beta: 0.05}
	deviation := func(x []float64) (mean, ss float64) {
		mean = Mean(x)
		for _, v := range x {
			ss += float64((v - mean) * (v - mean))
		}
		return mean, ss
	}
	for _, x := range groups {
		_, ss := deviation(x)
		g.scale += math.Sqrt(ss / float64(len(x)))
	}
	if g.scale /= float64(len(groups)); !(g.scale > 0) {
		return nil, false
	}
	for _, x := range groups {
		mean, ss := deviation(x)
		g.n, g.mu, g.ss = append(g.n, float64(len(x))), append(g.mu, mean/g.scale), append(g.ss, ss/g.scale/g.scale)
		for _, v := range x {
			g.bound = max(g.bound, math.Abs(v)/g.scale)
		}
		g.delta, g.lambda = append(g.delta, mean/g.scale), append(g.lambda, 1)
		g.sigma = append(g.sigma, max(math.Sqrt(ss/float64(len(x)))/g.scale, 1e-3))
	}
	center, among := deviation(g.mu)
	among = math.Sqrt(among / float64(len(g.mu)))
	g.mean, g.width = center, max(among, 0.1)
	g.widest, g.spread = 1000*max(among, 1e-3), 1000
	return g, true
}

// step draws everything once.
func (g *gibbs) step() {
	for i, n := range g.n { // the means of the groups, and how their queries vary
		prior := g.lambda[i] / float64(g.width*g.width)
		data := n / float64(g.sigma[i]*g.sigma[i]) / (1 + float64((n-1)*g.rho))
		g.delta[i] = (float64(prior*g.mean)+float64(data*g.mu[i]))/(prior+data) + g.r.normal()/math.Sqrt(prior+data)
		off := g.mu[i] - g.delta[i]
		q := g.ss[i]/(1-g.rho) + float64(n*off)*off/(1+float64((n-1)*g.rho))
		g.sigma[i] = g.deviationOf(n, q, g.spread)
	}
	precision, sum := 0.0, 0.0
	for i, l := range g.lambda {
		precision += l
		sum += float64(l * g.delta[i])
	}
	at, by := sum/precision, g.width/math.Sqrt(precision)
	low, high := NormalCDF((-g.bound-at)/by), NormalCDF((g.bound-at)/by)
	if z := NormalQuantile(low + float64(g.r.uniform()*(high-low))); z-z == 0 {
		g.mean = max(-g.bound, min(g.bound, at+float64(by*z)))
	}
	q := 0.0
	for i, l := range g.lambda {
		q += float64(l * (g.delta[i] - g.mean) * (g.delta[i] - g.mean))
	}
	g.width = g.deviationOf(float64(len(g.lambda)), q, g.widest)
	for range 3 {
		g.freedom()
	}
	for i, d := range g.delta {
		z := (d - g.mean) / g.width
		g.lambda[i] = g.r.gamma((g.nu+1)/2) / ((g.nu + float64(z*z)) / 2)
	}
}

// deviationOf draws a standard deviation below most whose prior is flat, given the sum q of the squares of n values.
func (g *gibbs) deviationOf(n, q, most float64) float64 {
	q = max(q, 1e-12)
	for range 1000 {
		if s := math.Sqrt(q / 2 / g.r.gamma((n-1)/2)); s < most && s > 0 {
			return s
		}
	}
	return most
}

// freedom draws the degrees of freedom and the parameters of their prior: Metropolis's step on the logarithm, and two
// uniform proposals.
func (g *gibbs) freedom() {
	next := 1 + float64((g.nu-1)*float.Exp(float64(0.9*g.r.normal())))
	if next > 1 && next < 1e6 && float.Log(g.r.uniform()) < g.lnFreedom(next)-g.lnFreedom(g.nu) {
		g.nu = next
	}
	m := g.nu - 1
	alpha := 1 + g.r.uniform()
	if float.Log(g.r.uniform()) < lnShape(m, alpha, g.beta)-lnShape(m, g.alpha, g.beta) {
		g.alpha = alpha
	}
	beta := 0.01 + float64(0.09*g.r.uniform())
	if float.Log(g.r.uniform()) < lnRate(m, g.alpha, beta)-lnRate(m, g.alpha, g.beta) {
		g.beta = beta
	}
}

// lnFreedom is the logarithm of how likely degrees of freedom make the means of the groups, with their prior and the
// slope of the logarithm that the step is made on; what does not depend on nu is left out.
func (g *gibbs) lnFreedom(nu float64) float64 {
	l := lnGamma((nu+1)/2) - lnGamma(nu/2) - float64(0.5*float.Log(nu))
	sum := float64(float64(len(g.delta)) * l)
	for _, d := range g.delta {
		z := (d - g.mean) / g.width
		sum -= float64((nu + 1) / 2 * float.Log1p(float64(z*z)/nu))
	}
	m := nu - 1
	return sum + float64(g.alpha*float.Log(m)) - float64(g.beta*m)
}

// lnShape and lnRate are the logarithm of the density at m of the gamma distribution with shape a and rate b, but for
// what does not depend on the shape, and on the rate.
func lnShape(m, a, b float64) float64 {
	return float64(a*float.Log(b)) + float64((a-1)*float.Log(m)) - lnGamma(a)
}

func lnRate(m, a, b float64) float64 { return float64(a*float.Log(b)) - float64(b*m) }

// gamma returns a number of the gamma distribution with a shape and rate 1 (Marsaglia and Tsang 2000).
func (r *Rand) gamma(shape float64) float64 {
	if shape < 1 {
		return float64(r.gamma(shape+1) * float.Pow(r.uniform(), 1/shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := r.normal()
		v := 1 + float64(c*z)
		if v <= 0 {
			continue
		}
		v = float64(v*v) * v
		if float.Log(r.uniform()) < float64(0.5*float64(z*z))+d-float64(d*v)+float64(d*float.Log(v)) {
			return float64(d * v)
		}
	}
}
