package significance

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/say"
)

// Wilson returns the interval of a share of k among n by Wilson's score method. NaN if n is 0.
//
// Source: Wilson 1927, JASA 22; statsmodels proportion_confint with method="wilson".
func Wilson(k, n int, level float64) (low, high float64) {
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	z := NormalQuantile((1 + level) / 2)
	size, p := float64(n), float64(k)/float64(n)
	zz := float64(z * z)
	middle := p + zz/float64(2*size)
	half := float64(z * math.Sqrt(float64(p*(1-p))/size+zz/float64(4*float64(size*size))))
	scale := 1 + zz/size
	low, high = (middle-half)/scale, (middle+half)/scale
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return low, high
}

// Kappa is Cohen's κ with what it is made of.
type Kappa struct {
	Agreement
	Observed, Chance float64 // the shares of equal grades, by weight: as they are, and as chance would have them
}

// CohenInterval returns CohenKappa with its large-sample standard error and normal interval:
//
//	var κ = [Σ pᵢⱼ(wᵢⱼ - (w̄ᵢ + w̄ⱼ)(1 - κ))² - (κ - Pₑ(1 - κ))²] / (n(1 - Pₑ)²)
//
// w is 1 for equal grades, 0 or 1 - difference/range or 1 - (difference/range)² for others, w̄ᵢ and w̄ⱼ its means over
// the other judge's shares. NaN for fewer than two ratings or where κ is NaN. High is at most 1. An interval from few
// or very unequal ratings is too narrow.
//
// Source: Fleiss, Cohen and Everitt 1969, Psychological Bulletin 72; statsmodels cohens_kappa.
func CohenInterval(a, b []int, weighting Weighting, level float64) (Kappa, error) {
	out := Kappa{Agreement{math.NaN(), math.NaN(), math.NaN(), math.NaN(), len(a)}, math.NaN(), math.NaN()}
	if len(a) != len(b) {
		return out, say.Faultf("significance", "Cohen's kappa: %d ratings of a and %d of b", len(a), len(b))
	}
	grade := slices.Concat(a, b)
	slices.Sort(grade)
	grade = slices.Compact(grade)
	if len(a) == 0 {
		return out, nil
	}
	if len(grade) < 2 {
		out.Observed, out.Chance = 1, 1
		return out, nil
	}
	w, _ := similarities(grade, weighting)
	q, n := len(grade), float64(len(a))
	count := map[[2]int]int{} // few of the pairs of grades come
	row, column := make([]float64, q), make([]float64, q)
	for i := range a {
		x, _ := slices.BinarySearch(grade, a[i])
		y, _ := slices.BinarySearch(grade, b[i])
		count[[2]int{x, y}]++
		row[x]++
		column[y]++
	}
	for k := range grade {
		row[k] /= n
		column[k] /= n
	}
	ofRow, ofColumn := make([]float64, q), make([]float64, q)
	out.Observed, out.Chance = 0, 0
	for i := range grade {
		for j := range grade {
			ofRow[i] += float64(column[j] * w[i][j])
			ofColumn[j] += float64(row[i] * w[i][j])
			out.Chance += float64(float64(row[i]*column[j]) * w[i][j])
			if c := count[[2]int{i, j}]; c > 0 {
				out.Observed += float64(float64(c) / n * w[i][j])
			}
		}
	}
	kappa, err := CohenKappa(a, b, weighting)
	if err != nil || kappa != kappa || len(a) < 2 {
		out.Coefficient = kappa
		return out, err
	}
	rest := 1 - kappa
	sum := 0.0
	for i := range grade {
		for j := range grade {
			if c := count[[2]int{i, j}]; c > 0 {
				d := w[i][j] - float64((ofRow[i]+ofColumn[j])*rest)
				sum += float64(float64(c) / n * float64(d*d))
			}
		}
	}
	off := kappa - float64(out.Chance*rest)
	variance := (sum - float64(off*off)) / float64(n*float64((1-out.Chance)*(1-out.Chance)))
	out.Coefficient, out.Error = kappa, math.Sqrt(max(0, variance))
	half := float64(NormalQuantile((1+level)/2) * out.Error)
	out.Low, out.High = kappa-half, min(1, kappa+half)
	return out, nil
}

// mostGrades is how many different grades KrippendorffInterval takes in: each document costs their square.
const mostGrades = 64

