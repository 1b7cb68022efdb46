// Package float holds elementary functions in pure Go with equal results on every platform, bit for bit. Package
// math uses assembly with other rounding on some architectures (Exp and Log on amd64, Pow through them).
//
// Signatures and special values are those of package math. It is slower than math on long vectors, and has only the
// trigonometry that the gamma function needs.
package float

import "math"

// To prevent fused multiply-add, every product that may be added to something, even after inlining, is written
// float64(x*y), which the language forbids to fuse. A test reads the arm64 assembly. The functions use only +, -,
// *, /, math.Sqrt, math.Floor and bit operations, which round correctly everywhere.
//
// Errors in units in the last place, measured in the tests: below 0.52 for Exp, Exp2, Log, Log1p, Log2, Log10 and
// Pow, and below 0.6 for Expm1, if the result is normal; below 1 if it is subnormal. These functions carry the
// result in two words and round once. Erf, Erfc and Lgamma (x > 0) err by less than 0.9.
//
// A double-double is an unevaluated sum hi + lo, with |lo| at most half a unit in the last place of hi.

// two returns the exact sum of a and b as a rounded sum and its error (Knuth 1997, TAOCP 2, 4.2.2, theorem B).
func two(a, b float64) (hi, lo float64) {
	hi = a + b
	t := hi - a
	return hi, (a - (hi - t)) + (b - t)
}

// fast is two for |a| ≥ |b| or a = 0 (Dekker 1971).
func fast(a, b float64) (hi, lo float64) {
	hi = a + b
	return hi, b - (hi - a)
}

// split returns x as a sum of two numbers of at most 26 bits, |x| < 2**996 (Veltkamp 1968).
func split(x float64) (hi, lo float64) {
	t := float64(x * (1<<27 + 1))
	hi = t - (t - x)
	return hi, x - hi
}

// prod returns the exact product of a and b as a rounded product and its error, if nothing over- or underflows (Dekker
// 1971).
func prod(a, b float64) (hi, lo float64) {
	hi = float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	lo = float64(ah*bh) - hi
	lo += float64(ah * bl)
	lo += float64(al * bh)
	lo += float64(al * bl)
	return hi, lo
}

// power2 returns 2**k, -1022 ≤ k ≤ 1023.
func power2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// scale returns y·2**k for y in [0.5, 2) and -1100 ≤ k ≤ 1025. It rounds again if the result is subnormal and
// returns infinity if it is too large.
func scale(y float64, k int) float64 {
	switch {
	case k > 1023:
		return float64(y*power2(k-2)) * 4
	case k < -1021:
		return float64(y*power2(k+100)) * 0x1p-100
	}
	return float64(y * power2(k))
}
