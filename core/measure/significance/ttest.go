package significance

import "math"

// PairedT tests whether the mean difference is zero with Student's paired t: t = d̄/(s/√n) with n - 1 degrees of
// freedom. Result.Low and High are the interval of the mean difference, one-sided for a one-sided alternative.
//
// Differences that are all equal but for rounding noise (1e-12 of their size) have no spread: t is ±Inf and P 0 or 1,
// or NaN where they are zero. Fewer than two differences: NaN.
//
// Source: Student 1908; scipy.stats.ttest_rel.
func PairedT(d []float64, o Options) (Result, error) {
	r := Result{Test: "t", Method: "t", N: len(d), Statistic: math.NaN(), P: math.NaN(), DF: float64(len(d) - 1),
		Low: math.NaN(), High: math.NaN()}
	if len(d) < 2 || !finite(d) {
		r.DF = max(r.DF, 0)
		return r, nil
	}
	m, se := Mean(d), SD(d)/math.Sqrt(float64(len(d)))
	r.Statistic = m / se
	q := o.level()
	open := math.Inf(1)
	if se == 0 {
		open = math.NaN() // as scipy
	}
	switch o.Alternative {
	case Less:
		r.P = StudentCDF(r.Statistic, r.DF)
		r.Low, r.High = -open, m+float64(StudentQuantile(q, r.DF)*se)
	case Greater:
		r.P = StudentSF(r.Statistic, r.DF)
		r.Low, r.High = m-float64(StudentQuantile(q, r.DF)*se), open
	default:
		r.P = unit(2 * StudentSF(math.Abs(r.Statistic), r.DF))
		r.Low, r.High = o.around(m, se, r.DF)
	}
	return r, nil
}

// around returns the ends of Student's two-sided interval of a mean with a standard error.
func (o *Options) around(m, se, df float64) (low, high float64) {
	s := o.student
	if s == nil || s.df != df {
		s = newStudent(df)
	}
	h := float64(s.quantileOf(float64(0.5*(1+o.level()))) * se)
	return m - h, m + h
}

// Equivalence is the outcome of two one-sided tests.
type Equivalence struct {
	P            float64 // of equivalence: the larger of the two
	TLow, PLow   float64 // of "the mean difference is above low"
	THigh, PHigh float64 // of "the mean difference is below high"
	// interval of the mean difference at level 1 - 2α: equivalence at α is its lying inside the margins
	Low, High float64
	DF        float64
}

// TOST tests whether the mean difference lies inside the margins low < 0 < high, that is, whether two systems are as
// good as equal: two one-sided t tests. alpha sets the interval. NaN for fewer than two differences or margins that are
// no interval.
//
// Differences without spread (see PairedT) give P = 0 inside of the margins and 1 outside.
//
// Source: Schuirmann 1987; statsmodels ttost_paired.
func TOST(d []float64, low, high, alpha float64) Equivalence {
	nan := math.NaN()
	e := Equivalence{P: nan, TLow: nan, PLow: nan, THigh: nan, PHigh: nan, Low: nan, High: nan,
		DF: float64(max(len(d)-1, 0))}
	if len(d) < 2 || !finite(d) || !(low < high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return e
	}
	m, se := Mean(d), SD(d)/math.Sqrt(float64(len(d)))
	e.TLow, e.THigh = (m-low)/se, (m-high)/se
	e.PLow, e.PHigh = StudentSF(e.TLow, e.DF), StudentCDF(e.THigh, e.DF)
	if se == 0 && (m == low || m == high) {
		return e
	}
	e.P = max(e.PLow, e.PHigh)
	if alpha > 0 && alpha < 0.5 {
		h := float64(StudentQuantile(1-alpha, e.DF) * se)
		e.Low, e.High = m-h, m+h
	}
	return e
}
