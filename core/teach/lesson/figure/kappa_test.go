package figure

import "testing"

// By hand: of four, alike on three; chance 2/4 × 1/4 + 2/4 × 3/4 = 1/2; kappa (3/4 − 1/2) / (1/2) = 1/2.
func TestKappaInWords(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []int
		want string
		ok   bool
	}{
		{"grades that differ", []int{3, 1, 0, 0}, []int{2, 0, 0, 0}, "alike on 2/4; by chance 2/4 × 3/4 = " +
			digits(.375) + "; kappa (" + digits(.5) + " − " + digits(.375) + ") / (1 − " + digits(.375) + ") = " +
			digits(.2), true},
		{"two grades that both use", []int{3, 3, 2, 1}, []int{3, 2, 2, 3},
			"alike on 2/4; by chance 2/4 × 2/4 + 1/4 × 2/4 = " + digits(.375) + "; kappa (" + digits(.5) + " − " +
				digits(.375) + ") / (1 − " + digits(.375) + ") = " + digits(.2), true},
		{"no grade in common", []int{3, 3}, []int{1, 0},
			"alike on 0/2; by chance 0, no grade being used by both = 0.000; kappa (0.000 − 0.000) / " +
				"(1 − 0.000) = 0.000", true},
		{"one grade for everything", []int{0, 0}, []int{0, 0},
			"alike on 2/2; by chance 2/2 × 2/2 = 1; no kappa: chance leaves nothing", false},
	} {
		if text, ok := Kappa(c.a, c.b); ok != c.ok || text != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, text, ok, c.want)
		}
	}
}
