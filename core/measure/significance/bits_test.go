package significance

import (
	"math"
	"testing"
)

// simulated returns a table of scores in [0, 1] of systems that differ a little, multiples of 1/1024 with many equal
// ones.
func simulated(systems, queries int, seed uint64) Table {
	rnd := NewRand(seed, 99)
	t := make(Table, systems)
	for i := range t {
		t[i] = make([]float64, queries)
	}
	for q := range queries {
		hard := rnd.Intn(1024)
		for i := range t {
			v := hard + rnd.Intn(400) - 200 + 6*i
			if rnd.Intn(3) == 0 {
				v = hard
			}
			t[i][q] = float64(max(0, min(1024, v))) / 1024
		}
	}
	return t
}

// hash is FNV-1a over the bits of figures.
type hash uint64

func (h *hash) add(x ...float64) {
	for _, v := range x {
		b := math.Float64bits(v)
		if v != v {
			b = 1
		}
		*h = hash((uint64(*h) ^ b) * 1099511628211)
	}
}

func (h *hash) results(rs ...Result) {
	for _, r := range rs {
		h.add(float64(r.N), r.Statistic, r.P, r.DF, r.Z, r.Error, float64(r.Draws), r.Low, r.High)
	}
}

func comparisonHash(c *MultipleComparison) uint64 {
	h := hash(14695981039346656037)
	for _, s := range c.Systems {
		h.add(s.Mean, s.SD)
		for _, b := range []byte(s.Group) {
			h.add(float64(b))
		}
	}
	for _, p := range c.Pairs {
		h.add(p.Difference, p.P, p.Adjusted, p.Dz, p.DzLow, p.DzHigh, p.Cliff, p.Superiority, p.Detectable)
		h.results(p.Tests...)
	}
	return uint64(h)
}

// The same bits on every platform: run it also with GOOS=js GOARCH=wasm. A change of any of these figures changes every
// report:
// it needs a line in the changelog.
func TestBits(t *testing.T) {
	for _, x := range []struct {
		systems, queries int
		want             uint64
	}{
		{6, 97, 0xc1558048bdb2f7f},
		{3, 25, 0x8eb46c938e8ae14c},
		{2, 300, 0x6699da61b22b667e},
		{3, 4, 0xbc58febb8cd073c3},
	} {
		table := simulated(x.systems, x.queries, 1)
		c := must(Compare(table, CompareOptions{Options: Options{Seed: 42, Samples: 3000}}))
		h := hash(comparisonHash(c))
		for _, row := range table {
			for _, b := range []Bounds{Unit, {-1, 2}, Unknown} {
				h.add(b.Interval(row, 0.95))
			}
		}
		if got := uint64(h); got != x.want {
			t.Errorf("%d systems, %d queries: hash %#x, want %#x", x.systems, x.queries, got, x.want)
		}
	}
	h := hash(14695981039346656037)
	for i := range 400 {
		x := float64(i)/20 - 10
		h.add(NormalCDF(x), StudentSF(x, 7.5), noncentralT(x, 12, 1.5),
			ChiSquareSF(x+10, 4), FSF(x+10, 3, 17))
		h.add(NormalQuantile(float64(i)/401), StudentQuantile(float64(i)/401, 3.3), betaInc(0.5+float64(i)/10, 20, 0.3))
	}
	h.add(QueriesNeeded(0.23, 0.05, 0.8, TwoSided), DetectableEffect(77, 0.01, 0.9, Greater))
	if want := hash(0xd35a63d19f04d459); h != want {
		t.Errorf("distributions: hash %#x, want %#x", uint64(h), uint64(want))
	}
}

func BenchmarkCompare(b *testing.B) {
	for _, x := range []struct {
		name             string
		systems, queries int
	}{{"systems=2/queries=50", 2, 50}, {"systems=5/queries=300", 5, 300}, {"systems=20/queries=300", 20, 300}} {
		t := simulated(x.systems, x.queries, 1)
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				must(Compare(t, CompareOptions{}))
			}
		})
	}
	t := simulated(20, 300, 1)
	parts := Options{}
	b.Run("part=intervals/systems=20/queries=300", func(b *testing.B) {
		for b.Loop() {
			for _, row := range t {
				Unit.Interval(row, 0.95)
			}
		}
	})
	b.Run("part=flips/systems=20/queries=300", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := drawFlips(t, parts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("part=wilcoxon/queries=300", func(b *testing.B) {
		d := must(Differences(t[0], t[1]))
		for b.Loop() {
			must(Wilcoxon(d, parts))
		}
	})
}
