// Package significance says whether the difference between systems is more than chance, how large it is, and how sure
// one can be: paired tests, intervals, corrections, effect sizes, power, equivalence, agreement and rank correlation.
//
// Everything is a plain function on []float64. A paired comparison works on the differences d[q] = b[q] - a[q], one a
// query (Differences makes them), so a positive figure always means that b is larger, and Greater is the alternative
// that it is. Choose picks the test for given differences and explains itself; Compare does the whole of it for a table
// of systems × queries: choose, test every pair, correct for their number, intervals, effect sizes, letters for those
// that are not significantly different.
//
// The paired tests have a registry (All, Lookup, Markdown); a new one is a file and a line in it.
//
// Figures that are not defined are NaN: a mean of nothing, a t without spread. Differences that are NaN or infinite
// make every figure of a test NaN. Functions return an error only for names they do not know, shapes that do not fit
// and cancellation; no numbers make them panic.
//
// Resampling is seeded and gives the same bits on every platform: the generator is this package's own (Rand),
// transcendental functions come from core/base/float, sums have a fixed order and no multiplication is fused with an
// addition. The same seed and number of samples always give the same answer.
//
// It is not a general statistics library: no regression, no unpaired tests, no plots.
package significance

import (
	"fmt"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

// Alternative is what a test weighs against "no difference".
type Alternative int

const (
	TwoSided Alternative = iota // b and a differ
	Less                        // b < a
	Greater                     // b > a
)

func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Less:
		return "less"
	case Greater:
		return "greater"
	}
	return "alternative(" + fmt.Sprint(int(a)) + ")"
}

// Options are what the tests and the resampling need beside the data. The zero value is two-sided, level 0.95, seed 0
// and the default number of samples.
type Options struct {
	// Quick draws sign patterns from 15 non-zero differences on, though all could be counted: for simulations that test
	// thousands of times.
	Quick       bool
	Alternative Alternative
	Level       float64 // of intervals, in (0, 1); 0 means 0.95. Outside of it intervals are NaN.

	Seed    uint64
	Samples int // resamples where the result is not exact; 0 means DefaultSamples. At most MaxSamples are drawn.

	// Cancel is asked every few milliseconds of resampling; once it returns true the function returns ErrCancelled. May
	// be nil.
	Cancel func() bool

	// Of Wilcoxon's test.
	Zeros      ZeroMethod
	Correction bool // continuity correction of its normal approximation
	Method     Method

	student *student // of the pairs of a table, which have as many queries each; may be nil
}

// DefaultSamples is the number of resamples where Options does not say: the standard error of p = 0.05 is then 0.0022,
// that of p = 0.001 is 0.0003. MaxSamples bounds memory: a bootstrap keeps every mean, 8 bytes for each sample and
// system.
const (
	DefaultSamples = 10000
	MaxSamples     = 1 << 20
)

// ErrCancelled is returned by resampling that was asked to stop.
var ErrCancelled = say.Faultf("significance", "cancelled")

func (o *Options) samples() int {
	if o.Samples <= 0 {
		return DefaultSamples
	}
	return min(o.Samples, MaxSamples)
}

func (o *Options) level() float64 {
	switch {
	case o.Level > 0 && o.Level < 1:
		return o.Level
	case o.Level == 0:
		return 0.95
	}
	return math.NaN()
}

// watch asks Cancel after about every work units; a unit is about a nanosecond.
type watch struct {
	cancel func() bool
	left   int
}

func (o *Options) watch() watch { return watch{cancel: o.Cancel} }

// stopped reports whether the work should end; units is what was done since the last call.
func (w *watch) stopped(units int) bool {
	if w.cancel == nil {
		return false
	}
	if w.left -= units; w.left > 0 {
		return false
	}
	w.left = 1 << 20
	return w.cancel()
}

// Result is the outcome of one paired test.
type Result struct {
	Test      string  // name in the registry
	Method    string  // how p was found: "exact", "normal", "t", "monte-carlo"
	N         int     // differences the test used (some leave zeros out)
	Statistic float64 // t, W, the number of positive differences, or the mean difference
	P         float64 // in [0, 1], or NaN
	DF        float64 // degrees of freedom of t, else 0
	Z         float64 // of a normal approximation, else 0
	Error     float64 // standard error of P where it was drawn, else 0
	// resamples behind P: drawn, or how many there are where all of them were enumerated; 0 for a formula
	Draws     int
	Low, High float64 // interval of the mean difference at Options.Level where the test has one (t), else NaN
}

// Difference returns b - a, 0 where the two are equal but for rounding: no more than 1e-12 of the larger one apart.
func Difference(a, b float64) float64 {
	d := b - a
	if v := math.Abs(d); v <= float64(1e-12*max(math.Abs(a), math.Abs(b))) && v-v == 0 {
		return 0
	}
	return d
}

// Differences returns the Difference of b[q] and a[q] of every query. The lengths must be the same.
func Differences(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, say.Faultf("significance", "pair scores: %d of a and %d of b", len(a), len(b))
	}
	d := make([]float64, len(a))
	for i := range d {
		d[i] = Difference(a[i], b[i])
	}
	return d, nil
}

