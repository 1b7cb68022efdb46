package significance

import (
	"math"
	"math/rand"
	"testing"
)

// Turned round a comparison says what comparing the other way round says: the tests themselves are the oracle. Draws do
// not take part, up to 30 queries every sign pattern is looked at.
func TestReverse(t *testing.T) {
	rnd := rand.New(rand.NewSource(9))
	for _, n := range []int{1, 2, 9, 14, 25} {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = float64(rnd.Intn(5))/4, float64(rnd.Intn(5))/4
		}
		one, err := Compare(Table{a, b}, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := Compare(Table{b, a}, CompareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, want := one.Pairs[0].Reverse(), other.Pairs[0]
		equal := func(what string, got, want float64) {
			t.Helper()
			if got != want && math.Abs(got-want) > 1e-12*math.Abs(want) && !(got != got && want != want) {
				t.Errorf("n = %d: %s %v, want %v", n, what, got, want)
			}
		}
		equal("difference", got.Difference, want.Difference)
		equal("d_z", got.Dz, want.Dz)
		equal("d_z low", got.DzLow, want.DzLow)
		equal("d_z high", got.DzHigh, want.DzHigh)
		equal("g", got.G, want.G)
		equal("Cliff's δ", got.Cliff, want.Cliff)
		equal("superiority", got.Superiority, want.Superiority)
		if got.Better != want.Better || got.Worse != want.Worse || got.I != 1 || got.J != 0 {
			t.Errorf("n = %d: %+v, want %+v", n, got, want)
		}
		for i, r := range got.Tests {
			w := want.Tests[i]
			equal(r.Test+" p", r.P, w.P)
			equal(r.Test+" statistic", r.Statistic, w.Statistic)
			equal(r.Test+" z", r.Z, w.Z)
			equal(r.Test+" low", r.Low, w.Low)
			equal(r.Test+" high", r.High, w.High)
		}
		again, first := got.Reverse(), one.Pairs[0]
		equal("difference twice", again.Difference, first.Difference)
		equal("sign twice", again.Tests[3].Statistic, first.Tests[3].Statistic)
	}
}
