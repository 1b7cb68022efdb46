package significance

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/float"
)

type population struct {
	name string
	mean float64
	draw func(r *Rand) float64
}

func bern(p float64) func(*Rand) float64 {
	return func(r *Rand) float64 {
		if r.uniform() < p {
			return 1
		}
		return 0
	}
}

func sumOf(f func(k int) float64) float64 {
	s := 0.0
	for k := range 2000 {
		s += f(k)
	}
	return s
}

var populations = []population{
	{"0/1 .5", .5, bern(.5)}, {"0/1 .8", .8, bern(.8)}, {"0/1 .95", .95, bern(.95)}, {"0/1 .99", .99, bern(.99)},
	{"0/1 .05", .05, bern(.05)},
	{"mostly 0", .1 * .6, func(r *Rand) float64 {
		if r.uniform() < .9 {
			return 0
		}
		return .2 + .8*r.uniform()
	}},
	{"mostly 1", .8 + .2*.5, func(r *Rand) float64 {
		if r.uniform() < .8 {
			return 1
		}
		return r.uniform()
	}},
	{"skewed", .2, func(r *Rand) float64 { u := r.uniform(); return u * u * u * u }},
	{"uniform", .5, func(r *Rand) float64 { return r.uniform() }},
	{"narrow", .5, func(r *Rand) float64 { return .4 + .1*(r.uniform()+r.uniform()) }},
	{"graded", sumOf(func(k int) float64 {
		if k >= 10 {
			return 0
		}
		return .4 * math.Pow(.6, float64(k)) / math.Log2(float64(k+2))
	}), func(r *Rand) float64 {
		k := int(math.Log(r.uniform()) / math.Log(.6))
		if k >= 10 {
			return 0
		}
		return 1 / math.Log2(float64(k+2))
	}},
	{"high, one fails", .98*.97 + 0, func(r *Rand) float64 {
		if r.uniform() < .02 {
			return 0
		}
		return .94 + .06*r.uniform()
	}},
}

type candidate struct {
	name string
	of   func(x []float64) (lo, hi float64)
}

func tInterval(x []float64) (float64, float64) {
	if len(x) < 2 {
		return math.NaN(), math.NaN()
	}
	h := StudentQuantile(.975, float64(len(x)-1)) * SD(x) / math.Sqrt(float64(len(x)))
	m := Mean(x)
	return m - h, m + h
}