// sameTolerance, times the largest magnitude among some numbers, is how far two of them may be apart and still count as
// equal. On P@3 1 - 2/3, 2/3 - 1/3 and 1/3 - 0 are three numbers in binary and one on paper. It is relative, so that no
// scale of a measure changes which numbers are equal.
const sameTolerance = 1e-10

// same returns the distance below which the numbers count as equal: 0 where one is infinite or NaN.
func same(lists ...[]float64) float64 {
	largest := 0.0
	for _, x := range lists {
		for _, v := range x {
			largest = max(largest, math.Abs(v))
		}
	}
	if tol := float64(sameTolerance * largest); tol-tol == 0 {
		return tol
	}
	return 0
}

// level returns x with the values that count as equal made one: of every stretch without a gap the smallest. x has no
// NaN.
func level(x []float64) []float64 {
	tol := same(x)
	order := sorted(x)
	first := slices.Clone(order) // of the stretch that a place of order is in
	for i := 1; i < len(order); i++ {
		if order[i]-order[i-1] <= tol {
			first[i] = first[i-1]
		}
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = first[lower(order, v)]
	}
	return out
}

// finite reports whether there is no NaN and no infinity in x.
func finite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// total is a sum with the rounding errors carried along (Neumaier 1974).
type total struct{ s, c float64 }

func (a *total) add(v float64) {
	t := a.s + v
	if math.Abs(a.s) >= math.Abs(v) {
		a.c += (a.s - t) + v
	} else {
		a.c += (v - t) + a.s
	}
	a.s = t
}

func (a *total) value() float64 {
	if a.c-a.c != 0 { // infinite or NaN
		return a.s
	}
	return a.s + a.c
}

// sum returns the sum of x in order, a total.
func sum(x []float64) float64 {
	var a total
	for _, v := range x {
		a.add(v)
	}
	return a.value()
}

// Mean returns the arithmetic mean, NaN of nothing.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	if v, ok := constant(x); ok {
		return v
	}
	return sum(x) / float64(len(x))
}

// constant reports whether all of x are the same but for rounding noise, and returns the value: the largest and the
// smallest differ by no more than 1e-12 of the larger magnitude. Differences of scores that are equal on paper
// (0.3-0.2, 0.5-0.4) are not so in binary, and what is left must not become a standard deviation.
func constant(x []float64) (float64, bool) {
	if len(x) == 0 {
		return math.NaN(), false
	}
	lo, hi := x[0], x[0]
	for _, v := range x[1:] {
		switch { // min and max are calls in wasm
		case v < lo:
			lo = v
		case v > hi:
			hi = v
		case v != v:
			return math.NaN(), false
		}
	}
	if hi-lo <= float64(1e-12*max(-lo, hi)) { // false for NaN and infinities
		return x[0], true
	}
	return math.NaN(), false
}

// SD returns the standard deviation with n - 1 in the denominator: 0 for equal values (also if they differ by rounding
// noise, see Choose), NaN of fewer than two.
func SD(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	if _, ok := constant(x); ok {
		return 0
	}
	mean := sum(x) / float64(len(x))
	var sq total
	for _, v := range x {
		u := v - mean
		sq.add(float64(u * u))
	}
	return math.Sqrt(sq.value() / float64(len(x)-1))
}

// moments returns the mean and the sums of squared and cubed deviations from it.
func moments(x []float64) (mean, m2, m3 float64) {
	mean = Mean(x)
	var sq, cu total
	for _, v := range x {
		u := v - mean
		sq.add(float64(u * u))
		cu.add(float64(float64(u*u) * u))
	}
	return mean, sq.value(), cu.value()
}

// Skewness returns the third standardised moment √n·Σu³/(Σu²)^1.5 with u the deviations from the mean: NaN where
// nothing varies. (Joanes and Gill 1998, g₁; scipy.stats.skew.)
func Skewness(x []float64) float64 {
	if _, ok := constant(x); ok || len(x) < 2 {
		return math.NaN()
	}
	_, m2, m3 := moments(x)
	return math.Sqrt(float64(len(x))) * (m3 / (m2 * math.Sqrt(m2)))
}

// ranks returns the ranks of x, which has no NaN, from 1, ties (values equal but for rounding, see level) sharing their
// mean rank, and Σ(t³ - t) over the groups of t equal values.
func ranks(x []float64) (r []float64, ties float64) {
	x = level(x)
	order := sorted(x)
	mean := make([]float64, len(x)) // rank of the value that first is at this place of order
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && order[j] == order[i] {
			j++
		}
		t := float64(j - i)
		ties += float64(t*t*t) - t
		mean[i] = float64(i+j+1) / 2
		i = j
	}
	r = make([]float64, len(x))
	for i, v := range x {
		r[i] = mean[lower(order, v)]
	}
	return r, ties
}

// lower returns the first position of sorted s whose value is not below v.
func lower(s []float64, v float64) int {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// ascending returns the positions of x in ascending order of value, equal values in order of position.
func ascending(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { // in half the time of a stable sort
		if c := compare(x[i], x[j]); c != 0 {
			return c
		}
		return i - j
	})
	return order
}

// compare orders numbers, NaN after all others.
func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	case a == a:
		return -1
	case b == b:
		return 1
	}
	return 0
}

// unit keeps a probability that rounding pushed out of [0, 1] in it.
func unit(p float64) float64 {
	return max(0, min(p, 1))
}
