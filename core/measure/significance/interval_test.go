package significance

import (
	"math"
	"testing"
)

// mpmath 1.4.1 with 60 digits: the root of the regularised incomplete beta function at the double 0.5·(1 + 0.95). The
// intervals that use these quantiles are checked against scipy's in random_test.go. scipy 1.12.0 is off by up to 2.5e-9
// relative (43 degrees), scipy 1.17.1 by at most 4.5e-16 in these eleven.
func TestStudentQuantileIsThatOfMpmath(t *testing.T) {
	for df, want := range map[float64]float64{
		1: 12.706204736174693314, 2: 4.3026527297494617894, 3: 3.1824463052837084359, 5: 2.5705818356363147828,
		9: 2.2621571627982049992, 24: 2.0638985616280254157, 43: 2.0166921992278239798,
		49: 2.0095752371292392671, 59: 2.0009953780882673053, 199: 1.9719565442517534484, 499: 1.9647293909876886894} {
		level := 0.95
		if got := StudentQuantile(0.5*(1+level), df); math.Abs(got-want) > 1e-13*want {
			t.Errorf("%v degrees: %v, mpmath has %v", df, got, want)
		}
	}
}
