package significance

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// ZeroMethod says what Wilcoxon's test does with differences of zero.
type ZeroMethod int

const (
	Drop  ZeroMethod = iota // leave them out before ranking (scipy "wilcox")
	Pratt                   // rank them, then leave their ranks out
	Split                   // rank them, half of their ranks to either side (scipy "zsplit")
)

func (z ZeroMethod) String() string {
	switch z {
	case Drop:
		return "wilcox"
	case Pratt:
		return "pratt"
	case Split:
		return "zsplit"
	}
	return "zeros(" + fmt.Sprint(int(z)) + ")"
}

// LookupZeros returns the zero method of a name.
func LookupZeros(name string) (ZeroMethod, error) {
	for _, z := range []ZeroMethod{Drop, Pratt, Split} {
		if z.String() == name {
			return z, nil
		}
	}
	return Drop, say.Faultf("significance", "look up zero method %q: not one of wilcox, pratt, zsplit", name)
}

// Method says how Wilcoxon's test finds p.
type Method int

const (
	// exact for up to maxExactAuto differences without zeros and ties, or maxExactTied with them, else normal: as scipy
	Auto   Method = iota
	Exact         // the distribution over all signs, for up to 300 differences; above, normal
	Normal        // the normal approximation
)

const (
	maxExactAuto = 50
	maxExactTied = 13
)

// maxExactRanks bounds the cost of the exact distribution: its sums are counted one by one, n·n(n+1) steps.
const maxExactRanks = 300

// Wilcoxon tests whether the differences are symmetric about zero by their signed ranks. Statistic is min(W+, W-), the
// smaller of the sums of the ranks of the positive and of the negative differences, or W+ if one-sided. Magnitudes that
// differ by no more than 1e-10 of the largest are equal, and those no larger than that are zero: so p depends neither
// on rounding nor on the scale of the measure. (scipy takes them for different.)
//
// The exact p is the share of all 2ⁿ sign patterns, given the ranks as they are: also with zeros and ties. (scipy's
// method="exact" then looks up a table that holds only without them; its "auto" avoids that, and this Auto equals it.)
// All differences zero: P is 1 where it is exact, NaN in the normal approximation without Split.
//
// It is a test of symmetry, not of the mean: on skewed differences it can reject although the means are equal.
//
// Source: Wilcoxon 1945; Pratt 1959; variance with ties and zeros: Cureton 1967; scipy.stats.wilcoxon.
// Zeros, ranks, ties and the distribution follow one another; each needs the counts of the one before.
func Wilcoxon(d []float64, o Options) (Result, error) {
	r := Result{Test: "wilcoxon", Statistic: math.NaN(), P: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if len(d) == 0 || !finite(d) {
		return r, nil
	}
	abs, sign := make([]float64, 0, len(d)), make([]float64, 0, len(d))
	zeros := 0
	tol := same(d)
	for _, v := range d {
		if math.Abs(v) <= tol {
			v = 0
			zeros++
			if o.Zeros == Drop {
				continue
			}
		}
		abs = append(abs, math.Abs(v))
		switch {
		case v > 0:
			sign = append(sign, 1)
		case v < 0:
			sign = append(sign, -1)
		default:
			sign = append(sign, 0)
		}
	}
	n := float64(len(abs))
	r.N = len(abs)
	rank, ties := ranks(abs)
	var plus, minus, none float64
	for i, s := range sign {
		switch s {
		case 1:
			plus += rank[i]
		case -1:
			minus += rank[i]
		default:
			none += rank[i]
		}
	}
	if o.Zeros == Split {
		plus += float64(none / 2)
		minus += float64(none / 2)
	}
	tied := ties > 0 || zeros > 0
	r.Statistic = plus
	if o.Alternative == TwoSided {
		r.Statistic = min(plus, minus)
	}

	exact := len(rank) <= maxExactRanks
	switch o.Method {
	case Auto:
		exact = !tied && len(rank) <= maxExactAuto || len(d) <= maxExactTied
	case Normal:
		exact = false
	}
	if exact {
		r.Method = "exact"
		less, greater := signedRanks(rank, sign, plus, o.Zeros == Split)
		r.P = oneOf(less, greater, o.Alternative)
		return r, nil
	}

	r.Method = "normal"
	mean := float64(float64(n*(n+1)) * 0.25)
	variance := float64(float64(n*(n+1)) * (2*n + 1))
	if o.Zeros == Pratt {
		z := float64(zeros)
		mean -= float64(float64(z*(z+1)) * 0.25)
		variance -= float64(float64(z*(z+1)) * (2*z + 1))
		ties -= float64(z*z*z) - z // the zeros are no tie
	}
	se := math.Sqrt((variance - float64(ties/2)) / 24)
	r.Z = (plus - mean) / se
	if o.Correction {
		switch {
		case o.Alternative == Greater || o.Alternative == TwoSided && r.Z > 0:
			r.Z -= 0.5 / se
		case o.Alternative == Less || r.Z < 0:
			r.Z += 0.5 / se
		}
	}
	switch o.Alternative {
	case Less:
		r.P = NormalCDF(r.Z)
	case Greater:
		r.P = NormalSF(r.Z)
	default:
		r.Z = -math.Abs(r.Z)
		r.P = unit(2 * NormalCDF(r.Z))
	}
	return r, nil
}

// oneOf returns the p of an alternative from those of the two one-sided ones; the two-sided is twice the smaller.
func oneOf(less, greater float64, alt Alternative) float64 {
	switch alt {
	case Less:
		return unit(less)
	case Greater:
		return unit(greater)
	}
	return unit(2 * min(less, greater))
}

// signedRanks returns P(W+ ≤ plus) and P(W+ ≥ plus) where every rank that counts has a random sign. A zero adds nothing
// to W+, or half of its rank always (split).
func signedRanks(rank, sign []float64, plus float64, split bool) (less, greater float64) {
	// twice the ranks are integers, without ties the ranks are; p[s] is the probability that they sum to s
	unit, total := 1.0, 0.0
	for i, r := range rank {
		if r != math.Floor(r) {
			unit = 2
		}
		if sign[i] != 0 {
			total += r
		}
	}
	p := make([]float64, int(unit*total)+1)
	p[0] = 1
	top, shift := 0, 0.0
	for i, r := range rank {
		if sign[i] == 0 {
			if split {
				shift += float64(r / 2)
			}
			continue
		}
		step := int(unit * r)
		top += step
		for s := top; s >= step; s-- {
			p[s] = float64(0.5*p[s]) + float64(0.5*p[s-step])
		}
		for s := range step {
			p[s] *= 0.5
		}
	}
	at := int(math.Floor(float64(unit*(plus-shift)) + 0.5))
	for s, v := range p {
		if s <= at {
			less += v
		}
		if s >= at {
			greater += v
		}
	}
	return less, greater
}
