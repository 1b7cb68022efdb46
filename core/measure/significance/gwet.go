package significance

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

// Agreement is a coefficient of agreement with its interval over documents, see agreed.interval.
type Agreement struct {
	Coefficient float64 // 1 for perfect agreement, 0 for chance
	Low, High   float64 // the interval
	Documents   int     // how many have at least two ratings
}

// GwetAC returns Gwet's AC1 (Unweighted) or AC2 (Linear, Quadratic) of table[document][category], the number of raters
// who chose a category; grade has the grade of each category, ascending. Rows may have gaps: any number of raters.
// Documents with two ratings or more count in the agreement, those with one in chance alone, those without none.
//
//	AC = (P - Pₑ)/(1 - Pₑ), Pₑ = Σw/(q(q-1)) · Σ π(1 - π), π the mean share of each of the q categories
//
// w is 1 for equal grades, 0 or 1 - (difference/range) or its square for others. NaN with fewer than two categories in
// use, two documents, or no document rated twice.
//
// Source: Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high agreement"; Gwet 2014,
// Handbook of Inter-Rater Reliability; irrCAC 0.4.4.
func GwetAC(table [][]int, grade []int, weighting Weighting, level float64) (Agreement, error) {
	out := Agreement{Coefficient: math.NaN(), Low: math.NaN(), High: math.NaN()}
	rows, raters, err := rated(table, len(grade))
	if err != nil {
		return out, err
	}
	for _, r := range raters {
		if r >= 2 {
			out.Documents++
		}
	}
	rows, grade = used(rows, grade)
	q := float64(len(grade))
	if len(rows) < 2 || q < 2 || out.Documents == 0 {
		return out, nil
	}
	near, total := similarities(grade, weighting)
	unit := total / float64(q*(q-1))
	docs, kinds := kindsOf(rows)
	// of each kind: the ratings, and the agreement of two of them
	ratings, same := make([]float64, len(kinds)), make([]float64, len(kinds))
	for k, row := range kinds {
		for i, c := range row {
			ratings[k] += float64(c)
			for j, d := range row {
				same[k] += float64(float64(c*d) * near[i][j])
			}
		}
		same[k] = (same[k] - ratings[k]) / float64(ratings[k]*(ratings[k]-1)) // NaN of one rating
	}
	pi := make([]float64, len(grade))
	docs.coefficient = func(weight []float64) float64 {
		clear(pi)
		observed, paired, n := 0.0, 0.0, 0.0
		for k, w := range weight {
			if n += w; ratings[k] >= 2 {
				paired += w
				observed += float64(w * same[k])
			}
			for i, c := range kinds[k] {
				pi[i] += float64(w * float64(c) / ratings[k])
			}
		}
		spread := 0.0
		for _, p := range pi {
			p /= n
			spread += float64(p * (1 - p))
		}
		chance := float64(unit * spread)
		return (observed/paired - chance) / (1 - chance)
	}
	out.Coefficient = docs.coefficient(docs.times)
	out.Low, out.High = docs.interval(out.Coefficient, level)
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
