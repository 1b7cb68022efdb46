package significance

import "math"

// Sign tests whether positive and negative differences are equally likely: a binomial test of their numbers, zeros left
// out. Result.N is the number of non-zero differences, Statistic that of the positive ones. P is NaN where all
// differences are zero.
//
// It asks only how often b is better, not by how much. On 0/1 measures it is McNemar's exact test.
//
// Source: Arbuthnott 1710; scipy.stats.binomtest.
func Sign(d []float64, o Options) (Result, error) {
	r := Result{Test: "sign", Method: "exact", Statistic: math.NaN(), P: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if !finite(d) {
		return r, nil
	}
	plus, minus, _ := Counts(d)
	r.N, r.Statistic = plus+minus, float64(plus)
	if r.N == 0 {
		return r, nil
	}
	switch o.Alternative {
	case Less:
		r.P = BinomialCDF(plus, r.N, 0.5)
	case Greater:
		r.P = BinomialCDF(minus, r.N, 0.5)
	default:
		r.P = unit(2 * BinomialCDF(min(plus, minus), r.N, 0.5))
	}
	return r, nil
}

// Counts returns how many differences are above, below and equal to zero: no larger than 1e-10 of the largest.
func Counts(d []float64) (better, worse, equal int) {
	tol := same(d)
	for _, v := range d {
		switch {
		case v > tol:
			better++
		case v < -tol:
			worse++
		case v == v:
			equal++
		}
	}
	return better, worse, equal
}
