package significance

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/say"
)

// Agreement is a coefficient of agreement with its standard error and interval over documents.
type Agreement struct {
	Coefficient float64 // 1 for perfect agreement, 0 for chance
	Error       float64 // standard error
	Low, High   float64 // the interval; High is at most 1
	Documents   int     // how many have at least two ratings
}

// GwetAC returns Gwet's AC1 (Unweighted) or AC2 (Linear, Quadratic) of table[document][category], the number of raters
// who chose a category; grade has the grade of each category, ascending. Rows may have gaps: any number of raters.
// Documents with two ratings or more count in the agreement, those with one in chance alone, those without none.
//
//	AC = (P - Pₑ)/(1 - Pₑ), Pₑ = Σw/(q(q-1)) · Σ π(1 - π), π the mean share of each of the q categories
//
// w is 1 for equal grades, 0 or 1 - (difference/range) or its square for others. The interval is Student's with n - 1
// degrees of freedom over n documents. NaN with fewer than two categories in use, two documents, or no document rated
// twice.
//
// Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement"; Gwet 2014,
// Handbook of Inter-Rater Reliability; irrCAC 0.4.4.
func GwetAC(table [][]int, grade []int, weighting Weighting, level float64) (Agreement, error) {
	none := Agreement{math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0}
	rows, raters, err := rated(table, len(grade))
	if err != nil {
		return none, err
	}
	for _, r := range raters {
		if r >= 2 {
			none.Documents++
		}
	}
	rows, grade = used(rows, grade)
	n, q := float64(len(rows)), float64(len(grade))
	if n < 2 || q < 2 || none.Documents == 0 {
		return none, nil
	}
	weights, total := similarities(grade, weighting)
	pi := make([]float64, len(grade))
	for i, row := range rows {
		for k, c := range row {
			pi[k] += float64(c) / raters[i]
		}
	}
	spread := 0.0
	for k := range pi {
		pi[k] /= n
		spread += float64(pi[k] * (1 - pi[k]))
	}
	unit := total / float64(q*(q-1))
	chance := float64(unit * spread)
	// The agreement of each document, and what chance adds to its residual.
	agreed, expected := make([]float64, len(rows)), make([]float64, len(rows))
	observed := 0.0
	for i, row := range rows {
		for k, c := range row {
			near := 0.0
			for l, d := range row {
				near += float64(weights[k][l] * float64(d))
			}
			agreed[i] += float64(float64(c) * (near - 1))
			expected[i] += float64(float64(c) * (1 - pi[k]))
		}
		expected[i] *= unit / raters[i]
		if raters[i] >= 2 {
			agreed[i] /= float64(raters[i] * (raters[i] - 1))
			observed += agreed[i]
		}
	}
	paired := float64(none.Documents)
	observed /= paired
	ac := (observed - chance) / (1 - chance)
	variance := 0.0
	for i := range rows {
		own := 0.0
		if raters[i] >= 2 {
			own = float64(n/paired*(agreed[i]-chance)) / (1 - chance)
		}
		off := own - float64(2*(1-ac)*(expected[i]-chance))/(1-chance) - ac
		variance += float64(off * off)
	}
	out := Agreement{Coefficient: ac, Error: math.Sqrt(variance / float64(n*(n-1))), Documents: none.Documents}
	half := float64(StudentQuantile((1+level)/2, n-1) * out.Error)
	out.Low, out.High = ac-half, min(1, ac+half)
	return out, nil
}

// rated returns the rows with at least one rating and how many ratings each has.
func rated(table [][]int, categories int) (rows [][]int, raters []float64, err error) {
	for i, row := range table {
		if len(row) != categories {
			return nil, nil, say.Faultf("significance", "Gwet's AC: document %d has %d categories, there are %d grades",
				i, len(row), categories)
		}
		r := 0
		for k, c := range row {
			if c < 0 {
				return nil, nil, say.Faultf("significance", "Gwet's AC: document %d has %d ratings in category %d", i,
					c, k)
			}
			r += c
		}
		if r > 0 {
			rows, raters = append(rows, row), append(raters, float64(r))
		}
	}
	return rows, raters, nil
}

// used leaves out the categories that no rater chose.
func used(rows [][]int, grade []int) ([][]int, []int) {
	var keep, kept []int
	for k := range grade {
		if slices.ContainsFunc(rows, func(row []int) bool { return row[k] > 0 }) {
			keep, kept = append(keep, k), append(kept, grade[k])
		}
	}
	out := make([][]int, len(rows))
	for i, row := range rows {
		for _, k := range keep {
			out[i] = append(out[i], row[k])
		}
	}
	return out, kept
}

// similarities returns the weight of each two grades, 1 for equal ones, and the sum of all. grade ascends and has at
// least two.
func similarities(grade []int, weighting Weighting) (w [][]float64, total float64) {
	span := float64(grade[len(grade)-1]) - float64(grade[0])
	w = make([][]float64, len(grade))
	for k, g := range grade {
		w[k] = make([]float64, len(grade))
		for l, h := range grade {
			far := math.Abs(float64(g)-float64(h)) / span
			switch {
			case k == l:
				far = 0
			case weighting == Quadratic:
				far = float64(far * far)
			case weighting == Unweighted:
				far = 1
			}
			w[k][l] = 1 - far
			total += w[k][l]
		}
	}
	return w, total
}
