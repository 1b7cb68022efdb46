package significance

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Bounds are the smallest and the largest value that a quantity can have; ±Inf on a side without one.
type Bounds struct{ Low, High float64 }

var (
	Unit    = Bounds{0, 1} // of a share
	Unknown = Bounds{math.Inf(-1), math.Inf(1)}
)

// Enough is how many values an interval needs if they have no bounds: fewer do not show how far others may lie.
const Enough = 10

// Interval returns the interval of the mean of the population that x is a random sample of. It is the one interval of
// a mean in Rankbox: of values with bounds it holds the mean in at least level of all samples, however few the values
// and whatever their distribution, as far as simulation shows and mathematics has proved it (ADR 16).
//
// Its upper end is the quantile (1+level)/2 of Σw·y, where y are x and the upper bound, and w are weights, uniform among
// those that sum to 1: the bound stands for the values that the sample does not show. The lower end mirrors it. So
// equal values have an interval too, and values that are all 0 or 1 have that of Clopper and Pearson.
//
// Without a bound on a side, the largest (smallest) value and the range of x once more stand for it. Then no interval
// can hold for every distribution: see [Terms]. NaN for no values, and without bounds for fewer than [Enough], or equal
// ones that are not all 0 or 1. A value outside of the bounds counts as a proof that there are none.
//
// Source: Gaffke 2005, Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
// variable; Learned-Miller and Thomas 2019, A New Confidence Interval for the Mean of a Bounded Random Variable,
// arXiv 1905.06208; Clopper and Pearson 1934, Biometrika 26.
func (b Bounds) Interval(x []float64, level float64) (low, high float64) {
	if len(x) == 0 || !finite(x) || !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	least, most := slices.Min(x), slices.Max(x)
	if slack := float64(1e-9 * max(1, math.Abs(least), math.Abs(most))); least < b.Low-slack || most > b.High+slack {
		b = Unknown
	}
	if b == Unknown && !slices.ContainsFunc(x, func(v float64) bool { return v != 0 && v != 1 }) {
		b = Unit
	}
	b, ok := b.beyond(x, least, most)
	if !ok {
		return math.NaN(), math.NaN()
	}
	return b.dirichlet(x, level)
}

// beyond replaces bounds that are infinite by values as far beyond x, whose ends are given, as these reach.
func (b Bounds) beyond(x []float64, least, most float64) (Bounds, bool) {
	if b.Low-b.Low == 0 && b.High-b.High == 0 {
		return b, true
	}
	reach := most - least
	b.Low, b.High = max(b.Low, least-reach), min(b.High, most+reach)
	return b, len(x) >= Enough && reach > 0
}

// ShareInterval is the interval of a share of k among n, that of Clopper and Pearson. NaN if n is 0.
func ShareInterval(k, n int, level float64) (low, high float64) {
	x := make([]float64, n)
	for i := range k {
		x[i] = 1
	}
	return Unit.Interval(x, level)
}

// EnoughDifferences is how many differences show how far others may lie: with six, the interval of skewed ones missed
// their mean in 8 of 100 samples.
const EnoughDifferences = 7

// ofDifferences are the bounds of differences d of values with the bounds b. From seven of them on, none is taken to lie
// farther out than those seen and 0 reach once more, and half as far from [Enough] on: the bounds of the measure would
// make the interval of small differences several times as wide (ADR 17).
func (b Bounds) ofDifferences(d []float64) (of Bounds, ok bool) {
	least, most := min(0, slices.Min(d)), max(0, slices.Max(d))
	of = Bounds{b.Low - b.High, b.High - b.Low}
	if !(least >= of.Low && most <= of.High) {
		of = Unknown
	}
	reach := most - least
	if len(d) >= Enough {
		reach = float64(0.5 * reach)
	}
	if len(d) >= EnoughDifferences && reach > 1e-12 {
		of = Bounds{max(of.Low, least-reach), min(of.High, most+reach)}
	}
	return of, of.High-of.High == 0
}

// difference is the interval of the mean of differences of values with the bounds b, at a corrected level: it reaches
// as far as inverted, the differences that the test does not reject, NaN if the test has none, and as far as that of
// a mean. It leaves out 0 exactly if the test rejects: an end on the other side of 0 moves to it, or to [say.Beside].
func (b Bounds) difference(d []float64, inverted [2]float64, l Level) [2]float64 {
	of, ok := b.ofDifferences(d)
	if !ok {
		return [2]float64{math.NaN(), math.NaN()}
	}
	low, high := of.dirichlet(d, 1-l.Alpha)
	if inverted[0] == inverted[0] {
		low = max(min(low, inverted[0]), b.Low-b.High)
		high = min(max(high, inverted[1]), b.High-b.Low)
	}
	switch {
	case !l.Reject:
		low, high = min(low, 0), max(high, 0)
	case Mean(d) > 0:
		low = max(low, say.Beside)
	default:
		high = min(high, -say.Beside)
	}
	return [2]float64{low, high}
}

