package significance

import (
	"slices"
	"testing"
)

func TestGradesBecomeWholeInTheirProportions(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		x, y []int
	}{
		{[]float64{3, 0, -1}, []float64{2, 1, 0}, []int{3, 0, -1}, []int{2, 1, 0}},
		{[]float64{0.5, 1}, []float64{1.5, 0.25}, []int{50, 100}, []int{150, 25}},
		{[]float64{0.1, 0.7}, nil, []int{1, 7}, nil},
		{[]float64{1.0 / 3}, []float64{1}, []int{333333}, []int{1000000}},
	} {
		if x, y := Whole(c.a, c.b); !slices.Equal(x, c.x) || !slices.Equal(y, c.y) {
			t.Errorf("%v, %v: %v, %v, want %v, %v", c.a, c.b, x, y, c.x, c.y)
		}
	}
}
