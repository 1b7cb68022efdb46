package significance

import (
	"math"
	"slices"
)

// Kappa is Cohen's κ with what it is made of.
type Kappa struct {
	Agreement
	Observed, Chance float64 // the shares of equal grades, by weight: as they are, and as chance would have them
}

// CohenInterval returns CohenKappa with its interval. The interval is NaN where κ is, and if there are more than 64
// different grades.
func CohenInterval(a, b []int, weighting Weighting, level float64) (Kappa, error) {
	nan := math.NaN()
	out := Kappa{Agreement{nan, nan, nan, len(a)}, nan, nan}
	var err error
	if out.Coefficient, err = CohenKappa(a, b, weighting); err != nil || len(a) == 0 {
		return out, err
	}
	grade := slices.Concat(a, b)
	slices.Sort(grade)
	grade = slices.Compact(grade)
	q := len(grade)
	if q < 2 {
		out.Observed, out.Chance = 1, 1
		return out, nil
	}
	near, _ := similarities(grade, weighting)
	docs := agreed{times: make([]float64, q*q), worst: make([]float64, q*q), best: make([]float64, q*q)}
	given := make([]int, q)
	for i := range a {
		x, _ := slices.BinarySearch(grade, a[i])
		y, _ := slices.BinarySearch(grade, b[i])
		docs.times[x*q+y]++
		given[x]++
		given[y]++
	}
	rare := slices.Index(given, slices.Min(given))
	docs.worst[q-1], docs.worst[(q-1)*q], docs.best[rare*q+rare] = 0.5, 0.5, 1
	row, column := make([]float64, q), make([]float64, q)
	shares := func(weight []float64) (observed, chance float64) {
		clear(row)
		clear(column)
		n := 0.0
		for k, w := range weight {
			row[k/q] += w
			column[k%q] += w
			n += w
		}
		for k, w := range weight {
			v := near[k/q][k%q]
			observed += float64(w * v)
			chance += float64(float64(row[k/q]*column[k%q]) * v)
		}
		return observed / n, chance / float64(n*n)
	}
	docs.coefficient = func(weight []float64) float64 {
		observed, chance := shares(weight)
		return (observed - chance) / (1 - chance)
	}
	out.Observed, out.Chance = shares(docs.times)
	if q <= mostGrades {
		out.Low, out.High = docs.interval(out.Coefficient, level)
	}
	return out, nil
}

// mostGrades is how many different grades an interval of agreement takes in: each draw costs their square.
const mostGrades = 64

// KrippendorffInterval returns KrippendorffAlpha with its interval. The interval is NaN where α is, and if there are
// more than 64 different grades.
func KrippendorffInterval(ratings [][]float64, scale Scale, level float64) (Agreement, error) {
	alpha, err := KrippendorffAlpha(ratings, scale)
	out := Agreement{Coefficient: alpha, Low: math.NaN(), High: math.NaN()}
	if err != nil || len(ratings) == 0 {
		return out, err
	}
	lists, values := pairedRatings(ratings)
	out.Documents = len(lists)
	slices.Sort(values)
	if values = slices.Compact(values); len(values) > mostGrades || alpha != alpha {
		return out, nil
	}
	q := len(values)
	var table [][]int
	for _, list := range lists {
		row := make([]int, q)
		for _, v := range list {
			at, _ := slices.BinarySearch(values, v)
			row[at]++
		}
		table = append(table, row)
	}
	docs, kinds := kindsOf(table)
	count, pairs := make([]float64, q), make([]float64, q*q)
	docs.coefficient = func(weight []float64) float64 {
		clear(count)
		clear(pairs)
		for k, w := range weight {
			if w == 0 {
				continue
			}
			m := 0
			for _, c := range kinds[k] {
				m += c
			}
			each := w / float64(m-1)
			for i, c := range kinds[k] {
				count[i] += float64(w * float64(c))
				for j := range i {
					pairs[i*q+j] += float64(each * float64(c*kinds[k][j]))
				}
			}
		}
		return alphaOf(values, scale, count, pairs)
	}
	out.Low, out.High = docs.interval(alpha, level)
	return out, nil
}

// alphaOf is α of a population: values have the counts of ratings, and pairs[i·q+j], i above j, how often two of them
// come together in a document.
func alphaOf(values []float64, scale Scale, count, pairs []float64) float64 {
	upTo, all := make([]float64, len(count)+1), 0.0
	for i, n := range count {
		upTo[i+1] = upTo[i] + n
		all += n
	}
	observed, expected := 0.0, 0.0
	for i := range values {
		for j := range i {
			d := 1.0
			switch scale {
			case Ordinal:
				d = upTo[i+1] - upTo[j] - float64((count[i]+count[j])/2)
			case IntervalScale:
				d = values[i] - values[j]
			case Ratio:
				d = (values[i] - values[j]) / (values[i] + values[j])
			}
			d = float64(d * d)
			observed += float64(pairs[i*len(values)+j] * d)
			expected += float64(float64(count[i]*count[j]) * d)
		}
	}
	return 1 - float64(all*observed)/expected
}

// kindsOf groups rows of how many judges gave a document each grade. The documents that stand for those not seen have
// two ratings: of the lowest and the highest grade, or both of the rarest one.
func kindsOf(table [][]int) (docs agreed, kinds [][]int) {
	q := len(table[0])
	given := make([]int, q)
	place := func(row []int) int {
		for k, kind := range kinds {
			if slices.Equal(kind, row) {
				return k
			}
		}
		kinds, docs.times = append(kinds, row), append(docs.times, 0)
		return len(kinds) - 1
	}
	for _, row := range table {
		docs.times[place(row)]++
		for i, c := range row {
			given[i] += c
		}
	}
	worst, best := make([]int, q), make([]int, q)
	worst[0]++
	worst[q-1]++
	best[slices.Index(given, slices.Min(given))] = 2
	w, b := place(worst), place(best)
	docs.worst, docs.best = make([]float64, len(kinds)), make([]float64, len(kinds))
	docs.worst[w], docs.best[b] = 1, 1
	return docs, kinds
}
