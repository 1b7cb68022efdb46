package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// ChiSquareSF returns P(X > x) of the χ² distribution with df > 0 degrees of freedom.
func ChiSquareSF(x, df float64) float64 {
	_, q := gammaInc(df/2, x/2)
	return q
}

// ChiSquareCDF returns P(X ≤ x) of the χ² distribution with df > 0 degrees of freedom.
func ChiSquareCDF(x, df float64) float64 {
	p, _ := gammaInc(df/2, x/2)
	return p
}

// gammaInc returns the regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x), each accurate where it
// is small: the series 6.5.29 and the continued fraction 6.5.31 of Abramowitz and Stegun 1964.
func gammaInc(a, x float64) (p, q float64) {
	switch {
	case !(a > 0) || math.IsInf(a, 1) || x != x:
		return math.NaN(), math.NaN()
	case math.IsInf(x, 1):
		return 1, 0
	}
	x = max(x, 0)
	// xᵃe⁻ˣ/Γ(a)
	var f float64
	if a >= 10 {
		u := (x - a) / a
		f = math.Sqrt(a/(2*math.Pi)) * float.Exp(float64(a*logMinus(u))-float.LnGammaCorrection(a))
	} else {
		f = float.Exp(float64(a*float.Log(x)) - x - lnGamma(a))
	}
	if x < a+1 {
		t, s := 1/a, 1/a
		for n := 1.0; t > 1e-17*s && n < 1e6; n++ {
			t = float64(t * (x / (a + n)))
			s += t
		}
		p = unit(float64(f * s))
		return p, 1 - p
	}
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for k := range 999999 {
		i := float64(k + 1)
		n := float64(-i * (i - a))
		b += 2
		d = float64(n*d) + b
		c = b + n/c
		if d == 0 {
			d = tiny
		}
		if c == 0 {
			c = tiny
		}
		d = 1 / d
		h = float64(h * float64(c*d))
		if math.Abs(float64(c*d)-1) <= 0x1p-52 {
			break
		}
	}
	q = unit(float64(f * h))
	return 1 - q, q
}

// FSF returns P(X > x) of the F distribution with d1 and d2 degrees of freedom.
func FSF(x, d1, d2 float64) float64 {
	switch {
	case x != x || !(d1 > 0 && d2 > 0) || math.IsInf(d1, 1) || math.IsInf(d2, 1):
		return math.NaN()
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	}
	if x > far && d2 < 1e10 {
		return betaFar(d2/2, d1/2, float.Log(d2)-float.Log(d1)-float.Log(x))
	}
	s := float64(d1 * x)
	if math.IsInf(s, 1) { // d1 is as good as infinite
		return ChiSquareCDF(d2/x, d2)
	}
	p, _ := beta(d2/2, d1/2, d2/(d2+s), s/(d2+s))
	return p
}

// BinomialCDF returns P(X ≤ k) of n draws with success probability p.
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	c, _ := beta(float64(n-k), float64(k+1), 1-p, p)
	return c
}
