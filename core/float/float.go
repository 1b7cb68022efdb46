// Package float holds the elementary functions of package math in pure Go, so that a figure computed in the browser is
// the figure computed on a server, bit for bit.
//
// Package math is not that: on some architectures it uses assembly with other rounding (Exp and Log on amd64, Pow
// through them), and a compiler may fuse x*y + z on one architecture and not on another. Here every product that may be
// added to something, also after inlining, is written float64(x*y), which the language forbids to fuse (a test reads
// the arm64 assembly), and nothing else than +, -, *, /, math.Sqrt, math.Floor and moving bits is used: all of them are
// rounded correctly everywhere.
//
// The signatures and the special values (NaN, infinities, zeros) are those of package math. Exp, Exp2, Expm1, Log,
// Log1p, Log2, Log10 and Pow err by less than 0.52 units in the last place (Expm1 0.6; measured, see the tests)
// wherever the result is a normal number, and by less than 1 where it is subnormal: they carry the result in two words
// and round once. Erf, Erfc and Lgamma (x > 0) err by less than 0.9.
//
// It is not a replacement of math where speed on long vectors matters, and it has no trigonometry beyond what the gamma
// function needs.
package float

import "math"

// The words of a double-double: a value is hi + lo, unevaluated, |lo| at most half a unit in the last place of hi.

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

// scale returns y·2**k for y in [0.5, 2) and -1100 ≤ k ≤ 1025: rounded once more where the result is subnormal,
// infinite where it is too large.
func scale(y float64, k int) float64 {
	switch {
	case k > 1023:
		return float64(y*power2(k-2)) * 4
	case k < -1021:
		return float64(y*power2(k+100)) * 0x1p-100
	}
	return float64(y * power2(k))
}
