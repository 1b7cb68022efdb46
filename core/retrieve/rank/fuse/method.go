package fuse

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
)

// Method combines a document's values, one for each list and NaN if absent; at least one is not NaN. It replaces
// each by the list's contribution; the document's score is their sum.
//
// Source of Sum to Median: E. A. Fox, J. A. Shaw, "Combination of Multiple Searches", TREC-2, 1994.
type Method func(row []float64)

// Sum adds the values (CombSUM).
func Sum([]float64) {}

// listCount returns how many lists contain the document.
func listCount(row []float64) float64 {
	m := 0
	for _, v := range row {
		if !math.IsNaN(v) {
			m++
		}
	}
	return float64(m)
}

func multiply(row []float64, by float64) {
	for i := range row {
		row[i] *= by
	}
}

// MNZ multiplies the sum by the number of lists that contain the document.
func MNZ(row []float64) { multiply(row, listCount(row)) }

// ANZ divides the sum by the number of lists that contain the document: the mean.
func ANZ(row []float64) { multiply(row, 1/listCount(row)) }

// GMNZ multiplies the sum by the number of lists that contain the document, raised to gamma.
//
// Source: J. H. Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997, with a weight for the number.
func GMNZ(gamma float64) Method {
	return func(row []float64) { multiply(row, float.Pow(listCount(row), gamma)) }
}

// Weighted adds the values, weighted by list.
func Weighted(weights ...float64) Method {
	return func(row []float64) {
		for i := range row {
			row[i] *= weights[i]
		}
	}
}

// averageOrderStatistics shares the score among the order statistics low to high−1 of the present values, in
// ascending order.
func averageOrderStatistics(row []float64, low, high func(m int) int) {
	m := int(listCount(row))
	a, b := low(m), high(m)
	for i, v := range ascending(row) {
		switch {
		case i < a || i > b:
			row[v] = 0
		default:
			row[v] /= float64(b - a + 1)
		}
	}
}

// ascending returns the indices of the values that are not NaN, ascending by value, ties by index.
func ascending(row []float64) []int {
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

// Least takes the minimum.
func Least(row []float64) {
	averageOrderStatistics(row, func(int) int { return 0 }, func(int) int { return 0 })
}

// Most takes the maximum.
func Most(row []float64) {
	averageOrderStatistics(row, func(m int) int { return m - 1 }, func(m int) int { return m - 1 })
}

// Median takes the median: the mean of the two middle values if their number is even.
func Median(row []float64) {
	averageOrderStatistics(row, func(m int) int { return (m - 1) / 2 }, func(m int) int { return m / 2 })
}

// WMNZ multiplies the sum of the unweighted values by the total weight of the lists that contain the document.
func WMNZ(weights ...float64) Method {
	return func(row []float64) {
		w := 0.0
		for i, v := range row {
			if !math.IsNaN(v) {
				w += weights[i]
			}
		}
		multiply(row, w)
	}
}

// Mixed adds the weighted values and multiplies by the square root of the number of lists that contain the
// document.
func Mixed(weights ...float64) Method {
	return func(row []float64) {
		root := math.Sqrt(listCount(row))
		for i := range row {
			row[i] = float64(row[i]*weights[i]) * root
		}
	}
}

// Logarithmic multiplies the sum by ln(m + sigma), where m lists contain the document. With sigma 0 a document in
// only one list scores 0 at any rank.
func Logarithmic(sigma float64) Method {
	return func(row []float64) { multiply(row, float.Log(listCount(row)+sigma)) }
}
