package float

import "math"

const (
	ln2Hi = 0x1.62e42fefa3800p-1 // ln 2 in two words, the first a multiple of 2**-42
	ln2Lo = 0x1.ef35793c76730p-45

	stepHi = 0x1.62e42fefp-7 // (ln 2)/64 in two words, the first of 33 bits so that 17 bits times it are exact
	stepLo = 0x1.473de6af278edp-40
)

// Exp returns e**x. It is 0 below -745.14 and +Inf above 709.79.
//
//	Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x < 0x1p-54 && x > -0x1p-54:
		return 1 + x
	}
	hi, lo, k := exp(x, 0)
	return scale(hi+lo, k)
}

// exp returns e**(x+xl) as (hi + lo)·2**k, hi + lo in [0.99, 2), for |x| < 2000 and |xl| at most an ulp of x.
// x = (64k + j + f)·(ln 2)/64 with |f| ≤ 1/2; 2**(j/64) is tabulated, the rest is a Taylor polynomial.
func exp(x, xl float64) (hi, lo float64, k int) {
	n := math.Floor(float64(x*(64/math.Ln2)) + 0.5)
	r := x - float64(n*stepHi) // exact: the product has 50 bits, the difference is small
	return exp64(r-(float64(n*stepLo)-xl), int(n))
}

// exp64 returns 2**(n/64)·e**r for |r| < 0.006.
func exp64(r float64, n int) (hi, lo float64, k int) {
	q := float64(r*(1.0/720)) + 1.0/120
	q = float64(r*q) + 1.0/24
	q = float64(r*q) + 1.0/6
	q = float64(r*q) + 1.0/2
	q = float64(float64(r*r)*q) + r
	t := &exp2Table[n&63]
	return t[0], t[1] + float64(t[0]*q), n >> 6
}

// Exp2 returns 2**x, exactly if x is an integer.
//
//	Exp2(+Inf) = +Inf, Exp2(-Inf) = 0, Exp2(NaN) = NaN
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1076:
		return 0
	}
	n := math.Floor(float64(x*64) + 0.5)
	hi, lo, k := exp64(float64((x-float64(n/64))*math.Ln2), int(n))
	return scale(hi+lo, k)
}

// Expm1 returns e**x - 1, accurately for x near zero.
//
//	Expm1(+Inf) = +Inf, Expm1(-Inf) = -1, Expm1(±0) = ±0, Expm1(NaN) = NaN
func Expm1(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -40:
		return -1
	case x < 0x1p-54 && x > -0x1p-54:
		return x
	case x < 0x1p-4 && x > -0x1p-4:
		q := float64(x*(1.0/3628800)) + 1.0/362880
		q = float64(x*q) + 1.0/40320
		q = float64(x*q) + 1.0/5040
		q = float64(x*q) + 1.0/720
		q = float64(x*q) + 1.0/120
		q = float64(x*q) + 1.0/24
		q = float64(x*q) + 1.0/6
		// x + x²/2 + x³q with the square in two words
		h, l := prod(x, x)
		hi, lo := fast(x, float64(h/2))
		return hi + (lo + (float64(l/2) + float64(float64(h*x)*q)))
	}
	hi, lo, k := exp(x, 0)
	if k > 60 {
		return scale(hi+lo, k)
	}
	s := power2(k)
	hi, e := two(float64(hi*s), -1)
	return hi + (e + float64(lo*s))
}
