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
	return b.weightedMean(x, level)
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
	low, high := of.weightedMean(d, 1-l.Alpha)
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
	e.PLow = max(e.PLow, newDirichlet(weigh(d, of.High, of.Low)).tail((margin+of.High)/(of.High-of.Low)))
	e.PHigh = max(e.PHigh, newDirichlet(weigh(d, of.Low, of.High)).tail((margin-of.Low)/(of.High-of.Low)))
	low, high := of.weightedMean(d, 1-2*alpha)
	e.P = max(e.PLow, e.PHigh)
	e.Low, e.High = max(min(e.Low, low), b.Low-b.High), min(max(e.High, high), b.High-b.Low)
	return e
}

// weightedMean returns the ends of the interval; the bounds are finite and hold x.
func (b Bounds) weightedMean(x []float64, level float64) (low, high float64) {
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
	d := newDirichlet(weigh(x, from, to))
	if len(d.y) == 1 {
		return 1
	}
	square := 0.0
	for _, v := range d.y {
		e := v.value - d.mean
		square += float64(float64(e*e) * v.times)
	}
	z := -NormalQuantile(tail)
	sd := math.Sqrt(square / d.n / (d.n + 1))
	// The secant rule: as a normal quantile the probability is nearly linear in t. The first step has the slope that the
	// saddle point gives.
	lo, hi, last, off := d.mean, 1.0, 0.0, 0.0
	t := min(d.mean+float64(z*sd), float64(0.5*(d.mean+1)))
	for i := range 100 {
		p := d.tail(t)
		q := -NormalQuantile(p)
		v := q - z
		if v < 0 {
			lo = t
		} else {
			hi = t
		}
		slope := (v - off) / (t - last)
		if i == 0 {
			slope = float64(p*d.fall) * float64(math.Sqrt(2*math.Pi)*float.Exp(float64(0.5*float64(q*q))))
		}
		next := t - v/slope
		if !(next > lo && next < hi) {
			next = float64(0.5 * (lo + hi))
		}
		last, off, t = t, v, next
		if math.Abs(v) < 1e-8 || math.Abs(next-last) < 1e-15 { // the next step leaves an error of some 1e-13
			break
		}
	}
	return t
}

// dirichlet is Σw·y with w uniform among the weights that sum to 1.
type dirichlet struct {
	y       []weighed // ascending
	n, mean float64
	near    float64   // the last saddle point, as a share of the first pole; 0 before the first
	fall    float64   // how fast ln of the last tail falls with t, about
	ties    []weighed // a/(1 - ac) of the values that come more than once; reused
	pairs   []pair    // of all others, two by two; reused
}

// pair is a factor (1 - as)(1 - bs) = 1 - sum·s + product·s²: half as many factors are multiplied in half the time.
type pair struct{ sum, product float64 }

func newDirichlet(y []weighed) *dirichlet {
	d := &dirichlet{y: y}
	for _, v := range y {
		d.n += v.times
		d.mean += float64(v.times * v.value)
	}
	d.mean /= d.n
	return d
}

// tail returns the probability that Σw·y is above t.
//
// Σw·y > t exactly if S = ΣG·(y - t) > 0 with G independent exponential variables, and
//
//	P(S > 0) = 1/2πi · ∫ M(s)/s ds along the line with the real part c, M(s) = Π(1 - (y - t)s)^-times
//
// for any c between 0 and the first pole. At the saddle point the integrand falls fastest and does not turn; with the
// imaginary part σ·sinh(u) the trapezoidal rule converges geometrically.
func (d *dirichlet) tail(t float64) float64 {
	y := d.y
	switch most := y[len(y)-1].value; {
	case t >= most:
		return 0
	case t <= y[0].value:
		return 1
	case t < d.mean: // the other tail
		turned := make([]weighed, len(y))
		for i, v := range y {
			turned[len(y)-1-i] = weighed{-v.value, v.times}
		}
		return 1 - newDirichlet(turned).tail(-t)
	}
	most := y[len(y)-1].value - t
	// c: the minimum of ln M(s) - ln s, which is convex between 0 and 1/most
	lo, hi := 0.0, 1/most
	c := float64(0.5 * hi)
	if d.near > 0 {
		c = float64(d.near * hi)
	}
	for range 60 {
		slope, curve := -1/c, 1/float64(c*c)
		for _, v := range y {
			a := (v.value - t) / (1 - float64((v.value-t)*c))
			slope += float64(v.times * a)
			curve += float64(v.times * float64(a*a))
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
	d.near = float64(c * most)
	at, product, all := 0.0, 1.0, 0.0 // all: Σ times/(1 - (y - t)c)
	curve, bend := 1/float64(c*c), -2/float64(float64(c*c)*c)
	ties, pairs, odd := d.ties[:0], d.pairs[:0], math.NaN()
	for _, v := range y {
		rest := 1 - float64((v.value-t)*c)
		a := (v.value - t) / rest
		a2 := float64(a * a)
		curve += float64(v.times * a2)
		bend += float64(v.times * float64(2*float64(a2*a)))
		all += v.times / rest
		if v.times != 1 {
			at -= float64(v.times * float.Log(rest))
			ties = append(ties, weighed{a, v.times})
			continue
		}
		if odd == odd {
			pairs, odd = append(pairs, pair{odd + a, float64(odd * a)}), math.NaN()
		} else {
			odd = a
		}
		if product = float64(product * rest); product > 1e100 || product < 1e-100 {
			at, product = at-float.Log(product), 1
		}
	}
	if odd == odd {
		pairs = append(pairs, pair{odd, 0})
	}
	d.ties, d.pairs = ties, pairs
	at -= float.Log(product)
	d.fall = float64(c * all)
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
		x2, iy2 := float64(x*x)-float64(iy*iy), float64(2*float64(x*iy))
		for _, v := range pairs {
			pr, pi := 1-float64(v.sum*x)+float64(v.product*x2), float64(v.product*iy2)-float64(v.sum*iy)
			re, im = float64(re*pr)-float64(im*pi), float64(re*pi)+float64(im*pr)
		}
		for _, v := range ties {
			pr, pi := raise(1-float64(v.value*x), -float64(v.value*iy), int(v.times))
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
