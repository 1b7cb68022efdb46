package significance

import (
	"math"
	"slices"
)

// Interval is a bootstrap interval of a mean, at Options.Level.
type Interval struct {
	Low, High      float64 // bias-corrected and accelerated (BCa); NaN where nothing varies
	PercentileLow  float64
	PercentileHigh float64
	Error          float64 // standard error: the standard deviation of the resampled means
	Draws          int
}

// Bootstraps returns intervals of the mean of every row of a table from Options.Samples resamples of its columns with
// replacement: percentile and BCa. The positions are drawn once for all rows, so that a row has the same interval
// alone.
// The intervals are two-sided whatever the alternative.
//
// Values that do not vary: the percentile interval is the value, BCa is NaN, as scipy. Fewer than two values: NaN.
//
// Source: Efron 1987; quantiles by linear interpolation (Hyndman and Fan 1996, type 7), both as scipy.stats.bootstrap.
func Bootstraps(t Table, o Options) ([]Interval, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if len(t) == 0 {
		return nil, nil
	}
	out, _, err := intervalsOf(t, nil, nil, o)
	return out, err
}

// resample returns the means of Options.Samples resamples of the positions of rows, for every row; the same positions
// serve all of them. None for fewer than two positions.
func resample(rows [][]float64, o Options) ([][]float64, error) {
	means := make([][]float64, len(rows))
	n := len(rows[0])
	if n < 2 {
		return means, nil
	}
	draws := o.samples()
	for i := range means {
		means[i] = make([]float64, draws)
	}
	rnd, w := NewRand(o.Seed, streamBootstrap), o.watch()
	weight := make([]float64, n)
	for b := range draws {
		rnd.tally(weight)
		for i, row := range rows {
			means[i][b] = dot(weight, row) / float64(n)
		}
		if w.stopped(n * (2 + len(rows))) {
			return nil, ErrCancelled
		}
	}
	return means, nil
}

// tally draws as many positions of weight as there are, and sets weight to how often each was drawn: Intn for each,
// written out so that in wasm the state stays in registers.
//
//go:noinline
func (r *Rand) tally(weight []float64) {
	clear(weight)
	x := *r
	bound := uint32(len(weight))
	reject := -bound % bound
	for range weight {
		m := (x.Uint64() >> 32) * uint64(bound)
		for uint32(m) < reject {
			m = (x.Uint64() >> 32) * uint64(bound)
		}
		weight[m>>32]++
	}
	*r = x
}

// dot returns the sum of products, the even and the odd positions apart: a processor has two adders. Eight products a
// turn, because in wasm the loop costs as much as a product; the order of the additions is that of the plain loop.
//
//go:noinline
func dot(x, y []float64) float64 {
	var even, odd float64
	for len(x) >= 8 {
		a, b := (*[8]float64)(x), (*[8]float64)(y)
		even += float64(a[0] * b[0])
		odd += float64(a[1] * b[1])
		even += float64(a[2] * b[2])
		odd += float64(a[3] * b[3])
		even += float64(a[4] * b[4])
		odd += float64(a[5] * b[5])
		even += float64(a[6] * b[6])
		odd += float64(a[7] * b[7])
		x, y = x[8:], y[8:]
	}
	for i, v := range x {
		if i&1 == 0 {
			even += float64(v * y[i])
		} else {
			odd += float64(v * y[i])
		}
	}
	return even + odd
}

// intervalsOf returns the intervals of the means of rows and of the differences row[j] - row[i] of pairs {i, j}.
func intervalsOf(rows [][]float64, pairs [][2]int, differences [][]float64, o Options) (single, paired []Interval,
	err error) {
	means, err := resample(rows, o)
	if err != nil {
		return nil, nil, err
	}
	w := o.watch()
	buf := make([]float64, len(means[0]))
	for p, ij := range pairs {
		for b, v := range means[ij[1]] {
			buf[b] = v - means[ij[0]][b]
		}
		paired = append(paired, interval(differences[p], buf, o.level()))
		if w.stopped(len(buf) * 16) {
			return nil, nil, ErrCancelled
		}
	}
	for i, row := range rows {
		single = append(single, interval(row, means[i], o.level()))
	}
	return single, paired, nil
}

