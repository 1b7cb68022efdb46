package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// ErrCancelled is returned where the caller asked to stop.
var ErrCancelled = say.Faultf("report", "cancelled")

// Conclude fills a report whose Columns have their Measure and Values and whatever of runs there is: means, intervals,
// groups, pairs, the test and the hash. The tests are made as t says. cancel is polled between resamples; nil never
// stops. The error is ErrCancelled.
func (r *Report) Conclude(t Protocol, cancel func() bool) error {
	for m := range r.Columns {
		c := &r.Columns[m]
		c.Lower = c.Lower || Smaller(c.Measure)
		c.Means = nil
		for _, v := range r.values(m) {
			c.Means = append(c.Means, measure.Mean(v))
		}
		if c.Best = math.Inf(-1); len(c.Means) > 0 {
			c.Best = c.Means[r.RankingBy(m)[0]]
		}
	}
	if err := r.test(t, cancel); err != nil {
		return err
	}
	r.Seal()
	return nil
}

// Retest makes the paired tests of a concluded report again: what Conclude does with another Protocol. What the report
// shared with others stays as it was. The error is ErrCancelled.
func (r *Report) Retest(t Protocol, cancel func() bool) error {
	if len(r.Columns) == 0 || len(r.Columns[0].Values) == 0 {
		return nil
	}
	r.Columns = slices.Clone(r.Columns)
	if err := r.tests(t, cancel); err != nil {
		return err
	}
	r.Seal()
	return nil
}

// Quantile returns a quantile of ascending values by linear interpolation (Hyndman and Fan 1996, type 7, as
// numpy.quantile), NaN of none.
func Quantile(v []float64, share float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	at := float64(share * float64(len(v)-1))
	k := int(at)
	return v[k] + float64((at-float64(k))*(v[min(k+1, len(v)-1)]-v[k]))
}

// Smaller reports whether less of a measure is better. A notation that is none is a measure of which more is better.
func Smaller(notation string) bool {
	m, err := measure.Parse(notation)
	return err == nil && m.Info().Lower
}

// Ranking returns the systems in the order of a leaderboard: by the first measure.
func (r *Report) Ranking() []int { return r.RankingBy(0) }

// RankingBy returns the systems by a measure, the best mean first, equal means in the order of the systems. Those that
// answered no query come last, whichever way the measure runs. Without measures it is the order of the systems.
func (r *Report) RankingBy(column int) []int {
	out := make([]int, len(r.Systems))
	for s := range out {
		out[s] = s
	}
	if len(r.Columns) == 0 {
		return out
	}
	c := &r.Columns[column]
	slices.SortStableFunc(out, func(a, b int) int {
		if x, y := r.Unanswered(a), r.Unanswered(b); x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		x, y := c.Means[a], c.Means[b]
		if c.Lower {
			x, y = -x, -y
		}
		return cmp.Compare(y, x) // what is no number last
	})
	return out
}

// Best returns the systems with the best mean of a column: the largest, or the smallest where smaller is better. Equal
// means share. Those that answered no query have none.
func (r *Report) Best(column int) []int {
	order := r.RankingBy(column)[:r.answering()]
	n := 0
	for n < len(order) && r.Columns[column].Means[order[n]] == r.Columns[column].Means[order[0]] {
		n++
	}
	return slices.Clone(order[:n])
}
