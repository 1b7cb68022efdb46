package scale

import (
	"math"
	"testing"
)

// Three hundred equal values stay on the axis, at either end, and their dots are as many.
func TestStacksStayOnTheAxis(t *testing.T) {
	s := Scale{Low: 0, High: 1, From: 0, To: 936}
	for _, v := range []float64{0, 0.5, 1} {
		values := make([]float64, 300)
		for i := range values {
			values[i] = v
		}
		places := Stack(values, s)
		seen := map[Place]bool{}
		for _, p := range places {
			seen[p] = true
			if p.X < 0 || p.X > 936 || math.Abs(p.X-s.At(v)) > 22 || math.Abs(p.Y) > 17 {
				t.Fatalf("a value of %v is at %v", v, p)
			}
		}
		if len(seen) != 300 {
			t.Errorf("%d places for 300 dots of %v", len(seen), v)
		}
	}
	// by hand: five dots stand over each other, six in two columns of three pixels to both sides
	for n, want := range map[int][]float64{5: {468, 468, 468, 468, 468},
		6: {466.5, 466.5, 466.5, 466.5, 466.5, 469.5}} {
		values := make([]float64, n)
		for i := range values {
			values[i] = 0.5
		}
		for i, p := range Stack(values, s) {
			if p.X != want[i] {
				t.Errorf("%d dots: number %d at %v, want %v", n, i+1, p.X, want[i])
			}
		}
	}
}
