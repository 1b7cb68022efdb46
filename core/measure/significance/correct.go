package significance

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Correction turns the p-values of several tests into adjusted ones, to be compared with α as if each were alone.
type Correction struct {
	Name      string
	Title     string
	Controls  string // what stays below α
	Assumes   string
	Formula   string // p₍₁₎ ≤ … ≤ p₍ₘ₎ are the sorted p-values
	Reference string

	// Adjust returns the adjusted p-values in the order of p, each in [0, 1]. Values that are NaN are not tests: they
	// stay NaN and do not count in m.
	Adjust func(p []float64) []float64
}

// Corrections returns all corrections, in the order in which they are documented.
func Corrections() []Correction { return corrections }

// LookupCorrection returns the correction of a name ("holm", "fdr_bh"; statsmodels' and short names alike).
func LookupCorrection(name string) (Correction, error) {
	key := strings.ToLower(name)
	if full, ok := correctionAliases[key]; ok {
		key = full
	}
	for _, c := range corrections {
		if c.Name == key {
			return c, nil
		}
	}
	names := make([]string, len(corrections))
	for i, c := range corrections {
		names[i] = c.Name
	}
	return Correction{}, say.Faultf("significance", "look up correction %q: not one of %s", name,
		strings.Join(names, ", "))
}

var correctionAliases = map[string]string{
	"hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by", "benjamini-hochberg": "fdr_bh",
	"benjamini-yekutieli": "fdr_by",
	"holm-šidák":          "holm-sidak", "šidák": "sidak",
}

// corrections are those of the program: the first one of the page has no other than Holm's, which is what its report is
// corrected by.
var corrections = []Correction{
	{"holm", "Holm", "the chance of any false discovery", "nothing", "max over j ≤ i of (m-j+1)·p₍ⱼ₎",
		"Holm 1979, Scandinavian Journal of Statistics 6", Holm},
}

// adjust sorts p, computes a value for every rank i (from 1) of m, makes them monotone from the smallest p up or the
// largest down, and puts them back in place.
func adjust(p []float64, up bool, f func(p float64, i, m int) float64) []float64 {
	out := make([]float64, len(p))
	order := ascending(p)
	m := 0
	for i, v := range p {
		out[i] = math.NaN()
		if v == v {
			m++ // NaN are last in order
		}
	}
	best := 0.0
	for r := range m {
		i := r
		if !up {
			i = m - 1 - r
		}
		k := order[i]
		v := f(p[k], i+1, m)
		switch {
		case r == 0:
			best = v
		case up:
			best = max(best, v)
		default:
			best = min(best, v)
		}
		out[k] = unit(best)
	}
	return out
}

// Bonferroni multiplies every p by their number.
func Bonferroni(p []float64) []float64 {
	return adjust(p, true, func(p float64, i, m int) float64 { return float64(float64(m) * p) })
}

// Sidak returns 1 - (1-p)ᵐ.
func Sidak(p []float64) []float64 {
	return adjust(p, true, func(p float64, i, m int) float64 { return sidak(p, m) })
}

func sidak(p float64, m int) float64 {
	return -float.Expm1(float64(float64(m) * float.Log1p(-min(p, 1))))
}

// Holm multiplies the smallest p by m, the next by m - 1 and so on, and lets none be smaller than the one before.
func Holm(p []float64) []float64 {
	return adjust(p, true, func(p float64, i, m int) float64 { return float64(float64(m-i+1) * p) })
}

// HolmSidak is Holm with Šidák's exponents.
func HolmSidak(p []float64) []float64 {
	return adjust(p, true, func(p float64, i, m int) float64 { return sidak(p, m-i+1) })
}

// Hochberg has Holm's factors, but lets none be larger than the one behind.
func Hochberg(p []float64) []float64 {
	return adjust(p, false, func(p float64, i, m int) float64 { return float64(float64(m-i+1) * p) })
}

// BenjaminiHochberg controls the expected share of false discoveries.
func BenjaminiHochberg(p []float64) []float64 {
	return adjust(p, false, func(p float64, i, m int) float64 { return float64(float64(m)*p) / float64(i) })
}

// BenjaminiYekutieli is BenjaminiHochberg under any dependence.
func BenjaminiYekutieli(p []float64) []float64 {
	h, of := 0.0, 0
	return adjust(p, false, func(p float64, i, m int) float64 {
		for of < m {
			of++
			h += 1 / float64(of)
		}
		return float64(float64(float64(m)*h)*p) / float64(i)
	})
}

// Hommel is the closed test of Simes' inequality. Cost: m² steps.
func Hommel(p []float64) []float64 {
	order := ascending(p)
	var s []float64
	for _, k := range order {
		if p[k] == p[k] {
			s = append(s, p[k])
		}
	}
	// Wright's algorithm: a[i] grows to the largest adjusted value that any subset of size j containing i demands
	m := len(s)
	a := append([]float64(nil), s...)
	for j := 2; j <= m; j++ {
		// the smallest of j·p/(rank) over the j-1 largest
		c := math.Inf(1)
		for r := 2; r <= j; r++ {
			c = min(c, float64(float64(j)*s[m-j+r-1])/float64(r))
		}
		for i := m - j + 1; i < m; i++ {
			a[i] = max(a[i], c)
		}
		for i := 0; i <= m-j; i++ {
			a[i] = max(a[i], min(c, float64(float64(j)*s[i])))
		}
	}
	out := make([]float64, len(p))
	for i, k := range order {
		out[k] = math.NaN()
		if i < m {
			out[k] = unit(a[i])
		}
	}
	return out
}
