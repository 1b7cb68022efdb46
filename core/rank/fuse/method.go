package fuse

import (
	"math"

	"github.com/rankbox/rankbox/core/float"
)

// Method joins what a document has of each list, NaN where a list does not hold it: it replaces the values by what each
// list adds to the document's score, which is their sum. At least one is not NaN.
//
// Source of Sum to Median: E. A. Fox, J. A. Shaw, "Combination of Multiple Searches", TREC-2, 1994.
type Method func(row []float64)

// Sum adds up.
func Sum([]float64) {}

// held returns how many lists hold the document.
func held(row []float64) float64 {
	m := 0
	for _, v := range row {
		if !math.IsNaN(v) {
			m++
		}
	}
	return float64(m)
}

func scale(row []float64, by float64) {
	for i := range row {
		row[i] *= by
	}
}

// MNZ multiplies the sum by the number of lists that hold the document.
func MNZ(row []float64) { scale(row, held(row)) }

// ANZ divides the sum by that number: it is the mean.
func ANZ(row []float64) { scale(row, 1/held(row)) }

// GMNZ multiplies the sum by that number to the power of gamma.
//
// Source: J. H. Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997, with a weight for the number.
func GMNZ(gamma float64) Method {
	return func(row []float64) { scale(row, float.Pow(held(row), gamma)) }
}

// Weighted adds up with a weight a list.
func Weighted(weights ...float64) Method {
	return func(row []float64) {
		for i := range row {
			row[i] *= weights[i]
		}
	}
}

// choose leaves the values of the ordinal numbers from low to high, of those that are not NaN in ascending order, and
// shares the score among them.
func choose(row []float64, low, high func(m int) int) {
	m := int(held(row))
	a, b := low(m), high(m)
	for i, v := range order(row) {
		switch {
		case i < a || i > b:
			row[v] = 0
		default:
			row[v] /= float64(b - a + 1)
		}
	}
}

// order returns the indices of the values that are not NaN, ascending by value, equal ones by index.
func order(row []float64) []int {
	out := make([]int, 0, len(row))
	for i, v := range row {
		if math.IsNaN(v) {
			continue
		}
		at := len(out)
		for at > 0 && row[out[at-1]] > v {
			at--
		}
		out = append(out, 0)
		copy(out[at+1:], out[at:])
		out[at] = i
	}
	return out
}

// Least takes the least value.
func Least(row []float64) {
	choose(row, func(int) int { return 0 }, func(int) int { return 0 })
}

// Most takes the largest value.
func Most(row []float64) {
	choose(row, func(m int) int { return m - 1 }, func(m int) int { return m - 1 })
}

// Median takes the median: the mean of the two in the middle where their number is even.
func Median(row []float64) {
	choose(row, func(m int) int { return (m - 1) / 2 }, func(m int) int { return m / 2 })
}

// WMNZ multiplies the sum by the weights of the lists that hold the document, added up: the values themselves have
// none.
func WMNZ(weights ...float64) Method {
	return func(row []float64) {
		w := 0.0
		for i, v := range row {
			if !math.IsNaN(v) {
				w += weights[i]
			}
		}
		scale(row, w)
	}
}

// Mixed adds up with a weight a list and multiplies by the square root of the number of lists that hold the document.
func Mixed(weights ...float64) Method {
	return func(row []float64) {
		root := math.Sqrt(held(row))
		for i := range row {
			row[i] = float64(row[i]*weights[i]) * root
		}
	}
}

// Logarithmic multiplies the sum by ln(m + sigma), m being the number of lists that hold the document. With sigma 0 a
// document in one list only gets 0, wherever it stands.
func Logarithmic(sigma float64) Method {
	return func(row []float64) { scale(row, float.Log(held(row)+sigma)) }
}
