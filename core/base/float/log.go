package float

import "math"

// Log returns the natural logarithm of x.
//
//	Log(+Inf) = +Inf, Log(±0) = -Inf, Log(x < 0) = NaN, Log(NaN) = NaN
func Log(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return logSpecial(x)
	}
	hi, lo := ln(x, 0)
	return hi + lo
}

// Log1p returns the natural logarithm of 1 + x, accurately for x near zero.
//
//	Log1p(+Inf) = +Inf, Log1p(±0) = ±0, Log1p(-1) = -Inf, Log1p(x < -1) = NaN, Log1p(NaN) = NaN
func Log1p(x float64) float64 {
	if !(x > -1 && x < math.Inf(1)) {
		return logSpecial(1 + x)
	}
	if x < 0x1p-54 && x > -0x1p-54 {
		return x
	}
	u, ul := two(1, x)
	if u > 0x1p60 {
		ul = 0 // below the error, with an exponent beyond the range
	}
	hi, lo := ln(u, ul)
	return hi + lo
}

// Log2 returns the binary logarithm of x, exactly if x is a power of two. Its special values are those of Log.
func Log2(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return logSpecial(x)
	}
	k, w, wl, r, rl := reduce(x, 0)
	hi, lo := ln1p(w, wl, r, rl)
	hi, lo = times(hi, lo, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56) // 1/ln 2
	hi, e := two(k, hi)
	return hi + (e + lo)
}

// Log10 returns the decimal logarithm of x, exactly if x is a power of ten. Its special values are those of Log.
func Log10(x float64) float64 {
	if !(x > 0 && x < math.Inf(1)) {
		return logSpecial(x)
	}
	hi, lo := ln(x, 0)
	hi, lo = times(hi, lo, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57) // 1/ln 10
	return hi + lo
}

func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}

// times returns (a+al)·(b+bl) in two words.
func times(a, al, b, bl float64) (hi, lo float64) {
	hi, lo = prod(a, b)
	return hi, lo + (float64(a*bl) + float64(al*b))
}

// ln returns the natural logarithm of x + xl in two words, relative error about 2**-68; 0 < x < +Inf, |xl| at most an
// ulp of x.
func ln(x, xl float64) (hi, lo float64) {
	k, w, wl, r, rl := reduce(x, xl)
	return ln1p(float64(k*ln2Hi)+w, float64(k*ln2Lo)+wl, r, rl)
}

// reduce returns x + xl as 2**k·(1 + r + rl)/c with -ln c = w + wl from a table, |r| < 0.009, k integer, w a
// multiple of 2**-42. If x is within 1/128 of 1, k = w = wl = 0.
func reduce(x, xl float64) (k, w, wl, r, rl float64) {
	b := math.Float64bits(x)
	e := -1023
	if b < 1<<52 { // subnormal
		b = math.Float64bits(x * 0x1p54)
		xl *= 0x1p54
		e -= 54
	}
	e += int(b >> 52)
	m := b & (1<<52 - 1)
	j := int((m + 1<<45) >> 46) // to the nearest of 1 + j/64
	z := math.Float64frombits(m | 1023<<52)
	if j >= logHalf { // z/2 is nearer to 1
		z /= 2
		e++
	}
	t := &logTable[j]
	c := float64(t.c) * 0x1p-10
	if xl != 0 {
		xl = float64(xl*c) * power2(-e)
	}
	// z·c is exact: c has 11 bits, the upper part of z 32.
	zh := math.Float64frombits(math.Float64bits(z) &^ (1<<21 - 1))
	r, rl = fast(float64(zh*c)-1, float64((z-zh)*c))
	if xl != 0 {
		r, rl = two(r, rl+xl)
	}
	return float64(e), t.hi, t.lo, r, rl
}

// ln1p returns w + wl + ln(1 + r + rl) in two words.
func ln1p(w, wl, r, rl float64) (hi, lo float64) {
	// -r²/2 in two words: r = a + b with an exact a²
	a := float64(float32(r))
	s := float64(-0.5 * float64(a*a))
	sl := float64(-0.5 * float64((r+a)*(r-a)))
	sl -= float64(r * rl)
	// r³/3 - r⁴/4 …
	q := float64(r*(1.0/9)) - 1.0/8
	q = float64(r*q) + 1.0/7
	q = float64(r*q) - 1.0/6
	q = float64(r*q) + 1.0/5
	q = float64(r*q) - 1.0/4
	q = float64(r*q) + 1.0/3
	q = float64(q * float64(r*float64(r*r)))

	hi, l := fast(w, r)
	hi, l2 := fast(hi, s)
	return fast(hi, l+(l2+(((rl+wl)+sl)+q)))
}
