package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// StudentCDF returns P(T ≤ t) of Student's t distribution with df > 0 degrees of freedom, also fractional; df = +Inf is
// the normal distribution.
func StudentCDF(t, df float64) float64 { return StudentSF(-t, df) }

// StudentSF returns P(T > t) of Student's t distribution, accurate where it is small.
func StudentSF(t, df float64) float64 {
	switch {
	case t != t || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSF(t)
	case t < 0:
		return 1 - StudentSF(-t, df)
	case math.IsInf(t, 1):
		return 0
	}
	if df > 1e5 { // Hill 1970 (CACM algorithm 395), whose next term is below 1e-20
		a := df - 0.5
		w := math.Sqrt(float64(a * float.Log1p(float64(t/df*t))))
		return NormalSF(w + float64(w*(float64(w*w)+3)/float64(48*float64(a*a))))
	}
	if t > far {
		return float64(0.5 * betaFar(df/2, 0.5, float.Log(df)-float64(2*float.Log(t))))
	}
	outside, _, _ := newStudent(df).at(t)
	return float64(0.5 * outside)
}

// student is Student's t distribution, with what every value of it needs: the pairs of a table share one.
type student struct {
	df, lnBeta  float64
	p, quantile float64 // the quantile that was asked for last; 0 and 0 at first
}

func newStudent(df float64) *student { return &student{df: df, lnBeta: lnBeta(df/2, 0.5)} }

// at returns P(|T| > t), P(|T| ≤ t) and the density, 0 < t ≤ far.
func (s *student) at(t float64) (outside, inside, density float64) {
	a := s.df / 2
	x, y := tails(t, s.df)
	f := float.Exp(s.lnBeta + power(a, x, y) + power(0.5, y, x))
	outside, inside = betaOf(f, a, 0.5, x, y)
	return outside, inside, f / t
}

// far is where squares are soon too large for a number.
const far = 1e150

// tails returns df/(df+t²) and t²/(df+t²) for 0 ≤ t ≤ far.
func tails(t, df float64) (x, y float64) {
	s := float64(t * t)
	return df / (df + s), s / (df + s)
}

// studentPDF returns the density of Student's t distribution.
func studentPDF(t, df float64) float64 {
	t = math.Abs(t)
	if t > far {
		return float64(df*StudentSF(t, df)) / t // the tail is c·t^-df
	}
	x, y := tails(t, df)
	// x^(df/2)·y^(1/2)/B(df/2, 1/2) / |t| in the variable t
	if t == 0 {
		return float.Exp(lnGammaHalf(df)) / math.Sqrt(float64(df*math.Pi))
	}
	return betaFactor(df/2, 0.5, x, y) / t
}

// lnGammaHalf returns ln Γ((n+1)/2) - ln Γ(n/2).
func lnGammaHalf(n float64) float64 {
	if n >= 20 {
		return gammaRatio(n/2, 0.5)
	}
	return lnGamma((n+1)/2) - lnGamma(n/2)
}

// StudentQuantile returns the t with P(T ≤ t) = p: -Inf for 0, +Inf for 1, NaN outside of [0, 1].
func StudentQuantile(p, df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	return newStudent(df).quantileOf(p)
}

// quantileOf is StudentQuantile.
func (s *student) quantileOf(p float64) float64 {
	if p == s.p && s.quantile != 0 {
		return s.quantile
	}
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p < 0.5:
		s.quantile = -s.upper(p)
	case p == 0.5:
		return 0
	default:
		s.quantile = s.upper(1 - p)
	}
	s.p = p
	return s.quantile
}

// upper returns the t ≥ 0 with P(T > t) = p, p ≤ 1/2.
func (s *student) upper(p float64) float64 {
	if p == 0 {
		return math.Inf(1)
	}
	df := s.df
	if math.IsInf(df, 1) {
		return -NormalQuantile(p)
	}
	start := max(-NormalQuantile(p), 1e-3)
	if df < 5 { // the tail is that of a power: P(T > t) ≈ c·t^-df
		start = max(start, float.Pow(p, -1/df))
	}
	lp := float.Log(p)
	return root(func(t float64) (float64, float64) {
		switch {
		case p > 0.3 && t <= far: // P(T ≤ t) - 1/2 keeps its digits near the middle
			_, inside, density := s.at(t)
			return float64(0.5*inside) - (0.5 - p), density
		case t <= far && df <= 1e5:
			outside, _, density := s.at(t)
			q := float64(0.5 * outside)
			return lp - float.Log(q), density / q
		}
		q := StudentSF(t, df)
		return lp - float.Log(q), studentPDF(t, df) / q
	}, start)
}

// root returns the zero t > 0 of a rising function that also gives its slope: Newton's iteration, kept in a bracket
// that is halved (in the logarithm, while it is wide) where a step leaves it.
func root(f func(t float64) (value, slope float64), start float64) float64 {
	lo, hi := 0.0, math.Inf(1)
	t := start
	for range 200 {
		v, slope := f(t)
		switch {
		case v < 0:
			lo = t
		case v > 0:
			hi = t
		case v == 0:
			return t
		default:
			return math.NaN()
		}
		next := t - v/slope
		if !(next > lo && next < hi) {
			switch {
			case math.IsInf(hi, 1):
				next = 2 * t
			case lo == 0:
				next = hi / 8
			case hi > 2*lo:
				next = math.Sqrt(lo) * math.Sqrt(hi)
			default:
				next = lo + float64((hi-lo)/2)
			}
		}
		if math.Abs(next-t) <= 1e-15*t || next > 1e300 || next < 1e-300 {
			return next
		}
		t = next
	}
	return t
}
