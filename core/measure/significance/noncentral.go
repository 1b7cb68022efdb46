package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// The noncentral t distribution is an integral of a smooth function that falls off at both ends; the trapezoidal rule
// converges exponentially on it (Trefethen and Weideman 2014), so the steps below give 13 to 15 digits.

// minDF bounds the cost: below it the tails are absurdly long.
const minDF = 0.01

// The normal integral is cut off at ± 8.8.
const (
	normalPoints = 88
	normalStep   = 0.2
)

// overChi returns the mean of f(s) over s = √(χ²/df). f may change as fast as Φ(sharp·ln s) does, sharp ≥ 1.
func overChi(df, sharp float64, f func(s float64) float64) float64 {
	// with u = ln s the density is c·exp(df·(u - (e^(2u) - 1)/2)), c = 2·(df/2)^(df/2)·e^(-df/2)/Γ(df/2)
	var c float64
	if h := df / 2; h >= 10 {
		c = math.Sqrt(df/math.Pi) * float.Exp(-float.LnGammaCorrection(h))
	} else {
		c = 2 * float.Exp(float64(h*(float.Log(h)-1))-lnGamma(h))
	}
	sigma := 1 / math.Sqrt(float64(2*df))
	step := min(0.07, float64(0.35*sigma))
	step = min(step, 0.6/sharp)
	part := func(from, step float64) float64 {
		s := 0.0
		for u := from; ; u += step {
			e := float64(df * chiExponent(u))
			if e < -45 {
				return s
			}
			s += float64(float.Exp(e) * f(float.Exp(u)))
		}
	}
	return float64(float64(c*step) * (part(0, step) + part(-step, -step)))
}

// chiExponent returns u - (e^(2u) - 1)/2, accurately near 0.
func chiExponent(u float64) float64 {
	if math.Abs(u) > 0.05 {
		return u - float64(0.5*float.Expm1(float64(2*u)))
	}
	// -Σ 2^(k-1)·u^k/k! over k ≥ 2
	s := 0.0
	for k := 11.0; k > 2; k-- {
		s = float64((s + 1) * (2 * u / k))
	}
	return float64(-u * float64(u*(1+s)))
}

// noncentralT returns P(T > t) for T = (Z + δ)/√(χ²/df): what the t statistic is where the true effect is δ standard
// errors.
func noncentralT(t, df, delta float64) float64 {
	switch {
	case t != t || delta != delta || !(df >= minDF):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSF(t - delta)
	case t < 0:
		return 1 - noncentralT(-t, df, -delta)
	case math.IsInf(t, 1) || math.IsInf(delta, 0):
		if delta > 0 && !math.IsInf(t, 1) {
			return 1
		}
		return 0
	}
	if delta < -39 { // T > 0 needs Z > 39
		return 0
	}
	if delta < 100 || float64(delta*delta) < 400*df { // Φ(δ - ts) falls from 1 to 0 over 1/δ in ln s
		return unit(overChi(df, math.Abs(delta)+2, func(s float64) float64 { return NormalCDF(delta - float64(t*s)) }))
	}
	// the density of s is wide beside that: P(s < (δ+z)/t) over z
	sum := 0.0
	for i := range normalPoints {
		z := -8.8 + float64(normalStep*float64(i))
		if s := (delta + z) / t; s > 0 {
			p, _ := gammaInc(df/2, float64(df/2*float64(s*s)))
			sum += float64(normalPDF(z) * p)
		}
	}
	return unit(float64(normalStep * sum))
}
