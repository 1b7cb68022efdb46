package report

import (
	"math"

	"github.com/rankbox/rankbox/core/measure"
)

// May decides for page, terminal and files whether a figure may be shown: the value of a measure over n queries. It must
// be a number that the measure can have, of one query at least. A mean of nothing is no 0.
func May(notation string, v float64, n int) bool {
	if n < 1 || math.IsNaN(v) {
		return false
	}
	m, err := measure.Parse(notation)
	if err != nil { // of another tool
		return true
	}
	i := m.Info()
	return i.Sum || v >= i.Low-slack && v <= i.High+slack
}

// MayDiffer is May for the difference of two values: none is larger than the range of the measure.
func MayDiffer(notation string, d float64, n int) bool {
	if n < 1 || math.IsNaN(d) {
		return false
	}
	m, err := measure.Parse(notation)
	if err != nil {
		return true
	}
	i := m.Info()
	return i.Sum || math.Abs(d) <= i.High-i.Low+slack
}

// slack is what sums of floats may be off.
const slack = 1e-9
