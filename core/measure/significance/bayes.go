package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Posterior is what is believed of two systems after the queries: that the first is better, that they are practically
// equal (their difference is within ± rope), that the second is better. The three are shares of the draws and sum to 1.
type Posterior struct {
	First, Equal, Second float64
	Draws                int
}

// Error is the Monte Carlo standard error of a share of so many independent draws.
func (p Posterior) Error(share float64) float64 {
	return math.Sqrt(float64(share*(1-share)) / float64(p.Draws))
}

const (
	streamDirichlet = 16 + iota
	streamHierarchy
)

// SignedRankPosterior is the Bayesian signed-rank test of differences d, the second system's value less the first's,
// with a region of practical equivalence: the weights of the queries have a Dirichlet posterior whose prior is one
// pseudo-query of weight 1/2 with the difference 0, and what is counted of a draw is on which side of ± rope most of
// the mean of a random pair of queries lies. There are Options.Samples draws. With rope 0 what is equal is shared by
// both sides.
//
// Source: Benavoli et al. 2014, A Bayesian Wilcoxon signed-rank test based on the Dirichlet process, ICML; the prior
// and what is counted as baycomp's SignedRankTest.
func SignedRankPosterior(d []float64, rope float64, o Options) (Posterior, error) {
	if len(d) == 0 || !finite(d) || !(rope >= 0) || math.IsInf(rope, 1) {
		return Posterior{math.NaN(), math.NaN(), math.NaN(), 0},
			say.Faultf("significance", "signed-rank posterior: wants finite differences and a rope of at least 0")
	}
	z := sorted(append([]float64{0}, d...))
	n := len(z)
	zero := 0
	for z[zero] != 0 {
		zero++
	}
	// of every place, where the sums with it come to lie above 2·rope and below -2·rope: the values ascend, so that
	// both are intervals
	limit := float64(2 * rope)
	// [0, below) is below, [below, atLow) on the edge; [above, n) above, [atHigh, above) on the edge
	type edges struct{ below, atLow, above, atHigh int }
	edge := make([]edges, n)
	for i, v := range z {
		e := &edge[i]
		e.below = countBelow(z, func(w float64) bool { return v+w < -limit })
		e.atLow = countBelow(z, func(w float64) bool { return v+w <= -limit })
		e.atHigh = countBelow(z, func(w float64) bool { return v+w < limit })
		e.above = countBelow(z, func(w float64) bool { return v+w <= limit })
	}
	out := Posterior{Draws: o.samples()}
	rnd, w := NewRand(o.Seed, streamDirichlet), o.watch()
	weight, upto := make([]float64, n), make([]float64, n+1)
	var first, equal, second int
	for range out.Draws {
		for i := range weight {
			weight[i] = rnd.exponential()
			if i == zero {
				u := rnd.normal()
				weight[i] = float64(u * u / 2)
			}
			upto[i+1] = upto[i] + weight[i]
		}
		whole := float64(upto[n] * upto[n])
		low, high := 0.0, 0.0
		for i, v := range weight {
			e := &edge[i]
			low += float64(v * (upto[e.below] + float64((upto[e.atLow]-upto[e.below])/2)))
			high += float64(v * (upto[n] - upto[e.above] + float64((upto[e.above]-upto[e.atHigh])/2)))
		}
		if rope == 0 {
			low = whole - high
		}
		middle := whole - low - high
		switch max(low, middle, high) { // as numpy's argmax: of equal ones the first
		case low:
			first++
		case middle: // what rounding leaves of it, where rope is 0
			equal++
		default:
			second++
		}
		if w.stopped(n * 20) {
			return Posterior{}, ErrCancelled
		}
	}
	draws := float64(out.Draws)
	out.First, out.Equal, out.Second = float64(first)/draws, float64(equal)/draws, float64(second)/draws
	return out, nil
}

// countBelow returns how many values at the head of ascending z hold; what holds for one holds for all before it.
func countBelow(z []float64, holds func(float64) bool) int {
	lo, hi := 0, len(z)
	for lo < hi {
		if mid := (lo + hi) / 2; holds(z[mid]) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// uniform returns a number in (0, 1), 53 bits of it.
func (r *Rand) uniform() float64 { return float64((float64(r.Uint64()>>11) + 0.5) / (1 << 53)) }

// exponential returns a number of the exponential distribution with mean 1.
func (r *Rand) exponential() float64 { return -float.Log(r.uniform()) }

// normal returns a number of the standard normal distribution.
func (r *Rand) normal() float64 { return NormalQuantile(r.uniform()) }
