package significance

import (
	"math"
	"slices"
)

// agreed are documents that judges graded: kinds of them, each with how many there are. A coefficient of agreement is
// computed from the weights of the kinds, which need not be whole numbers.
type agreed struct {
	times       []float64
	worst, best []float64 // one more document on which all disagree as far as they can, or agree; by kind
	coefficient func(weight []float64) float64
}

// streamAgreed is the stream of the weights.
const (
	streamAgreed = 24
	drawsAgreed  = 2000
)

// interval returns the interval of a coefficient of agreement over the population of documents. Documents have random
// weights, uniform among those that sum to 1, as in the interval of a mean. For the lower end there is one more on which
// the judges disagree, for the upper one on which they agree: they stand for the documents that the sample does not
// show, so an interval of judges who always agree has a width. It holds the point itself.
func (a *agreed) interval(point, level float64) (low, high float64) {
	if point != point || !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	rnd := NewRand(0, streamAgreed)
	ends := [2][]float64{}
	weight, with := make([]float64, len(a.times)), make([]float64, len(a.times))
	for range drawsAgreed {
		for i, n := range a.times {
			if weight[i] = 0; n > 0 {
				weight[i] = rnd.gamma(n)
			}
		}
		one := rnd.exponential()
		for e, more := range [2][]float64{a.worst, a.best} {
			for i, w := range weight {
				with[i] = w + float64(one*more[i])
			}
			if v := a.coefficient(with); v == v {
				ends[e] = append(ends[e], v)
			}
		}
	}
	for _, v := range ends {
		slices.Sort(v)
	}
	at := func(v []float64, share float64) float64 {
		if len(v) == 0 {
			return math.NaN()
		}
		return v[int(share*float64(len(v)-1))]
	}
	tail := float64(0.5 * (1 - level))
	return min(point, at(ends[0], tail)), max(point, at(ends[1], 1-tail))
}
