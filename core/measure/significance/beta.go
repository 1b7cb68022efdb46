package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// beta returns the regularised incomplete beta function I_x(a, b), which is the distribution function of the beta
// distribution, and 1 - I_x(a, b), each accurate where it is small, for a, b > 0, else NaN; y = 1 - x is passed so that
// it may be more accurate than 1 - x.
//
// Source: the continued fraction of DiDonato and Morris 1992 (ACM TOMS 708), evaluated as Lentz 1976 does; the factor
// before it without cancellation for large a and b (Loader 2000).
func beta(a, b, x, y float64) (p, q float64) {
	if !(a > 0 && b > 0) || math.IsInf(a, 0) || math.IsInf(b, 0) || x != x || y != y {
		return math.NaN(), math.NaN()
	}
	return betaOf(betaFactor(a, b, x, y), a, b, x, y)
}

// betaOf is beta, given betaFactor.
func betaOf(f, a, b, x, y float64) (p, q float64) {
	if x < (a+1)/(a+b+2) {
		p = unit(f / betaFraction(a, b, x, y))
		return p, 1 - p
	}
	q = unit(f / betaFraction(b, a, y, x))
	return 1 - q, q
}

// betaFar returns I_x(a, b), given ln x, where x is so small that b·x is nothing beside 1, even if x itself is below
// the smallest number: xᵃ/(a·B(a, b)), the first term of 26.5.4 of Abramowitz and Stegun 1964.
func betaFar(a, b, lnx float64) float64 {
	rise := lnGamma(a+b) - lnGamma(b)
	if b >= 10 {
		rise = gammaRatio(b, a)
	}
	return float.Exp(float64(a*lnx) + rise - lnGamma(a+1))
}

// betaFactor returns xᵃyᵇ/B(a, b).
func betaFactor(a, b, x, y float64) float64 {
	if a >= 10 && b >= 10 {
		n := a + b
		l := float64(x*b) - float64(y*a)
		e := float64(a*logMinus(l/a)) + float64(b*logMinus(-l/b))
		e += float.LnGammaCorrection(n) - float.LnGammaCorrection(a) - float.LnGammaCorrection(b)
		return math.Sqrt(a/n*b/(2*math.Pi)) * float.Exp(e)
	}
	return float.Exp(lnBeta(a, b) + power(a, x, y) + power(b, y, x))
}

// lnBeta returns -ln B(a, b). At most one of a and b is 10 or more.
func lnBeta(a, b float64) float64 {
	switch {
	case a >= 10:
		return gammaRatio(a, b) - lnGamma(b)
	case b >= 10:
		return gammaRatio(b, a) - lnGamma(a)
	}
	return lnGamma(a+b) - lnGamma(a) - lnGamma(b)
}

// power returns a·ln x, where y = 1 - x is the more accurate of the two if x > 1/2.
func power(a, x, y float64) float64 {
	if x > 0.5 {
		return float64(a * float.Log1p(-y))
	}
	return float64(a * float.Log(x))
}

// gammaRatio returns ln Γ(a+b) - ln Γ(a) for a ≥ 10 and any b > 0.
func gammaRatio(a, b float64) float64 {
	return float64((a-0.5)*float.Log1p(b/a)) + float64(b*(float.Log(a+b)-1)) +
		(float.LnGammaCorrection(a+b) - float.LnGammaCorrection(a))
}

func lnGamma(x float64) float64 {
	l, _ := float.Lgamma(x)
	return l
}

// logMinus returns ln(1+u) - u, accurately where u is small.
func logMinus(u float64) float64 {
	if math.Abs(u) > 0.1 {
		return float.Log1p(u) - u
	}
	// ln(1+u) = 2·atanh(w), w = u/(2+u): the series of atanh without its first term, and 2w - u = -uw
	w := u / (2 + u)
	s := float64(w * w)
	t := 0.0
	for k := 19.0; k >= 3; k -= 2 {
		t = float64(t*s) + 2/k
	}
	return float64(float64(t*s)*w) - float64(u*w)
}

// betaFraction returns xᵃyᵇ/(B(a, b)·I_x(a, b)): the continued fraction of DiDonato and Morris, in which nothing
// cancels where x is near the mean.
func betaFraction(a, b, x, y float64) float64 {
	const tiny = 1e-300
	rest := float64(a*y) - float64(b*x) + 1
	f := float64(a * rest / (a + 1))
	if f == 0 {
		f = tiny
	}
	c, d := f, 0.0
	for i := range 99999 {
		m := float64(i + 1)
		e := a + 2*m - 1
		t := float64(m*(b-m)) * x / e
		an := float64((a + m - 1) / e * (a + b + m - 1) * float64(t*x))
		bn := m + t + float64((a+m)/(e+2)*(rest+float64(m*(1+y))))
		d = bn + float64(an*d)
		if d == 0 {
			d = tiny
		}
		c = bn + an/c
		if c == 0 {
			c = tiny
		}
		d = 1 / d
		g := float64(c * d)
		f = float64(f * g)
		if math.Abs(g-1) <= 0x1p-52 {
			break
		}
	}
	return f
}
