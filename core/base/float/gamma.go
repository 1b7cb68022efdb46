package float

import "math"

// Lgamma returns the logarithm of the absolute value of Γ(x) and its sign, -1 or +1. For x > 0 the relative error
// is that of the other functions; near the zeros between the negative integers only the absolute error is small.
//
//	Lgamma(±Inf) = ±Inf, Lgamma(±0) = +Inf (sign ±1), Lgamma(negative integer) = +Inf, Lgamma(NaN) = NaN
func Lgamma(x float64) (lg float64, sign int) {
	sign = 1
	switch {
	case x != x || math.IsInf(x, 0):
		return x, sign
	case x > 0:
		hi, lo := lgamma(x)
		return hi + lo, sign
	case x == 0:
		if math.Signbit(x) {
			sign = -1
		}
		return math.Inf(1), sign
	case math.Floor(x) == x:
		return math.Inf(1), sign
	}
	if int64(math.Floor(x))&1 != 0 {
		sign = -1
	}
	hi, lo := reflect(-x)
	return hi + lo, sign
}

// lgamma returns ln Γ(x) for x > 0 in two words.
func lgamma(x float64) (hi, lo float64) {
	switch {
	case x < 0.5: // Γ(x) = Γ(2+x)/(x(1+x))
		hi, lo = lgamma2(x)
		hi, lo = plus(hi, lo, -1, 1, x)
		return plus(hi, lo, -1, x, 0)
	case x < 1.5:
		hi, lo = lgamma2(x - 1)
		return plus(hi, lo, -1, x, 0)
	case x < 2.5:
		return lgamma2(x - 2)
	case x < 10: // Γ(x) = (x-1)(x-2)…y·Γ(y) with y in [1.5, 2.5); every difference is exact
		y := x - 1
		p, pl := y, 0.0
		for y >= 2.5 {
			y--
			h, l := prod(p, y)
			p, pl = fast(h, l+float64(pl*y))
		}
		hi, lo = lgamma2(y - 2)
		return plus(hi, lo, 1, p, pl)
	case x > 0x1p900:
		return x * (Log(x) - 1), 0
	}
	// Stirling: (x - 1/2)·ln x - x + ln(2π)/2 + 1/(12x) - …
	h, l := ln(x, 0)
	y, yl := two(x, -0.5)
	hi, lo = times(h, l, y, yl)
	hi, e := two(hi, -x)
	lo += e
	hi, e = two(hi, 0x1.d67f1c864beb5p-1)
	return fast(hi, lo+(e+(stirling(x)-0x1.65b5a1b7ff5dfp-55)))
}

// plus returns hi + lo + sign·ln(x + xl).
func plus(hi, lo, sign, x, xl float64) (float64, float64) {
	if xl != 0 {
		x, xl = two(x, xl)
	}
	h, l := ln(x, xl)
	hi, e := two(hi, float64(sign*h))
	return fast(hi, e+(lo+float64(sign*l)))
}

// LnGammaCorrection returns ln Γ(x) - ((x - 1/2)·ln x - x + ln(2π)/2) for x ≥ 10: the error of Stirling's formula,
// between 0 and 1/(12x). It is accurate where the difference of two values of Lgamma would be rounding noise.
//
// Source: Abramowitz and Stegun 1964, 6.1.42.
func LnGammaCorrection(x float64) float64 { return stirling(x) }

func stirling(x float64) float64 {
	r := 1 / x
	s := r * r
	p := float64(s*(-3617.0/122400)) + 1.0/156
	p = float64(s*p) - 691.0/360360
	p = float64(s*p) + 1.0/1188
	p = float64(s*p) - 1.0/1680
	p = float64(s*p) + 1.0/1260
	p = float64(s*p) - 1.0/360
	p = float64(s*p) + 1.0/12
	return float64(p * r)
}

// lgamma2 returns ln Γ(2 + t) for |t| ≤ 1/2 in two words: t·(1 - γ + t·p(t)), p interpolated at the Chebyshev nodes
// (mpmath
// 1.3.0).
func lgamma2(t float64) (hi, lo float64) {
	q := 0.0
	for i := len(lgammaPoly) - 1; i >= 0; i-- {
		q = float64(q*t) + lgammaPoly[i]
	}
	p, pl := fast(0x1.4a34cc4a60fa6p-2, float64(t*q)) // ζ(2)/2 - 1/2
	p, pl = times(p, pl+0x1.1873d8912200cp-56, t, 0)
	c, cl := fast(0x1.b0ee6072093cep-2, p) // 1 - γ
	return times(t, 0, c, cl+(pl+0x1.6cb90701fbfabp-58))
}

var lgammaPoly = [...]float64{
	-0x1.13e001a557606p-4, 0x1.51322ac7d8483p-6, -0x1.e404fc218f61fp-8, 0x1.7add6eadb6c5cp-9, -0x1.38ac5c2bf50a2p-10,
	0x1.0b36af8635c03p-11, -0x1.d3fd4c7b8f6a9p-13, 0x1.a127b0f60874dp-14, -0x1.78de5a3d2d4d3p-15, 0x1.580dcd5c8dbe6p-16,
	-0x1.3cbce9a3c4ad1p-17,
	0x1.2597f39fe5cf6p-18, -0x1.11a85684e8499p-19, 0x1.005aa7782a2a5p-20, -0x1.e40f95a8192dep-22, 0x1.c909a3cc08665p-23,
	-0x1.9a854795e5fe9p-24,
	0x1.85be57a6411e7p-25, -0x1.091589d02d1a3p-25, 0x1.faa789e7e965dp-27,
}

// reflect returns ln |Γ(-x)| for non-integer x > 0: Γ(-x)·Γ(x) = -π/(x·sin πx).
func reflect(x float64) (hi, lo float64) {
	hi, lo = lgamma(x)
	hi, lo = plus(-hi, -lo, 1, math.Pi, 0x1.1a62633145c07p-53)
	hi, lo = plus(hi, lo, -1, x, 0)
	s, sl := sinPi(x - math.Floor(x))
	return plus(hi, lo, -1, s, sl)
}

// sinPi returns sin(πf) for 0 < f < 1 in two words, the second with few bits.
func sinPi(f float64) (hi, lo float64) {
	f = min(f, 1-f)
	cos := f > 0.25
	if cos {
		f = 0.5 - f
	}
	y, yl := times(f, 0, math.Pi, 0x1.1a62633145c07p-53)
	s, sl := times(y, yl, y, yl)
	if cos {
		p := float64(s*(1.0/20922789888000)) - 1.0/87178291200
		p = float64(s*p) + 1.0/479001600
		p = float64(s*p) - 1.0/3628800
		p = float64(s*p) + 1.0/40320
		p = float64(s*p) - 1.0/720
		p = float64(s*p) + 1.0/24
		hi, lo = fast(1, float64(-s/2))
		return fast(hi, lo-(float64(sl/2)-float64(float64(s*s)*p)))
	}
	p := float64(s*(1.0/355687428096000)) - 1.0/1307674368000
	p = float64(s*p) + 1.0/6227020800
	p = float64(s*p) - 1.0/39916800
	p = float64(s*p) + 1.0/362880
	p = float64(s*p) - 1.0/5040
	p = float64(s*p) + 1.0/120
	p = float64(s*p) - 1.0/6
	return fast(y, yl+float64(float64(s*y)*p))
}