var candidates = []candidate{
	{"Dirichlet", func(x []float64) (float64, float64) { return gaffke(x, Unit, .95) }},
	{"t", tInterval},
	{"BCa", func(x []float64) (float64, float64) {
		n := len(x)
		if n < 2 {
			return math.NaN(), math.NaN()
		}
		z := StudentQuantile(.975, float64(n-1)) * math.Sqrt(float64(n)/float64(n-1))
		b, _ := bootstrapOne(x, Options{Seed: 1, Samples: 1000, Level: 1 - 2*NormalSF(z)})
		if b.Low == b.Low {
			return b.Low, b.High
		}
		if b.PercentileLow == b.PercentileLow {
			return b.PercentileLow, b.PercentileHigh
		}
		return Mean(x), Mean(x)
	}},
	{"logit t", func(x []float64) (float64, float64) { // of the mean, by the delta method
		m := Mean(x)
		if !(m > 0 && m < 1) || len(x) < 2 {
			return math.NaN(), math.NaN()
		}
		h := StudentQuantile(.975, float64(len(x)-1)) * SD(x) / math.Sqrt(float64(len(x))) / (m * (1 - m))
		l := math.Log(m / (1 - m))
		return 1 / (1 + math.Exp(h-l)), 1 / (1 + math.Exp(-h-l))
	}},
	{"t+2", func(x []float64) (float64, float64) { // with a pseudo-observation at each bound
		return tInterval(append(slices.Clone(x), 0, 1))
	}},
	{"t+2/2", func(x []float64) (float64, float64) { // half a pseudo-observation at each bound
		n := float64(len(x)) + 1
		m := (sum(x) + .5) / n
		v := .5*m*m + .5*(1-m)*(1-m)
		for _, u := range x {
			v += (u - m) * (u - m)
		}
		h := StudentQuantile(.975, n-1) * math.Sqrt(v/(n-1)/n)
		if len(x) < 1 {
			return 0, 1
		}
		return m - h, m + h
	}},
	{"Wilson-like", func(x []float64) (float64, float64) { // score interval, the mean as a share
		n := float64(len(x))
		m := Mean(x)
		z := 1.959963984540054
		mid, half := m+z*z/(2*n), z*math.Sqrt(m*(1-m)/n+z*z/(4*n*n))
		return (mid - half) / (1 + z*z/n), (mid + half) / (1 + z*z/n)
	}},
	{"Hoeffding", func(x []float64) (float64, float64) {
		h := math.Sqrt(math.Log(40) / 2 / float64(len(x)))
		return Mean(x) - h, Mean(x) + h
	}},
	{"Maurer-Pontil", func(x []float64) (float64, float64) {
		n := float64(len(x))
		if n < 2 {
			return 0, 1
		}
		l := math.Log(2 / .025)
		h := SD(x)*math.Sqrt(2*l/n) + 7*l/(3*(n-1))
		return Mean(x) - h, Mean(x) + h
	}},
	{"Anderson", func(x []float64) (float64, float64) {
		e := math.Sqrt(math.Log(40) / 2 / float64(len(x)))
		up := func(x []float64) float64 { // the e lowest share moves to 1
			s := sorted(x)
			n, left, m := float64(len(s)), e, 0.0
			for _, v := range s {
				take := min(left, 1/n)
				left -= take
				m += v*(1/n-take) + take
			}
			return min(m, 1)
		}
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 1 - x[i]
		}
		return 1 - up(y), up(x)
	}},
	{"betting", func(x []float64) (float64, float64) { // hedged capital, Waudby-Smith and Ramdas 2024, on a grid
		n := float64(len(x))
		lo, hi := 1.0, 0.0
		mu, va, lam := .5, .25, []float64{}
		sx, sv := .5, .25
		for i, v := range x {
			lam = append(lam, math.Sqrt(2*math.Log(40)/(va*n)))
			sx += v
			mu = sx / float64(i+2)
			sv += (v - mu) * (v - mu)
			va = sv / float64(i+2)
		}
		for g := 0; g <= 500; g++ {
			m := float64(g) / 500
			up, down, keep := 1.0, 1.0, true
			for i, v := range x {
				up *= 1 + min(lam[i], .5/max(m, 1e-9))*(v-m)
				down *= 1 - min(lam[i], .5/max(1-m, 1e-9))*(v-m)
				if max(up, down)/2 >= 20 {
					keep = false
					break
				}
			}
			if keep {
				lo, hi = min(lo, m), max(hi, m)
			}
		}
		return lo, hi
	}},
}

func TestCandidates(t *testing.T) {
	if os.Getenv("CANDIDATES") == "" {
		t.Skip()
	}
	_ = float.Exp
	const reps = 2000
	for _, n := range []int{1, 2, 3, 5, 10, 20, 50, 200} {
		for _, c := range candidates {
			worst, at, width := 2.0, "", 0.0
			line := ""
			for _, p := range populations {
				r := NewRand(uint64(n), 9)
				x := make([]float64, n)
				hit := 0
				w := 0.0
				k := reps
				if c.name == "BCa" || c.name == "betting" {
					k = 500
				}
				for range k {
					for i := range x {
						x[i] = p.draw(r)
					}
					lo, hi := c.of(x)
					if lo <= p.mean+1e-12 && p.mean-1e-12 <= hi {
						hit++
					}
					if lo == lo {
						w += min(hi, 1) - max(lo, 0)
					}
				}
				cover := float64(hit) / float64(k)
				line += " " + p.name + "=" + f3(cover) + "/" + f3(w/float64(k))
				if cover < worst {
					worst, at = cover, p.name
				}
				width += w / float64(k) / float64(len(populations))
			}
			t.Logf("n=%3d %-14s worst %.3f at %-15s width %.3f |%s", n, c.name, worst, at, width, line)
		}
	}
}

func f3(x float64) string { return string(appendF(nil, x)) }
func appendF(b []byte, x float64) []byte {
	v := int(math.Round(x * 1000))
	return append(b, byte('0'+v/1000), '.', byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10))
}
