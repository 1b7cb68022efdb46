package significance

import (
	"os"
	"testing"
)

func TestPairsSim(t *testing.T) {
	if os.Getenv("CANDIDATES") == "" {
		t.Skip()
	}
	type pp struct {
		name string
		mean float64
		draw func(r *Rand) (a, b float64)
	}
	pops := []pp{
		{"0/1 .8 vs .8+", .05, func(r *Rand) (float64, float64) { // discordant 15/10
			u := r.uniform()
			switch {
			case u < .15:
				return 0, 1
			case u < .25:
				return 1, 0
			}
			return 1, 1
		}},
		{"0/1 only better .05", .05, func(r *Rand) (float64, float64) {
			if r.uniform() < .05 {
				return 0, 1
			}
			return 1, 1
		}},
		{"0/1 null .02", 0, func(r *Rand) (float64, float64) {
			u := r.uniform()
			switch {
			case u < .02:
				return 0, 1
			case u < .04:
				return 1, 0
			}
			return 1, 1
		}},
		{"graded 80% tied, better", .2 * .35, func(r *Rand) (float64, float64) {
			if r.uniform() < .2 {
				return .2, .2 + .7*r.uniform()
			}
			return .5, .5
		}},
		{"one rank", .5*.37 - .5*.2, func(r *Rand) (float64, float64) {
			if r.uniform() < .5 {
				return .63, 1
			}
			return 1, .8
		}},
		{"continuous", .05, func(r *Rand) (float64, float64) {
			a := .8 * r.uniform()
			return a, a + .05 + .15*(r.uniform()-.5)
		}},
		{"independent", 0, func(r *Rand) (float64, float64) { return r.uniform(), r.uniform() }},
		{"skewed", .8 / 5, func(r *Rand) (float64, float64) {
			u := r.uniform()
			return .1, .1 + .8*u*u*u*u
		}},
	}
	pops = append(pops, pp{"one fails", -.02 * .97, func(r *Rand) (float64, float64) {
		a, b := .94+.06*r.uniform(), .94+.06*r.uniform()
		if r.uniform() < .02 {
			b = 0
		}
		return a, b
	}})
	for _, n := range []int{3, 5, 6, 7, 10, 20, 50, 200} {
		for _, p := range pops {
			reps := 600
			r := NewRand(uint64(n), 11)
			var hitI, nanI, apart int
			var hits [6]int
			var ws [6]float64
			var wI float64
			for range reps {
				a, b := make([]float64, n), make([]float64, n)
				for i := range a {
					a[i], b[i] = p.draw(r)
				}
				c, err := Compare(Table{a, b}, CompareOptions{Options: Options{Samples: 1000}, Brief: true})
				if err != nil {
					t.Fatal(err)
				}
				reject := c.Pairs[0].P < .05
				if reject {
					apart++
				}
				e, err := Invert(Table{a, b}, c.Test, []Level{{.05, reject}}, Options{Samples: 1000})
				lo, hi := e[0][0], e[0][1]
				if lo != lo {
					nanI++
				} else {
					wI += hi - lo
				}
				in := func(lo, hi float64) bool { return lo <= p.mean+1e-12 && p.mean-1e-12 <= hi }
				if in(lo, hi) {
					hitI++
				}
				d, _ := Differences(a, b)
				m := Mean(d)
				mn, mx := 0.0, 0.0
				for _, v := range d {
					mn, mx = min(mn, v), max(mx, v)
				}
				for v := range 6 {
					var bl, bh float64
					s := max(-mn, mx)
					g := mx - mn
					switch v {
					case 0:
						bl, bh = -s, s
					case 1:
						bl, bh = -1.5*s, 1.5*s
					case 2:
						bl, bh = -2*s, 2*s
					case 3:
						bl, bh = mn, mx
					case 4:
						bl, bh = mn-g/2, mx+g/2
					case 5:
						bl, bh = mn-g, mx+g
					}
					bl, bh = max(bl, -1), min(bh, 1)
					if n < 6 || s == 0 {
						bl, bh = -1, 1
					}
					gl, gh := gaffke(d, Bounds{bl, bh}, .95)
					if mx == mn { // bounds
						gl, gh = gaffke(d, Bounds{-1, 1}, .95)
					}
					ul, uh := gl, gh
					if lo == lo && s > 0 {
						ul, uh = min(ul, lo), max(uh, hi)
					}
					if reject && m > 0 {
						ul = max(ul, 1e-300)
					} else if reject {
						uh = min(uh, -1e-300)
					} else {
						ul, uh = min(ul, 0), max(uh, 0)
					}
					if in(ul, uh) {
						hits[v]++
					}
					ws[v] += uh - ul
				}
			}
			k := float64(reps)
			line := ""
			for v := range 6 {
				line += "| " + f3(float64(hits[v])/k) + " w " + f3(ws[v]/k)
			}
			t.Logf("n=%3d %-24s apart %.2f invert %.3f w %.3f %s", n, p.name, float64(apart)/k, float64(hitI)/k, wI/max(1, k-float64(nanI)), line)
		}
	}
}
