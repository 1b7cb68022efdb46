package report

import (
	"math"

	"github.com/rankbox/rankbox/core/measure"
)

// May decides for page, terminal and files whether a figure may be shown: the value of a measure over n queries. It
// must be a number that the measure can have, of one query at least. A mean of nothing is no 0.
func May(notation string, v float64, n int) bool {
	return may(notation, v, n, func(i *measure.Info) bool { return v >= i.Low-slack && v <= i.High+slack })
}

// MayDiffer is May for the difference of two values: none is larger than the range of the measure.
func MayDiffer(notation string, d float64, n int) bool {
	return may(notation, d, n, func(i *measure.Info) bool { return math.Abs(d) <= i.High-i.Low+slack })
}

func may(notation string, v float64, n int, within func(i *measure.Info) bool) bool {
	if n < 1 || math.IsNaN(v) {
		return false
	}
	m, err := measure.Parse(notation)
	if err != nil { // of another tool
		return true
	}
	return m.Info().Sum || within(m.Info())
}

// slack is what sums of floats may be off.
const slack = 1e-9
