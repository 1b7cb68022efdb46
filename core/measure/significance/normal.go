package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// NormalCDF returns P(Z ≤ z) of the standard normal distribution; relative error below 1e-12 also in the tails.
func NormalCDF(z float64) float64 { return float64(0.5 * float.Erfc(-z/math.Sqrt2)) }

// NormalSF returns P(Z > z) of the standard normal distribution.
func NormalSF(z float64) float64 { return NormalCDF(-z) }

func normalPDF(z float64) float64 {
	return float64((1 / math.Sqrt2 / math.SqrtPi) * float.Exp(float64(-0.5*float64(z*z))))
}

// NormalQuantile returns the z with P(Z ≤ z) = p: -Inf for 0, +Inf for 1, NaN outside of [0, 1].
//
// Newton's iteration on ln P (on P near the middle) from the approximation 26.2.23 of Abramowitz and Stegun 1964.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p > 0.5:
		return -NormalQuantile(1 - p)
	case p == 0.5:
		return 0
	}
	l := float.Log(p)
	t := math.Sqrt(-2 * l)
	z := (float64((float64(0.010328*t)+0.802853)*t)+2.515517)/
		(1+float64(t*(1.432788+float64(t*(0.189269+float64(t*0.001308)))))) - t
	for range 8 {
		var step float64
		if p > 0.3 {
			step = (float64(0.5*float.Erf(z/math.Sqrt2)) - (p - 0.5)) / normalPDF(z)
		} else {
			c := NormalCDF(z)
			step = c / normalPDF(z) * (float.Log(c) - l)
		}
		z -= step
		if math.Abs(step) <= 1e-16*math.Abs(z) {
			break
		}
	}
	return z
}
