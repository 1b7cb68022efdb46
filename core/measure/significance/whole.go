package significance

import (
	"math"
	"slices"
)

// Whole returns two judges' grades as whole numbers in the same proportions, which are all that coefficients of
// agreement depend on: times the smallest power of ten that leaves no decimals, at most a million.
func Whole(a, b []float64) (x, y []int) {
	scale := 1.0
	for _, g := range slices.Concat(a, b) {
		for scale < 1e6 && math.Abs(float64(g*scale)-math.Round(float64(g*scale))) > 1e-9 {
			scale *= 10
		}
	}
	of := func(grades []float64) (out []int) {
		for _, g := range grades {
			out = append(out, int(math.Round(float64(g*scale))))
		}
		return out
	}
	return of(a), of(b)
}
