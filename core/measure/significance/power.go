package significance

import "math"

// Power returns the chance that a paired t test at level alpha finds an effect of d_z with n queries. n may be
// fractional (it is solved for) and must be above 1. For Less the effect is negated; for TwoSided both tails count.
//
// Source: Cohen 1988; statsmodels TTestPower.
func Power(n, dz, alpha float64, alt Alternative) float64 {
	if !(alpha > 0 && alpha < 1) || math.IsInf(n, 1) || dz != dz {
		return math.NaN()
	}
	df := n - 1
	delta := float64(dz * math.Sqrt(n))
	switch alt {
	case Greater:
		return noncentralT(StudentQuantile(1-alpha, df), df, delta)
	case Less:
		return noncentralT(StudentQuantile(1-alpha, df), df, -delta)
	}
	t := StudentQuantile(1-float64(alpha/2), df)
	return unit(noncentralT(t, df, delta) + noncentralT(t, df, -delta))
}

// DetectableEffect returns the smallest d_z > 0 that a paired t test at level alpha finds with the wanted power in n
// queries:
// times the standard deviation of the differences it is the smallest difference so many queries can show. TwoSided or
// one-sided; n ≥ 2, alpha < power < 1, else NaN.
func DetectableEffect(n, alpha, power float64, alt Alternative) float64 {
	if !(n >= 2 && alpha < power && power < 1) || math.IsInf(n, 1) {
		return math.NaN()
	}
	if alt == Less {
		alt = Greater
	}
	return solve(0, 1, func(dz float64) float64 { return Power(n, dz, alpha, alt) - power })
}

// QueriesNeeded returns how many queries a paired t test at level alpha needs to find an effect of |d_z| with the
// wanted power:
// a fractional number, to be rounded up. +Inf for no effect; at least 2; alpha < power < 1, else NaN.
func QueriesNeeded(dz, alpha, power float64, alt Alternative) float64 {
	if !(alpha > 0 && alpha < power && power < 1) || dz != dz {
		return math.NaN()
	}
	dz = math.Abs(dz)
	if alt == Less {
		alt = Greater
	}
	if dz < 1e-6 {
		return math.Inf(1)
	}
	f := func(n float64) float64 { return Power(n, dz, alpha, alt) - power }
	if f(2) >= 0 {
		return 2
	}
	return solve(2, 4, f)
}

// solve returns the zero of a rising function right of lo, where it is negative: the upper end is doubled until the
// function is not negative there.
func solve(lo, hi float64, f func(float64) float64) float64 {
	flo, fhi := f(lo), f(hi)
	for i := 0; fhi < 0; i++ {
		if i == 100 {
			return math.Inf(1)
		}
		lo, flo = hi, fhi
		hi *= 2
		fhi = f(hi)
	}
	return illinois(lo, flo, hi, fhi, f)
}

// illinois returns the zero of a function between lo, where it is flo ≤ 0, and hi, where it is fhi ≥ 0: regula falsi
// with the weight of an end halved that stays put (Dowell and Jarratt 1971). NaN where the ends are not so.
func illinois(lo, flo, hi, fhi float64, f func(float64) float64) float64 {
	if !(flo <= 0 && fhi >= 0) {
		return math.NaN()
	}
	x, last := hi, 0
	for range 200 {
		x = lo - float64(flo*((hi-lo)/(fhi-flo)))
		if !(x > lo && x < hi) {
			x = lo + float64((hi-lo)/2)
		}
		fx := f(x)
		switch {
		case fx == 0:
			return x
		case fx < 0:
			lo, flo = x, fx
			if last < 0 {
				fhi = float64(0.5 * fhi)
			}
			last = -1
		default:
			hi, fhi = x, fx
			if last > 0 {
				flo = float64(0.5 * flo)
			}
			last = 1
		}
		if hi-lo <= float64(1e-13*max(math.Abs(hi), 1)) || math.Abs(fx) < 1e-14 {
			break
		}
	}
	return x
}