// Equivalence is [TOST] of differences of values with these bounds within ± margin, whose p and interval are no smaller
// than those of the mean of values with bounds: few differences that hardly vary do not show that others vary as
// little. NaN if these have none.
func (b Bounds) Equivalence(d []float64, margin, alpha float64) Equivalence {
	if len(d) == 0 || !finite(d) {
		return TOST(nil, -margin, margin, alpha)
	}
	of, ok := b.ofDifferences(d)
	if !ok {
		return TOST(nil, -margin, margin, alpha)
	}
	e := TOST(d, -margin, margin, alpha)
	e.PLow = max(e.PLow, dirichletTail(weigh(d, of.High, of.Low), (margin+of.High)/(of.High-of.Low)))
	e.PHigh = max(e.PHigh, dirichletTail(weigh(d, of.Low, of.High), (margin-of.Low)/(of.High-of.Low)))
	low, high := of.dirichlet(d, 1-2*alpha)
	e.P = max(e.PLow, e.PHigh)
	e.Low, e.High = max(min(e.Low, low), b.Low-b.High), min(max(e.High, high), b.High-b.Low)
	return e
}

// dirichlet returns the ends of the interval; the bounds are finite and hold x.
func (b Bounds) dirichlet(x []float64, level float64) (low, high float64) {
	tail, width := float64(0.5*(1-level)), b.High-b.Low
	low = b.High - float64(width*dirichletQuantile(x, b.High, b.Low, tail))
	high = b.Low + float64(width*dirichletQuantile(x, b.Low, b.High, tail))
	return max(low, b.Low), min(high, b.High)
}

// weighed is a value with how often it comes.
type weighed struct{ value, times float64 }

// weigh measures values so that from is 0 and to is 1, adds one more at to, and sorts them.
func weigh(x []float64, from, to float64) (y []weighed) {
	scaled := make([]float64, len(x), len(x)+1)
	for i, v := range x {
		scaled[i] = unit((v - from) / (to - from))
	}
	for _, v := range sorted(append(scaled, 1)) {
		if k := len(y) - 1; k >= 0 && v == y[k].value {
			y[k].times++
		} else {
			y = append(y, weighed{v, 1})
		}
	}
	return y
}

// dirichletQuantile returns the t that Σw·y exceeds with probability tail: y are the values of x as weigh has them, and
// w their weights, uniform among those that sum to 1.
func dirichletQuantile(x []float64, from, to, tail float64) float64 {
	y := weigh(x, from, to)
	if len(y) == 1 {
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
	for range 100 {
		v := -NormalQuantile(dirichletTail(y, t)) - z
		if v < 0 {
			lo = t
		} else {
			hi = t
		}
		next := t - float64(v*((t-last)/(v-off)))
		if !(next > lo && next < hi) {
			next = float64(0.5 * (lo + hi))
		}
		last, off, t = t, v, next
		if math.Abs(v) < 1e-6 || math.Abs(next-last) < 1e-15 { // the next step leaves an error of some 1e-12
			break
		}
	}
	return t
}

// dirichletTail returns the probability that Σw·y is above t.
//
// Σw·y > t exactly if S = ΣG·(y - t) > 0 with G independent exponential variables, and
//
//	P(S > 0) = 1/2πi · ∫ M(s)/s ds along the line with the real part c, M(s) = Π(1 - (y - t)s)^-times
//
// for any c between 0 and the first pole. At the saddle point the integrand falls fastest and does not turn; with the
// imaginary part σ·sinh(u) the trapezoidal rule converges geometrically.
func dirichletTail(y []weighed, t float64) float64 {
	n, mean := 0.0, 0.0
	for _, v := range y {
		n += v.times
		mean += float64(v.times * v.value)
	}
	switch most := y[len(y)-1].value; {
	case t >= most:
		return 0
	case t <= y[0].value:
		return 1
	case t < mean/n: // the other tail
		turned := make([]weighed, len(y))
		for i, v := range y {
			turned[len(y)-1-i] = weighed{-v.value, v.times}
		}
		return 1 - dirichletTail(turned, -t)
	}
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
	const step = 0.1875
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
		if size-size != 0 {
			break
		}
		term := (float64(dy*re) - float64(dx*im)) / size
		sum += term
		if size > float64(1e28*float64(c*c)*float64(cosh*cosh)) {
			break
		}
	}
	return unit(float64(float.Exp(at)*float64(sum*step)) / math.Pi)
}

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
