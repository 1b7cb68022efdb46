package significance

import (
	"math"
	"testing"
	"time"
)

func TestG(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 50, 300, 5000} {
		for _, k := range []int{0, 1, n / 3, n / 2, n - 1, n} {
			x := make([]float64, n)
			for i := range k {
				x[i] = 1
			}
			nodes = 0
			t0 := time.Now()
			lo, hi := gaffke(x, Unit, 0.95)
			d := time.Since(t0)
			// Beta check
			p, _ := beta(float64(k), float64(n-k+1), lo, 1-lo)
			_, q := beta(float64(k+1), float64(n-k), hi, 1-hi)
			t.Log(n, k, lo, hi, "P:", p-.025, q-.025, nodes, evals, d)
		}
	}
	for _, n := range []int{2, 10, 50, 300, 5000} {
		r := NewRand(1, 5)
		x := make([]float64, n)
		for i := range x {
			x[i] = r.uniform()
		}
		nodes = 0
		t0 := time.Now()
		lo, hi := gaffke(x, Unit, 0.95)
		d := time.Since(t0)
		t.Log(n, lo, hi, nodes, evals, d)
	}
	_ = math.Abs
}
