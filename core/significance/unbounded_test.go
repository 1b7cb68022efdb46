package significance

import (
	"math"
	"os"
	"slices"
	"testing"
)

func TestUnbounded(t *testing.T) {
	if os.Getenv("CANDIDATES") == "" {
		t.Skip()
	}
	pops := []population{
		{"lognormal 1.118", math.Exp(1.25 / 2), func(r *Rand) float64 { return math.Exp(1.118033988749895 * r.normal()) }},
		{"lognormal .5", math.Exp(.125), func(r *Rand) float64 { return math.Exp(.5 * r.normal()) }},
		{"exponential", 1, func(r *Rand) float64 { return r.exponential() }},
		{"normal 5,1", 5, func(r *Rand) float64 { return 5 + r.normal() }},
		{"poisson2", 2, func(r *Rand) float64 {
			k, p := 0.0, r.uniform()
			for p > math.Exp(-2) {
				p *= r.uniform()
				k++
			}
			return k
		}},
		{"zero-inflated", .1 * 1, func(r *Rand) float64 {
			if r.uniform() < .9 {
				return 0
			}
			return r.exponential()
		}},
		{"0 or 3", 1.5, func(r *Rand) float64 {
			if r.uniform() < .5 {
				return 0
			}
			return 3
		}},
	}
	up := func(x []float64, b, tail float64) float64 {
		return b * dirichletQuantile(x, 0, b, tail)
	}
	down := func(x []float64) float64 {
		b := slices.Max(x)
		return b * (1 - dirichletQuantile(x, b, 0, .025))
	}
	far := func(k float64, tl bool) func(x []float64) (float64, float64) {
		return func(x []float64) (float64, float64) {
			hi := slices.Max(x) + k*(slices.Max(x)-slices.Min(x))
			if len(x) < 2 || slices.Max(x) == 0 {
				return math.NaN(), math.NaN()
			}
			u := up(x, hi, .025)
			lo, th := tInterval(x)
			if tl {
				return lo, max(th, u)
			}
			return max(lo, down(x)), max(th, u)
		}
	}
	cs := []candidate{{"t", tInterval}, {"far0", far(0, true)}, {"far1", far(1, true)}, {"far2", far(2, true)}, {"far1low", far(1, false)},
		{"gl t", func(x []float64) (float64, float64) {
			lo, hi := tInterval(x)
			if slices.Max(x) == 0 {
				return math.NaN(), math.NaN()
			}
			return max(lo, down(x)), hi
		}},
		{"log t", func(x []float64) (float64, float64) {
			m := Mean(x)
			if !(m > 0) || len(x) < 2 {
				return math.NaN(), math.NaN()
			}
			h := StudentQuantile(.975, float64(len(x)-1)) * SD(x) / math.Sqrt(float64(len(x))) / m
			return m * math.Exp(-h), m * math.Exp(h)
		}},
		{"johnson", func(x []float64) (float64, float64) {
			n := float64(len(x))
			if n < 3 {
				return tInterval(x)
			}
			m, s := Mean(x), SD(x)
			_, _, m3 := moments(x)
			if s == 0 {
				return m, m
			}
			sh := m3 / n / (6 * s * s * n)
			h := StudentQuantile(.975, n-1) * s / math.Sqrt(n)
			_ = sh
			a := m3 / n / (s * s * s)
			// Hall's transformation inverse
			g := func(t float64) float64 { // cube-root
				return (math.Cbrt(1+a*(t/math.Sqrt(n)-a/(6*n))) - 1) / (a / 3) * math.Sqrt(n)
			}
			if math.Abs(a) < 1e-9 {
				return m - h, m + h
			}
			q := StudentQuantile(.975, n-1)
			return m - s/math.Sqrt(n)*g(q), m - s/math.Sqrt(n)*g(-q)
		}},
	}
	for _, n := range []int{2, 3, 5, 10, 20, 50, 200} {
		for _, c := range cs {
			line := ""
			for _, p := range pops {
				r := NewRand(uint64(n), 9)
				x := make([]float64, n)
				hit, below := 0, 0
				w := 0.0
				for range 1500 {
					for i := range x {
						x[i] = p.draw(r)
					}
					lo, hi := c.of(x)
					if lo <= p.mean+1e-12 && p.mean-1e-12 <= hi {
						hit++
					}
					if hi < p.mean {
						below++
					}
					if lo == lo {
						w += hi - lo
					}
				}
				line += " " + p.name + "=" + f3(float64(hit)/1500) + "/" + f3(float64(below)/1500) + "/" + f3(w/1500)
			}
			t.Logf("n=%3d %-8s |%s", n, c.name, line)
		}
	}
}
