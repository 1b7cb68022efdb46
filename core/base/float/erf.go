package float

import "math"

// Erf returns the error function of x, 2/√π·∫₀ˣ exp(-t²) dt.
//
//	Erf(±Inf) = ±1, Erf(±0) = ±0, Erf(NaN) = NaN
func Erf(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x || x == 0:
		return x
	case a < 0x1p-500:
		return x * (2 / math.SqrtPi)
	case a < 0.75:
		hi, lo := erf(x)
		return hi + lo
	case a < 6:
		hi, lo, k := erfc(a)
		s := power2(k)
		hi, e := fast(1, float64(-hi*s))
		return math.Copysign(hi+(e-float64(lo*s)), x)
	}
	return math.Copysign(1, x)
}

// Erfc returns 1 - Erf(x), accurately for values near zero (0 above x = 27.23).
//
//	Erfc(+Inf) = 0, Erfc(-Inf) = 2, Erfc(NaN) = NaN
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 27.25:
		return 0
	case x < -6:
		return 2
	case x >= 0.75:
		hi, lo, k := erfc(x)
		return scale(hi+lo, k)
	case x <= -0.75:
		hi, lo, k := erfc(-x)
		s := power2(k)
		hi, e := fast(2, float64(-hi*s))
		return hi + (e - float64(lo*s))
	}
	hi, lo := erf(x)
	hi, e := fast(1, -hi)
	return hi + (e - lo)
}

// erf returns the error function for |x| ≤ 0.75 in two words. The polynomial is Erf(x)/x interpolated at the Chebyshev
// nodes in x² (mpmath 1.3.0).
func erf(x float64) (hi, lo float64) {
	s := x * x
	p := 0.0
	for i := len(erfPoly) - 1; i >= 0; i-- {
		p = float64(p*s) + erfPoly[i]
	}
	hi, lo = prod(x, 0x1.20dd750429b6dp+0)
	return fast(hi, lo+float64(x*(float64(s*p)+0x1.1ae3a914fed8p-56)))
}

// erfc returns Erfc(x) for 0.5 ≤ x ≤ 28 as (hi + lo)·2**k. The polynomial is exp(x²)·Erfc(x)·(1 + 2x) interpolated at
// the Chebyshev nodes in (x-4)/(x+4) (mpmath 1.3.0).
func erfc(x float64) (hi, lo float64, k int) {
	t := (x - 4) / (x + 4)
	u := t * t
	var even, odd float64
	for i := len(erfcPoly) - 1; i > 0; i -= 2 {
		odd = float64(odd*u) + erfcPoly[i]
		even = float64(even*u) + erfcPoly[i-1]
	}
	g, gl := fast(0x1.3ba5916e9fd7fp+0, float64(t*(float64(t*odd)+even)))
	gl -= 0x1.a7c78f1a306c7p-55

	d, dl := two(1, 2*x)
	q := g / d
	h, l := prod(q, d)
	ql := (((g - h) - l) + (gl - float64(q*dl))) / d

	h, l = prod(x, x)
	hi, lo, k = exp(-h, -l)
	hi, lo = times(hi, lo, q, ql)
	return hi, lo, k
}

var erfPoly = [...]float64{
	-0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b49p-6, 0x1.565bcd0e6a113p-8, -0x1.c02db4001ce1dp-11,
	0x1.f9a326ee5d0f2p-14,
	-0x1.f4d259f54e886p-17, 0x1.b9e67c5416beep-20, -0x1.5f6d4ecbf19f2p-23, 0x1.fbf6652ed01a5p-27,
	-0x1.4a0cb3258bc7cp-30, 0x1.46573cf93702bp-34,
}

var erfcPoly = [...]float64{
	-0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd76dp-7, 0x1.16ecefcfa52b5p-4, -0x1.9ddb23c3e8ep-4, 0x1.7fee004e14c37p-4,
	-0x1.0fb06dfe4e4f9p-4,
	0x1.3079edf61e7a1p-5, -0x1.09623883f080cp-6, 0x1.49c672aa08182p-8, -0x1.8d4a9b1376eaep-11, -0x1.a1df44d0d357ap-13,
	0x1.3be055036ec36p-13,
	-0x1.9954dbbbdf343p-16, -0x1.788966f85ff88p-17, 0x1.7ef4d531cf83p-18, 0x1.3abf792a3125dp-22, -0x1.b7f86449a0aa8p-21,
	0x1.43dc50b7baccdp-24,
	0x1.bb7be885c5a0bp-24, -0x1.3c396538d8d44p-26, -0x1.4ba5c49bc26a7p-27, 0x1.0eff5654f9fdp-29,
}
