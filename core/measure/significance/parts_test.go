package significance

import "math"

// What oracles have a figure of and comparisons have only parts of.

// betaInc is I_x(a, b), NaN for x outside [0, 1].
func betaInc(a, b, x float64) float64 {
	if !(x >= 0 && x <= 1) {
		return math.NaN()
	}
	p, _ := beta(a, b, x, 1-x)
	return p
}

// cliffDelta is (#(b > a) - #(b < a))/n² over all pairs of a score of b and a score of a, NaN where one is empty or has
// a NaN.
func cliffDelta(a, b []float64) float64 {
	if hasNaN(a) || hasNaN(b) {
		return math.NaN()
	}
	more, less, total := dominanceSorted(sorted(a), sorted(b))
	return (more - less) / total
}
