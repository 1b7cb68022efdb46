package float

import "math"

// Pow returns x**y.
//
// Its special values are those of math.Pow: x**±0 = 1 and 1**y = 1 for any x and y, including NaN; a negative x
// with a finite non-integer y gives NaN; zero and infinity keep their sign for odd y.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y:
		return math.NaN()
	}
	ax := math.Abs(x)
	whole := math.Floor(y) == y // true for infinities
	odd := whole && math.Abs(y) < 0x1p53 && int64(y)&1 == 1
	var z float64
	switch {
	case math.IsInf(y, 0):
		switch {
		case ax == 1:
			return 1
		case (ax > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	case ax == 0 || math.IsInf(x, 0):
		if (ax == 0) == (y < 0) {
			z = math.Inf(1)
		}
	case x < 0 && !whole:
		return math.NaN()
	default:
		z = pow(ax, y)
	}
	if odd && math.Signbit(x) {
		return -z
	}
	return z
}

// pow returns x**y for finite x > 0 and finite y.
func pow(x, y float64) float64 {
	lh, ll := ln(x, 0)
	switch est := lh * y; {
	case est > 710:
		return math.Inf(1)
	case est < -746:
		return 0
	case est < 0x1p-55 && est > -0x1p-55:
		return 1
	}
	// |ln x| ≥ 2**-53 or 0, so |y| < 2**63 here and nothing overflows
	h, l := prod(lh, y)
	l += float64(ll * y)
	hi, lo, k := exp(h, l)
	return scale(hi+lo, k)
}
