package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/float"
)

// The studentised range and the noncentral t distribution are integrals of smooth functions that fall off at both ends;
// the trapezoidal rule converges exponentially on them (Trefethen and Weideman 2014), so the steps below give 13 to 15
// digits.

// minDF bounds the cost: below it the tails are absurdly long.
const minDF = 0.01

// StudentizedRangeSF returns P(Q > q) for the range of k normal means over their estimated standard error with df
// degrees of freedom: the distribution of Tukey's honestly significant difference. k ≥ 2, df ≥ 0.01, also fractional or
// +Inf; else NaN. Absolute error below 1e-12. Cost: some 10⁴ exponentials.
func StudentizedRangeSF(q float64, k int, df float64) float64 {
	switch {
	case q != q || k < 2 || !(df >= minDF):
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	}
	t := newRangeTable(k)
	if df > 1e10 {
		return unit(t.sf(q))
	}
	return unit(overChi(df, 1, func(s float64) float64 { return t.sf(float64(q * s)) }))
}

// StudentizedRangeQuantile returns the q with P(Q ≤ q) = p: 0 for 0, +Inf for 1.
func StudentizedRangeQuantile(p float64, k int, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || k < 2 || !(df >= minDF):
		return math.NaN()
	case p == 0:
		return 0
	case p == 1:
		return math.Inf(1)
	}
	// on ln(q) and the logit of P, where the curve is nearly straight
	f := func(x float64) float64 {
		s := StudentizedRangeSF(float.Exp(x), k, df)
		if s <= 0 || s >= 1 {
			return (0.5 - s) * 1e3
		}
		return (float.Log1p(-s) - float.Log(s)) - (float.Log(p) - float.Log1p(-p))
	}
	lo, hi := 0.0, 2.0
	flo, fhi := f(lo), f(hi)
	for flo > 0 && lo > -60 {
		hi, fhi = lo, flo
		lo -= 2
		flo = f(lo)
	}
	for fhi < 0 && hi < 600 {
		lo, flo = hi, fhi
		hi += 2
		fhi = f(hi)
	}
	return float.Exp(illinois(lo, flo, hi, fhi, f))
}

// rangeTable holds what the integral over the largest of k normal values needs at every point.
type rangeTable struct {
	k   int
	z   [rangePoints]float64
	phi [rangePoints]float64 // k·φ(z)·Φ(z)^(k-1)·step
	cdf [rangePoints]float64 // Φ(z)
}

const (
	rangePoints = 88
	rangeStep   = 0.2
)

func newRangeTable(k int) *rangeTable {
	t := &rangeTable{k: k}
	for i := range t.z {
		z := -8.8 + float64(rangeStep*float64(i))
		c := NormalCDF(z)
		t.z[i], t.cdf[i] = z, c
		t.phi[i] = float64(float64(k)*rangeStep) * float64(normalPDF(z)*float.Pow(c, float64(k-1)))
	}
	return t
}

// sf returns the probability that k standard normal values spread over more than w:
// k∫φ(z)·(Φ(z)^(k-1) - (Φ(z) - Φ(z-w))^(k-1)) dz.
func (t *rangeTable) sf(w float64) float64 {
	s := 0.0
	for i, z := range t.z {
		if t.phi[i] < 1e-25 {
			continue
		}
		r := min(NormalCDF(z-w)/t.cdf[i], 1)
		switch {
		case t.k == 2:
			s += float64(t.phi[i] * r)
		case r > 1e-20:
			s -= float64(t.phi[i] * float.Expm1(float64(t.k-1)*float.Log1p(-r)))
		}
	}
	return s
}

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
	for i := range rangePoints {
		z := -8.8 + float64(rangeStep*float64(i))
		if s := (delta + z) / t; s > 0 {
			p, _ := gammaInc(df/2, float64(df/2*float64(s*s)))
			sum += float64(normalPDF(z) * p)
		}
	}
	return unit(float64(rangeStep * sum))
}
