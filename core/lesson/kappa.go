package lesson

import (
	"strconv"

	"github.com/rankbox/rankbox/core/significance"
)

// Kappa is Cohen's kappa of two judges who said relevant or not of the same documents, with the arithmetic in words. ok is false where there is
// none: both gave one and the same judgment to everything.
func Kappa(a, b []int) (text string, ok bool) {
	n, agree, ra, rb := len(a), 0, 0, 0
	x, y := make([]int, n), make([]int, n)
	for i := range a {
		x[i], y[i] = min(1, a[i]), min(1, b[i])
		if x[i] == y[i] {
			agree++
		}
		ra, rb = ra+x[i], rb+y[i]
	}
	k, err := significance.CohenKappa(x, y, significance.Unweighted)
	of := "/" + strconv.Itoa(n)
	text = "alike on " + strconv.Itoa(agree) + of + "; by chance " +
		strconv.Itoa(ra) + of + " × " + strconv.Itoa(rb) + of + " + " + strconv.Itoa(n-ra) + of + " × " + strconv.Itoa(n-rb) + of
	if n == 0 || err != nil || k != k {
		return text + "; no kappa: chance leaves nothing", false
	}
	chance := part(ra*rb+(n-ra)*(n-rb), n*n)
	if 1-chance < 1e-12 {
		return text + " = 1; no kappa: chance leaves nothing", false
	}
	p := number(part(agree, n))
	return text + " = " + number(chance) + "; kappa (" + p + " − " + number(chance) + ") / (1 − " + number(chance) + ") = " + number(k), true
}
