package significance

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/float"
)

// CohenDz returns the mean difference in units of its standard deviation: d̄/s with n - 1 in s. NaN where the
// differences do not vary or there are fewer than two. (Cohen 1988, 2.3.5.) About 0.2 is called small, 0.5 medium, 0.8
// large.
func CohenDz(d []float64) float64 {
	if s := SD(d); s > 0 && finite(d) {
		return Mean(d) / s
	}
	return math.NaN()
}

// CohenDzInterval returns CohenDz and its interval at the level: the noncentral t distributions that put the observed t
// at their (1±level)/2 quantiles (Cumming and Finch 2001; Steiger and Fouladi 1997).
func CohenDzInterval(d []float64, level float64) (dz, low, high float64) {
	dz = CohenDz(d)
	if dz != dz || !(level > 0 && level < 1) {
		return dz, math.NaN(), math.NaN()
	}
	n := float64(len(d))
	t := dz * math.Sqrt(n)
	tail := float64(0.5 * (1 - level))
	return dz, noncentrality(t, n-1, tail) / math.Sqrt(n), noncentrality(t, n-1, 1-tail) / math.Sqrt(n)
}

// noncentrality returns the δ of the noncentral t distribution that exceeds t with probability p.
func noncentrality(t, df, p float64) float64 {
	z := NormalQuantile(p)
	// as a normal quantile the probability is nearly linear in δ
	f := func(delta float64) float64 {
		return max(-40, min(40, NormalQuantile(noncentralT(t, df, delta)))) - z
	}
	width := 1 + float64(math.Abs(z)*math.Sqrt(1+float64(t*t)/(2*df)))
	lo, hi := t-width, t+width
	flo, fhi := f(lo), f(hi)
	for range 60 {
		if flo <= 0 {
			break
		}
		hi, fhi = lo, flo
		width *= 2
		lo = t - width
		flo = f(lo)
	}
	for range 60 {
		if fhi >= 0 {
			break
		}
		lo, flo = hi, fhi
		width *= 2
		hi = t + width
		fhi = f(hi)
	}
	return illinois(lo, flo, hi, fhi, f)
}

// HedgesG returns CohenDz freed of its bias in small samples: J(n-1)·d_z with J(m) = Γ(m/2)/(√(m/2)·Γ((m-1)/2)). NaN
// for n < 3. (Hedges 1981.)
func HedgesG(d []float64) float64 {
	return float64(HedgesJ(float64(len(d)-1)) * CohenDz(d))
}

// HedgesJ returns Γ(m/2)/(√(m/2)·Γ((m-1)/2)) for m > 1 degrees of freedom, about 1 - 3/(4m-1); NaN for others.
func HedgesJ(m float64) float64 {
	if !(m > 1) || math.IsInf(m, 1) {
		return math.NaN()
	}
	return float.Exp(lnGammaHalf(m-1)) / math.Sqrt(m/2)
}

// PairedDelta returns (positive - negative)/n of the differences: Cliff's δ within queries. NaN for none.
func PairedDelta(d []float64) float64 {
	if !finite(d) {
		return math.NaN()
	}
	better, worse, _ := Counts(d)
	return float64(better-worse) / float64(len(d))
}

// PairedSuperiority returns the share of queries on which b is above a, ties half: (PairedDelta + 1)/2.
func PairedSuperiority(d []float64) float64 { return float64(0.5 * (1 + PairedDelta(d))) }

func sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// dominanceSorted counts, over all pairs of sorted lists without NaN, how often b is above and below a. Scores within
// 1e-10 of the largest magnitude of all are equal.
func dominanceSorted(a, b []float64) (more, less, total float64) {
	below, upTo := 0, 0 // values of a below v, and up to it
	tol := same(a, b)
	for _, v := range b {
		for below < len(a) && a[below] < v-tol {
			below++
		}
		for upTo < len(a) && a[upTo] <= v+tol {
			upTo++
		}
		more += float64(below)
		less += float64(len(a) - upTo)
	}
	return more, less, float64(float64(len(a)) * float64(len(b)))
}
