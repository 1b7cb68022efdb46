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

// Bootstrap returns intervals of the mean of x from Options.Samples resamples of its values with replacement: percentile and
// BCa. The interval is two-sided whatever the alternative.
//
// Values that do not vary: the percentile interval is the value, BCa is NaN, as scipy. Fewer than two values: NaN.
//
// Source: Efron 1987; quantiles by linear interpolation (Hyndman and Fan 1996, type 7), both as scipy.stats.bootstrap.
func Bootstrap(x []float64, o Options) (Interval, error) {
	means, err := resample([][]float64{x}, o)
	if err != nil {
		return Interval{}, err
	}
	return interval(x, means[0], o.level()), nil
}

// resample returns the means of Options.Samples resamples of the positions of rows, for every row; the same positions serve all
// of them. None for fewer than two positions.
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
		clear(weight)
		for range n {
			weight[rnd.Intn(n)]++
		}
		for i, row := range rows {
			// two sums at a time, as the processor has two adders
			var even, odd float64
			k := 0
			for ; k+1 < len(row) && k+1 < len(weight); k += 2 {
				even += float64(weight[k] * row[k])
				odd += float64(weight[k+1] * row[k+1])
			}
			if k < len(row) {
				even += float64(weight[k] * row[k])
			}
			means[i][b] = (even + odd) / float64(n)
		}
		if w.stopped(n * (2 + len(rows))) {
			return nil, ErrCancelled
		}
	}
	return means, nil
}

// intervalsOf returns the intervals of the means of rows and of the differences row[j] - row[i] of pairs {i, j}.
func intervalsOf(rows [][]float64, pairs [][2]int, differences [][]float64, o Options) (single, paired []Interval, err error) {
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
	at := [4]float64{tail, 1 - tail, adjusted(tail), adjusted(1 - tail)}
	var v [4]float64
	for i, q := range at {
		v[i] = quantile(means, q)
	}
	out.PercentileLow, out.PercentileHigh, out.Low, out.High = v[0], v[1], v[2], v[3]
	return out
}

// quantile returns the q-quantile of x by linear interpolation between order statistics, and moves values of x about.
func quantile(x []float64, q float64) float64 {
	if !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	at := float64(q * float64(len(x)-1))
	k := int(at)
	lo := kth(x, k)
	f := at - float64(k)
	if f == 0 || k+1 >= len(x) {
		return lo
	}
	hi := slices.Min(x[k+1:])
	return lo + float64(f*(hi-lo))
}

// kth moves the value of rank k (from 0) to x[k], smaller ones before it and larger ones behind, and returns it (Hoare 1961;
// the pivot is the median of three, so the order of work does not depend on chance).
func kth(x []float64, k int) float64 {
	lo, hi := 0, len(x)-1
	for rounds := 0; lo < hi; rounds++ {
		if rounds > 200 { // no data should come here
			slices.Sort(x[lo : hi+1])
			break
		}
		mid := lo + (hi-lo)/2
		pivot := max(min(x[lo], x[mid]), min(max(x[lo], x[mid]), x[hi]))
		i, j := lo, hi
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
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	return x[k]
}
