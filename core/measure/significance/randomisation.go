package significance

import "math"

// MostExact is the number of non-zero differences up to which Randomisation enumerates all signs: 2 lists of 2^15
// sums.
const MostExact = 30

// tieTolerance, times the sum of the magnitudes, is how far two sums may be apart and still count as equal: sums of the
// same numbers in another order differ by rounding.
const tieTolerance = 1e-12

// Randomisation tests whether the mean difference is more than random signs give: if it does not matter which system is
// which, every difference might as well be its negative. Statistic is the mean difference, P the share of sign patterns
// whose mean is as far out or farther.
//
// Up to 30 non-zero differences all patterns are enumerated (Method "exact"). Above, Options.Samples random ones are
// drawn and P = (count + 1)/(draws + 1), so it is never 0; Error is its standard error. The two-sided P is twice the
// smaller of the one-sided ones, at most 1, as scipy does. With all differences zero P is 1.
//
// Source: Fisher 1935; for retrieval Smucker, Allan and Carterette 2007;
// scipy.stats.permutation_test(permutation_type="samples"). The exact count joins the sorted sums of both halves
// (Horowitz and Sahni 1974).
func Randomisation(d []float64, o Options) (Result, error) {
	r := Result{Test: "randomisation", N: len(d), Statistic: math.NaN(), P: math.NaN(), Low: math.NaN(),
		High: math.NaN()}
	if len(d) == 0 || !finite(d) {
		return r, nil
	}
	r.Statistic = Mean(d)
	most := MostExact
	if o.Quick {
		most = quickFlips
	}
	if less, greater, ok := exactFlips(d, most); ok {
		r.Method, r.Draws = "exact", 1<<len(nonZero(d))
		r.P = oneOf(less, greater, o.Alternative)
		return r, nil
	}
	less, greater, err := drawFlips([][]float64{d}, o)
	if err != nil {
		return r, err
	}
	r.drawn(less[0], greater[0], &o)
	return r, nil
}

// quickFlips is the number of non-zero differences up to which Options.Quick enumerates all signs.
const quickFlips = 14

// drawn fills in the P of counted resamples.
func (r *Result) drawn(less, greater int, o *Options) {
	r.Method, r.Draws = "monte-carlo", o.samples()
	n := float64(r.Draws + 1)
	r.P = oneOf(float64(less+1)/n, float64(greater+1)/n, o.Alternative)
	if o.Alternative == TwoSided {
		r.Error = math.Sqrt(float64(r.P*(2-r.P)) / n)
	} else {
		r.Error = math.Sqrt(float64(r.P*(1-r.P)) / n)
	}
}

func nonZero(d []float64) []float64 {
	var out []float64
	for _, v := range d {
		if v != 0 {
			out = append(out, v)
		}
	}
	return out
}

func magnitude(d []float64) float64 {
	s := 0.0
	for _, v := range d {
		s += math.Abs(v)
	}
	return s
}

// exactFlips returns the shares of all sign patterns whose sum is at most and at least that of d, and false where there
// are too many of them.
func exactFlips(d []float64, most int) (less, greater float64, ok bool) {
	d = nonZero(d)
	if len(d) > most {
		return 0, 0, false
	}
	// The sum over a pattern is the sum of d minus twice the sum of what is flipped: as large or larger where the
	// flipped sum to 0 or less. Every flipped set is a part of the first half and one of the second.
	tol := float64(tieTolerance * magnitude(d))
	a, b := partSums(d[:len(d)/2]), partSums(d[len(d)/2:])
	var le, ge int
	j, k := len(b), len(b)
	for _, x := range a {
		for j > 0 && x+b[j-1] > tol {
			j--
		}
		for k > 0 && x+b[k-1] >= -tol {
			k--
		}
		le += j          // flipped sum ≤ 0: the pattern's sum is as large or larger
		ge += len(b) - k // flipped sum ≥ 0
	}
	n := float64(len(a)) * float64(len(b))
	return float64(ge) / n, float64(le) / n, true
}

// partSums returns the sums of all subsets of d in ascending order: from the sorted sums without a number and the same
// with it, by merging.
func partSums(d []float64) []float64 {
	sums := make([]float64, 1, 1<<len(d))
	next := make([]float64, 0, 1<<len(d))
	for _, v := range d {
		next = next[:0]
		i, j := 0, 0
		for i < len(sums) && j < len(sums) {
			if sums[i] <= sums[j]+v {
				next = append(next, sums[i])
				i++
			} else {
				next = append(next, sums[j]+v)
				j++
			}
		}
		next = append(next, sums[i:]...)
		for ; j < len(sums); j++ {
			next = append(next, sums[j]+v)
		}
		sums, next = next, sums
	}
	return sums
}

// drawFlips draws Options.Samples sets of positions and sums each row over the set. For a row of differences it counts
// how often the sum of the flipped is ≥ 0 (less: the pattern's sum is as small or smaller) and ≤ 0 (greater). With more
// rows than one, it does so for every pair of rows i < j and their difference row[j] - row[i], in the order (0,1),
// (0,2) … (1,2) …:
// flipping the differences of two systems is exchanging their scores, so one sum a system serves all its pairs.
func drawFlips(rows [][]float64, o Options) (less, greater []int, err error) {
	n := len(rows[0])
	tables := make([]flipTable, len(rows))
	tol := make([]float64, len(rows))
	for i, row := range rows {
		tables[i] = newFlipTable(row)
		tol[i] = float64(tieTolerance * magnitude(row))
	}
	pairs := 1
	if len(rows) > 1 {
		pairs = len(rows) * (len(rows) - 1) / 2
	}
	less, greater = make([]int, pairs), make([]int, pairs)
	rnd, w := NewRand(o.Seed, streamFlips), o.watch()
	set := make([]uint64, (n+63)/64)
	sums := make([]float64, len(rows))
	for range o.samples() {
		for i := range set {
			set[i] = rnd.Uint64()
		}
		for i := range tables {
			sums[i] = tables[i].sum(set)
		}
		if len(rows) == 1 {
			if sums[0] >= -tol[0] {
				less[0]++
			}
			if sums[0] <= tol[0] {
				greater[0]++
			}
		} else {
			countPairs(sums, tol, less, greater)
		}
		if w.stopped(len(rows)*(n/8+8) + 2*pairs) {
			return nil, nil, ErrCancelled
		}
	}
	return less, greater, nil
}

// countPairs counts the pairs whose sums' difference is ≥ 0 and ≤ 0.
//
//go:noinline
func countPairs(sums, tol []float64, less, greater []int) {
	p := 0
	for i, a := range sums {
		for j := i + 1; j < len(sums); j++ {
			d, t := sums[j]-a, tol[i]+tol[j]
			if d >= -t {
				less[p]++
			}
			if d <= t {
				greater[p]++
			}
			p++
		}
	}
}

// flipTable holds the sums of all subsets of every 8 neighbours of a row, so that a sum over random positions is one
// look-up for 8 of them.
type flipTable [][256]float64

func newFlipTable(row []float64) flipTable {
	t := make(flipTable, (len(row)+7)/8)
	for b := range t {
		for i := range 8 {
			v := 0.0 // beyond the end
			if 8*b+i < len(row) {
				v = row[8*b+i]
			}
			for s := range 1 << i {
				t[b][s|1<<i] = t[b][s] + v
			}
		}
	}
	return t
}

// sum returns the sum over the positions whose bits are set.
//
//go:noinline
func (t flipTable) sum(set []uint64) float64 {
	s := 0.0
	for b := range t {
		s += t[b][byte(set[b>>3]>>(b&7<<3))]
	}
	return s
}
