package significance

import (
	"cmp"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/float"
)

// Bounds are the smallest and the largest value that a quantity can have; ±Inf on a side without one.
type Bounds struct{ Low, High float64 }

// Unit are the bounds of a share, and of most measures of retrieval.
var Unit = Bounds{0, 1}

// MeanInterval returns the interval of the mean of the population that x is a sample of. See [Bounds.Interval].
func gaffke(x []float64, b Bounds, level float64) (low, high float64) {
	tail := float64(0.5 * (1 - level))
	low = b.Low + float64((b.High-b.Low)*(1-dirichletQuantile(x, b.High, b.Low, tail)))
	high = b.Low + float64((b.High-b.Low)*dirichletQuantile(x, b.Low, b.High, tail))
	return low, high
}

// weighed is a value with how often it comes.
type weighed struct{ value, times float64 }

// dirichletQuantile returns the t that Σw·y exceeds with probability tail: y are the values of x and one more at to,
// measured so that from is 0 and to is 1, and w their weights, uniform among those that sum to 1.
func dirichletQuantile(x []float64, from, to, tail float64) float64 {
	y := make([]weighed, 0, len(x)+1)
	for _, v := range x {
		y = append(y, weighed{unit((v - from) / (to - from)), 1})
	}
	y = append(y, weighed{1, 1})
	slices.SortFunc(y, func(a, b weighed) int { return cmp.Compare(a.value, b.value) })
	k := 0
	for _, v := range y[1:] {
		if v.value == y[k].value {
			y[k].times++
		} else {
			k++
			y[k] = v
		}
	}
	y = y[:k+1]
	if k == 0 {
		return 1
	}
	n, mean, square := float64(len(x)+1), 0.0, 0.0
	for _, v := range y {
		mean += float64(v.value * v.times)
	}
	mean /= n
	for _, v := range y {
		d := v.value - mean
		square += float64(float64(d*d) * v.times)
	}
	z := -NormalQuantile(tail)
	sd := math.Sqrt(square / n / (n + 1))
	// The secant rule: as a normal quantile the probability is nearly linear in t.
	lo, hi, last, off := mean, 1.0, mean, -z
	t := min(mean+float64(z*sd), float64(0.5*(mean+1)))
	evals = 0
	for range 100 {
		v := -NormalQuantile(dirichletTail(y, t)) - z
		evals++
		if v < 0 {
			lo = t
		} else {
			hi = t
		}
		next := t - float64(v*((t-last)/(v-off)))
		if !(next > lo && next < hi) {
			next = float64(0.5 * (lo + hi))
		}
		last, off = t, v
		if math.Abs(v) < 1e-12 || math.Abs(next-t) < 1e-15 {
			break
		}
		t = next
	}
	return t
}

var evals int

// dirichletTail returns the probability that Σw·y is above t, for a t above the mean of y and below its largest value.
//
// Σw·y > t exactly if S = ΣG·(y - t) > 0 with G independent exponential variables, and
//
//	P(S > 0) = 1/2πi · ∫ M(s)/s ds along the line with the real part c, M(s) = Π(1 - (y - t)s)^-times
//
// for any c between 0 and the first pole. At the saddle point the integrand falls fastest and does not turn; with the
// imaginary part σ·sinh(u) the trapezoidal rule converges geometrically.
func dirichletTail(y []weighed, t float64) float64 {
	most := y[len(y)-1].value - t
	// c: the minimum of ln M(s) - ln s, which is convex between 0 and 1/most
	lo, hi := 0.0, 1/most
	c := float64(0.5 * hi)
	curve, bend := 0.0, 0.0
	for range 60 {
		slope := -1 / c
		curve, bend = 1/float64(c*c), -2/float64(float64(c*c)*c)
		for _, v := range y {
			a := (v.value - t) / (1 - float64((v.value-t)*c))
			slope += float64(v.times * a)
			a2 := float64(a * a)
			curve += float64(v.times * a2)
			bend += float64(v.times * float64(2*float64(a2*a)))
		}
		if slope < 0 {
			lo = c
		} else {
			hi = c
		}
		next := c - slope/curve
		if !(next > lo && next < hi) {
			next = float64(0.5 * (lo + hi))
		}
		if math.Abs(next-c) < float64(1e-3*c) {
			break
		}
		c = next
	}
	at := 0.0
	b := make([]weighed, len(y))
	for i, v := range y {
		a := v.value - t
		rest := 1 - float64(a*c)
		at -= float64(v.times * float.Log(rest))
		b[i] = weighed{a / rest, v.times}
	}
	sigma := 1 / math.Sqrt(curve)
	turn := max(-1, min(1, float64(bend*sigma)/float64(3*curve))) * sigma
	const step = 0.125
	sum := float64(0.5 * sigma / c)
	up, rise := 1.0, float.Exp(step)
	for range 400 {
		up = float64(up * rise)
		cosh, sinh := float64(0.5*(up+1/up)), float64(0.5*(up-1/up))
		x, iy := float64(turn*(cosh-1)), float64(sigma*sinh) // s - c
		dx, dy := float64(turn*sinh), float64(sigma*cosh)    // ds/du
		re, im := c+x, iy                                    // s·Π(1 - b(s - c))^times
		for _, v := range b {
			pr, pi := 1-float64(v.value*x), -float64(v.value*iy)
			if v.times != 1 {
				pr, pi = raise(pr, pi, int(v.times))
			}
			re, im = float64(re*pr)-float64(im*pi), float64(re*pi)+float64(im*pr)
		}
		size := float64(re*re) + float64(im*im)
		nodes++
		if size-size != 0 {
			break
		}
		term := (float64(dy*re) - float64(dx*im)) / size
		sum += term
		if size > float64(1e34*float64(c*c)*float64(cosh*cosh)) {
			break
		}
	}
	return unit(float64(float.Exp(at)*float64(sum*step)) / math.Pi)
}

var nodes int

// raise returns a complex number to the power of n ≥ 1.
func raise(re, im float64, n int) (float64, float64) {
	pr, pi := 1.0, 0.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			pr, pi = float64(pr*re)-float64(pi*im), float64(pr*im)+float64(pi*re)
		}
		re, im = float64(re*re)-float64(im*im), float64(2*float64(re*im))
	}
	return pr, pi
}
