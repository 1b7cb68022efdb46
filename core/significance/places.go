package significance

import (
	"math"
	"slices"
)

// Place is where a system stands among others.
type Place struct {
	Place     int // by the means, from 1; equal means share the better place
	Low, High int // between which it stands in Options.Level of the resamples, by percentiles of its places
	// share of the resamples in which it is the first; of those that are equal there each has its part
	First float64
}

// Places returns the places of systems by their means, more being better, with percentile intervals from
// Options.Samples resamples of the queries with replacement, the same for every system. Fewer than two queries say
// nothing: every system may stand anywhere.
//
// Source: Goldstein and Spiegelhalter 1996, League Tables and Their Limitations, JRSS A 159(3); Efron and Tibshirani
// 1993, chapter 13.
func Places(t Table, o Options) ([]Place, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	k := len(t)
	if k == 0 {
		return nil, nil
	}
	out := make([]Place, k)
	means := make([]float64, k)
	for s, row := range t {
		means[s] = Mean(row)
	}
	places := make([]int, k)
	place(means, places)
	for s := range out {
		out[s] = Place{Place: places[s], Low: 1, High: k, First: math.NaN()}
	}
	if t.queries() < 2 || !t.finite() || !(o.level() > 0) {
		return out, nil
	}
	drawn, err := resample(t, o)
	if err != nil {
		return nil, err
	}
	counts := make([]int, k*k)
	first := make([]float64, k)
	for b := range drawn[0] {
		for s := range means {
			means[s] = drawn[s][b]
		}
		place(means, places)
		heads := 0
		for s, p := range places {
			counts[s*k+p-1]++
			if p == 1 {
				heads++
			}
		}
		for s, p := range places {
			if p == 1 {
				first[s] += 1 / float64(heads)
			}
		}
	}
	draws := float64(len(drawn[0]))
	tail := float64(draws * (1 - o.level()) / 2)
	for s := range out {
		row := counts[s*k : s*k+k]
		out[s].Low = 1 + reaches(row, tail)
		slices.Reverse(row)
		out[s].High = k - reaches(row, tail)
		out[s].First = first[s] / draws
	}
	return out, nil
}

// reaches returns the first position up to which more than tail are counted.
func reaches(counts []int, tail float64) int {
	sum := 0
	return slices.IndexFunc(counts, func(n int) bool { sum += n; return float64(sum) > tail })
}

// place gives every mean its place: one more than how many are larger, by more than rounding.
func place(means []float64, places []int) {
	for i, a := range means {
		places[i] = 1
		for _, b := range means {
			if b-a > float64(1e-12*max(math.Abs(a), math.Abs(b))) {
				places[i]++
			}
		}
	}
}
