package figure

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/measure/significance"
)

// Kappa returns Cohen's kappa of two judges who graded the same documents, with its arithmetic. Chance agreement
// has a product for each grade that both used. ok is false if kappa is undefined: both gave everything the same
// grade.
func Kappa(a, b []int) (text string, ok bool) {
	n, agree := len(a), 0
	var x, y [MaxGrade + 1]int // counts of each grade
	for i := range a {
		if a[i] == b[i] {
			agree++
		}
		x[a[i]]++
		y[b[i]]++
	}
	of := "/" + strconv.Itoa(n)
	var products []string
	met := 0
	for g := MaxGrade; g >= 0; g-- {
		if met += x[g] * y[g]; x[g] > 0 && y[g] > 0 {
			products = append(products, strconv.Itoa(x[g])+of+" × "+strconv.Itoa(y[g])+of)
		}
	}
	text = "alike on " + strconv.Itoa(agree) + of + "; by chance " + strings.Join(products, " + ")
	if len(products) == 0 {
		text += "0, no grade being used by both"
	}
	k, err := significance.CohenKappa(a, b, significance.Unweighted)
	if n == 0 || err != nil || k != k || met == n*n {
		return text + " = 1; no kappa: chance leaves nothing", false
	}
	p, chance := digits(ratio(agree, n)), digits(ratio(met, n*n))
	return text + " = " + chance + "; kappa (" + p + " − " + chance + ") / (1 − " + chance + ") = " + digits(k), true
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// MaxGrade is the highest grade of the demo collection.
const MaxGrade = 3