// interval makes the intervals of the mean of x from its resampled means, which it puts into another order.
func interval(x, means []float64, level float64) Interval {
	nan := math.NaN()
	out := Interval{nan, nan, nan, nan, nan, len(means)}
	if len(x) < 2 || !finite(x) || level != level {
		return out
	}
	if v, ok := constant(x); ok {
		out.PercentileLow, out.PercentileHigh, out.Error = v, v, 0
		return out
	}
	mean, m2, m3 := moments(x)
	tol := float64(tieTolerance*magnitude(x)) / float64(len(x))
	below, same := 0, 0
	s, s2 := 0.0, 0.0
	for _, v := range means {
		u := v - mean
		if u < -tol {
			below++
		} else if u <= tol {
			same++
		}
		s += u
		s2 += float64(u * u)
	}
	b := float64(len(means))
	out.Error = math.Sqrt(max(s2-float64(s*s)/b, 0) / (b - 1))

	// Efron's z₀ and a; for the mean the jackknife needs no resampling
	z0 := NormalQuantile((float64(below) + float64(0.5*float64(same))) / b)
	a := m3 / float64(6*float64(m2*math.Sqrt(m2)))
	adjusted := func(q float64) float64 {
		z := z0 + NormalQuantile(q)
		return NormalCDF(z0 + z/(1-float64(a*z)))
	}
	tail := float64(0.5 * (1 - level))
	v := quantiles(means, [4]float64{tail, 1 - tail, adjusted(tail), adjusted(1 - tail)})
	out.PercentileLow, out.PercentileHigh, out.Low, out.High = v[0], v[1], v[2], v[3]
	return out
}

// quantiles returns quantiles of x by linear interpolation between order statistics, NaN for what is no probability,
// and moves the values of x about.
func quantiles(x []float64, qs [4]float64) (out [4]float64) {
	var ranks []int
	for _, q := range qs {
		if q >= 0 && q <= 1 {
			k := int(float64(q * float64(len(x)-1)))
			ranks = append(ranks, k, min(k+1, len(x)-1))
		}
	}
	slices.Sort(ranks)
	arrange(x, ranks, 0)
	for i, q := range qs {
		out[i] = math.NaN()
		if q >= 0 && q <= 1 {
			at := float64(q * float64(len(x)-1))
			k := int(at)
			lo, hi := x[k], x[min(k+1, len(x)-1)]
			out[i] = lo + float64((at-float64(k))*(hi-lo))
		}
	}
	return out
}

// arrange moves the values of the given ranks, ascending and counted from first, to the places they have in the sorted
// x: Hoare's selection (1961) for several ranks at once. The pivot is the median of three, so the work does not depend
// on chance.
func arrange(x []float64, ranks []int, first int) {
	for rounds := 0; len(ranks) > 0 && len(x) > 1; rounds++ {
		if rounds > 200 { // no data should come here
			slices.Sort(x)
			return
		}
		i, j := partition(x)
		l, _ := slices.BinarySearch(ranks, first+j+1)
		arrange(x[:j+1], ranks[:l], first)
		r, _ := slices.BinarySearch(ranks, first+i)
		x, ranks, first = x[i:], ranks[r:], first+i
	}
}

// partition moves the values of x[:j+1] before those of x[i:], what is between is equal; j < i.
//
//go:noinline
func partition(x []float64) (i, j int) {
	j = len(x) - 1
	first, mid, last := x[0], x[len(x)/2], x[j]
	pivot := max(min(first, mid), min(max(first, mid), last))
	for i <= j {
		for x[i] < pivot {
			i++
		}
		for x[j] > pivot {
			j--
		}
		if i <= j {
			x[i], x[j] = x[j], x[i]
			i++
			j--
		}
	}
	return i, j
}