// KrippendorffInterval returns KrippendorffAlpha with a jackknife interval: α is computed again without each document
// in turn, and
//
//	error² = (n - 1)/n · Σ(α₋ᵤ - mean α₋)²
//
// over the n documents with at least two ratings; the interval is Student's with n - 1 degrees of freedom around α,
// High at most 1. The error is NaN for fewer than three documents, more than 64 different grades, or where α is NaN
// without one of them.
//
// Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 11.
func KrippendorffInterval(ratings [][]float64, scale Scale, level float64) (Agreement, error) {
	alpha, err := KrippendorffAlpha(ratings, scale)
	out := Agreement{Coefficient: alpha, Error: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if err != nil || len(ratings) == 0 {
		return out, err
	}
	units, values := paired(ratings)
	if out.Documents = len(units); len(units) < 3 || len(values) > mostGrades || alpha != alpha {
		return out, nil
	}
	all := newCoincidences(values, scale)
	for _, u := range units {
		all.add(u, 1)
	}
	without := map[string]float64{} // by the ratings of a document: many have the same
	leave := make([]float64, len(units))
	mean := 0.0
	for i, u := range units {
		key := string(u.key())
		v, known := without[key]
		if !known {
			all.add(u, -1)
			v = all.alpha()
			all.add(u, 1)
			without[key] = v
		}
		leave[i] = v
		mean += v
	}
	n := float64(len(units))
	mean /= n
	sum := 0.0
	for _, v := range leave {
		d := v - mean
		sum += float64(d * d)
	}
	out.Error = math.Sqrt(float64((n-1)/n) * sum)
	half := float64(StudentQuantile((1+level)/2, n-1) * out.Error)
	out.Low, out.High = alpha-half, min(1, alpha+half)
	return out, nil
}

// tallied is how often a document has each grade.
type tallied []int

func (u tallied) key() (b []byte) {
	for _, c := range u {
		b = append(b, byte(c), byte(c>>8), byte(c>>16))
	}
	return b
}

// paired returns the documents with at least two ratings, and the values that they have, ascending.
func paired(ratings [][]float64) ([]tallied, []float64) {
	var units []tallied
	lists, values := pairedRatings(ratings)
	slices.Sort(values)
	values = slices.Compact(values)
	for _, list := range lists {
		u := make(tallied, len(values))
		for _, x := range list {
			at, _ := slices.BinarySearch(values, x)
			u[at]++
		}
		units = append(units, u)
	}
	return units, values
}

// coincidences are how often two grades come together in a document, by which α can be computed without one of many.
type coincidences struct {
	values []float64
	scale  Scale
	count  []float64   // of each grade
	pairs  [][]float64 // of each two grades, i above j
	all    float64
}

func newCoincidences(values []float64, scale Scale) *coincidences {
	c := &coincidences{values: values, scale: scale, count: make([]float64, len(values)), pairs: make([][]float64,
		len(values))}
	for i := range values {
		c.pairs[i] = make([]float64, i)
	}
	return c
}

// add counts a document, or takes it away where sign is −1.
func (c *coincidences) add(u tallied, sign float64) {
	m := 0
	for _, k := range u {
		m += k
	}
	for i, k := range u {
		if k == 0 {
			continue
		}
		c.count[i] += float64(sign * float64(k))
		for j := range i {
			if u[j] > 0 {
				c.pairs[i][j] += float64(sign*float64(k*u[j])) / float64(m-1)
			}
		}
	}
	c.all += float64(sign * float64(m))
}

func (c *coincidences) alpha() float64 {
	upTo := make([]float64, len(c.count)+1)
	for i, n := range c.count {
		upTo[i+1] = upTo[i] + n
	}
	observed, expected := 0.0, 0.0
	for i := range c.values {
		for j := range i {
			d := 1.0
			switch c.scale {
			case Ordinal:
				d = upTo[i+1] - upTo[j] - float64((c.count[i]+c.count[j])/2)
			case IntervalScale:
				d = c.values[i] - c.values[j]
			case Ratio:
				d = (c.values[i] - c.values[j]) / (c.values[i] + c.values[j])
			}
			d = float64(d * d)
			observed += float64(c.pairs[i][j] * d)
			expected += float64(float64(c.count[i]*c.count[j]) * d)
		}
	}
	if expected == 0 {
		return math.NaN()
	}
	return 1 - float64((c.all-1)*observed)/expected
}
