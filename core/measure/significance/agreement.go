package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// Weighting says how much a disagreement of two grades weighs.
type Weighting int

const (
	Unweighted Weighting = iota // 1, however far apart
	Linear                      // the difference of the grades
	Quadratic                   // its square
)

// CohenKappa returns the agreement of two raters beyond chance, 1 - Σw·observed/Σw·expected: 1 for perfect agreement, 0
// for chance. Grades are any integers; their differences are the weights. NaN where chance alone agrees always (one
// grade only) or there are no ratings.
//
// Source: Cohen 1960, 1968; sklearn.metrics.cohen_kappa_score.
func CohenKappa(a, b []int, weighting Weighting) (float64, error) {
	if len(a) != len(b) {
		return math.NaN(), say.Faultf("significance", "Cohen's kappa: %d ratings of a and %d of b", len(a), len(b))
	}
	weight := func(i, j int) float64 {
		d := float64(i) - float64(j)
		switch {
		case d == 0:
			return 0
		case weighting == Linear:
			return math.Abs(d)
		case weighting == Quadratic:
			return float64(d * d)
		}
		return 1
	}
	n := float64(len(a))
	var observed, expected float64
	ga, na := grades(a)
	gb, nb := grades(b)
	for i := range a {
		observed += weight(a[i], b[i])
	}
	for i, g := range ga {
		for j, h := range gb {
			expected += float64(float64(na[i]*nb[j]) * weight(g, h))
		}
	}
	if expected == 0 {
		return math.NaN(), nil
	}
	return 1 - float64(observed*n)/expected, nil
}

// grades returns the distinct values of a in the order in which they come and how often each does.
func grades(a []int) (value []int, count []float64) {
	at := map[int]int{}
	for _, g := range a {
		i, ok := at[g]
		if !ok {
			i = len(value)
			at[g] = i
			value = append(value, g)
			count = append(count, 0)
		}
		count[i]++
	}
	return value, count
}

// FleissKappa returns the agreement beyond chance of several raters: table[subject][category] is the number of raters
// who chose the category; every subject has the same number of raters, at least 2. Chance is the share of each
// category. NaN where only one category is used. (Fleiss 1971; statsmodels fleiss_kappa.)
func FleissKappa(table [][]int) (float64, error) { return multiKappa(table, "Fleiss's kappa", true) }

// RandolphKappa is FleissKappa with chance the same for every category, 1/k for k categories. (Randolph 2005;
// statsmodels fleiss_kappa with method="randolph".)
func RandolphKappa(table [][]int) (float64, error) {
	return multiKappa(table, "Randolph's kappa", false)
}

func multiKappa(table [][]int, name string, fleiss bool) (float64, error) {
	if len(table) == 0 {
		return math.NaN(), nil
	}
	categories, raters := len(table[0]), 0
	for _, c := range table[0] {
		raters += c
	}
	share := make([]float64, categories)
	agree := 0.0
	for i, row := range table {
		if len(row) != categories {
			return math.NaN(), say.Faultf("significance", "%s: subject %d has %d categories, subject 0 has %d", name, i,
				len(row), categories)
		}
		n := 0
		for c, k := range row {
			if k < 0 {
				return math.NaN(), say.Faultf("significance", "%s: subject %d has %d ratings in category %d", name, i,
					k, c)
			}
			n += k
			share[c] += float64(k)
			agree += float64(float64(k) * float64(k-1))
		}
		if n != raters {
			return math.NaN(), say.Faultf("significance", "%s: subject %d has %d ratings, subject 0 has %d", name, i, n,
				raters)
		}
	}
	if raters < 2 {
		return math.NaN(), nil
	}
	r, n := float64(raters), float64(len(table))
	agree /= float64(n * float64(r*(r-1)))
	chance := 1 / float64(categories)
	if fleiss {
		chance = 0
		for _, s := range share {
			s /= float64(n * r)
			chance += float64(s * s)
		}
	}
	return (agree - chance) / (1 - chance), nil // 0/0 where only one category is used
}

// Scale says what the differences of ratings mean to Krippendorff's α.
type Scale int

const (
	Nominal       Scale = iota // equal or not
	Ordinal                    // how many ratings lie between
	IntervalScale              // the difference
	Ratio                      // the difference over the sum, for values ≥ 0
)

// pairedRatings returns the ratings of each unit that has at least two, and all of them in the same order.
func pairedRatings(ratings [][]float64) (units [][]float64, all []float64) {
	for u := range ratings[0] {
		var v []float64
		for _, r := range ratings {
			if r[u] == r[u] {
				v = append(v, r[u])
			}
		}
		if len(v) > 1 {
			units = append(units, v)
			all = append(all, v...)
		}
	}
	return units, all
}

// KrippendorffAlpha returns the agreement of any number of raters, with missing ratings: ratings[rater][unit], NaN
// where there is none. α = 1 - observed/expected disagreement; 1 for perfect agreement, 0 for chance. Units with fewer
// than two ratings do not count. NaN where nothing varies or nothing can be paired.
//
// Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; package krippendorff.
// It is one formula.
func KrippendorffAlpha(ratings [][]float64, scale Scale) (float64, error) {
	if len(ratings) == 0 {
		return math.NaN(), nil
	}
	units := len(ratings[0])
	for i, r := range ratings {
		if len(r) != units {
			return math.NaN(), say.Faultf("significance", "Krippendorff's alpha: rater %d has %d units, rater 0 has %d",
				i, len(r), units)
		}
	}
	// the values of each unit that has at least two
	pairable, all := pairedRatings(ratings)
	if len(all) == 0 || !finite(all) {
		return math.NaN(), nil
	}
	// distinct values in ascending order and how often each comes
	var value, count []float64
	index := map[float64]int{}
	for _, k := range ascending(all) {
		if v := all[k]; len(value) == 0 || value[len(value)-1] != v {
			index[v] = len(value)
			value = append(value, v)
			count = append(count, 1)
		} else {
			count[len(count)-1]++
		}
	}
	upTo := make([]float64, len(count)+1)
	for i, c := range count {
		upTo[i+1] = upTo[i] + c
	}
	distance := func(i, j int) float64 {
		if i == j {
			return 0
		}
		var d float64
		switch scale {
		case Ordinal:
			i, j := min(i, j), max(i, j)
			d = upTo[j+1] - upTo[i] - float64((count[i]+count[j])/2)
		case IntervalScale:
			d = value[i] - value[j]
		case Ratio:
			d = (value[i] - value[j]) / (value[i] + value[j])
		default:
			d = 1
		}
		return float64(d * d)
	}
	var observed, expected float64
	for _, v := range pairable {
		s := 0.0
		for i := range v {
			for j := range i {
				s += distance(index[v[i]], index[v[j]])
			}
		}
		observed += s / float64(len(v)-1)
	}
	for i := range value {
		for j := range i {
			expected += float64(float64(count[i]*count[j]) * distance(i, j))
		}
	}
	if expected == 0 {
		return math.NaN(), nil
	}
	return 1 - float64(float64(len(all)-1)*observed)/expected, nil
}
