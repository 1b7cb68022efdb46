package significance

import (
	"encoding/binary"
	"math"
	"testing"
)

// values reads 8 bytes a number; short bytes give small numbers with ties and zeros.
func values(b []byte) []float64 {
	var x []float64
	if len(b) > 0 && b[0]&1 == 0 {
		for _, c := range b[1:] {
			x = append(x, float64(int8(c))/16)
		}
		return x
	}
	for ; len(b) >= 8; b = b[8:] {
		x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return x
}

func fine(t *testing.T, what string, p float64) {
	if p < 0 || p > 1 {
		t.Errorf("%s: p = %v", what, p)
	}
}

// Nothing panics on any numbers, and what is a probability is one or NaN.
func FuzzTests(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0, 254, 3}, []byte{0, 3, 3, 1, 1, 9}, 0.5)
	f.Add([]byte{}, []byte{}, math.NaN())
	f.Add([]byte{1, 0, 0, 0, 0, 0, 240, 127, 1, 0, 0, 0, 0, 0, 240, 255},
		[]byte{1, 0, 0, 0, 0, 0, 248, 127, 255, 255, 255, 255, 255, 255, 239, 127}, math.Inf(1))
	f.Fuzz(func(t *testing.T, ab, bb []byte, x float64) {
		if len(ab) > 120 || len(bb) > 120 {
			return
		}
		a, b := values(ab), values(bb)
		n := min(len(a), len(b))
		if n > 16 && n <= MostExact { // the same code as for 16, which takes a thousand times as long
			n = 16
		}
		a, b = a[:n], b[:n]
		d, err := Differences(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, alt := range []Alternative{TwoSided, Less, Greater, Alternative(9)} {
			for _, z := range []ZeroMethod{Drop, Pratt, Split, ZeroMethod(9)} {
				for _, m := range []Method{Auto, Exact, Normal} {
					o := Options{Alternative: alt, Zeros: z, Method: m, Correction: m == Normal, Samples: 50, Level: x}
					for _, test := range All() {
						if test.Name != "wilcoxon" && (z != Drop || m != Auto) {
							continue
						}
						r, err := test.Run(d, o)
						if err != nil {
							t.Fatal(err)
						}
						fine(t, test.Name, r.P)
					}
				}
			}
		}
		for _, b := range []Bounds{Unit, Unknown, {0, math.Inf(1)}, {-1, 1}} {
			low, high := b.Interval(d, x)
			if m := Mean(d); low > m || high < m || low < b.Low && m >= b.Low || low == high {
				t.Fatalf("%v within %v: %v to %v", d, b, low, high)
			}
			fine(t, "equivalence", b.Equivalence(d, 0.1, 0.05).P)
		}
		fine(t, "TOST", TOST(d, -x, x, x).P)
		CohenDzInterval(d, x)
		HedgesG(d)
		cliffDelta(a, b)
		PairedDelta(d)
		Choose(d)
		Choose(a, b, d)
		for _, c := range Corrections() {
			for _, p := range c.Adjust(a) {
				fine(t, c.Name, p)
			}
		}
		table := Table{a, b, d}
		c, err := Compare(table, CompareOptions{Options: Options{Samples: 20, Level: x}, Alpha: x})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Pairs {
			fine(t, "adjusted", p.Adjusted)
		}
		for _, s := range []Scale{Nominal, Ordinal, IntervalScale, Ratio} {
			if _, err := KrippendorffAlpha(table, s); err != nil {
				t.Fatal(err)
			}
		}
		k, err := KendallTau(a, b)
		if err != nil || k.B < -1 || k.B > 1 {
			t.Errorf("Kendall %+v %v", k, err)
		}
		fine(t, "Kendall", k.P)
		for _, g := range []func(x, y []float64) (Association, error){Pearson, Spearman} {
			r, err := g(a, b)
			if err != nil || r.Coefficient < -1 || r.Coefficient > 1 {
				t.Errorf("%+v %v", r, err)
			}
			fine(t, "association", r.P)
		}
		if w, err := WeightedTau(a, b); err != nil || w < -1 || w > 1 {
			t.Errorf("weighted tau %v %v", w, err)
		}
		if w, err := TauAP(a, b); err != nil || w < -1-1e-12 || w > 1+1e-12 {
			t.Errorf("tau AP %v %v", w, err)
		}
		if o, err := RBO(ab, bb, x); err == nil && (o.Ext < -1e-12 || o.Ext > 1+1e-12 || o.Min > o.Ext+1e-12) {
			t.Errorf("RBO %+v", o)
		}
		Groups(a, func(i, j int) bool { return b[i] == b[j] })
	})
}

// No arguments make a distribution panic, run long or leave [0, 1].
func FuzzDistributions(f *testing.F) {
	f.Add(0.5, 2.0, 3.0, 5)
	f.Add(math.NaN(), math.Inf(1), math.Inf(-1), -1)
	f.Add(1e300, 1e-300, 5e-324, 1<<40)
	f.Add(-30.0, 0.1, 1e8, 20)
	f.Fuzz(func(t *testing.T, x, y, z float64, k int) {
		fine(t, "NormalCDF", NormalCDF(x))
		fine(t, "StudentSF", StudentSF(x, y))
		fine(t, "BetaInc", betaInc(y, z, x))
		fine(t, "ChiSquareSF", ChiSquareSF(x, y))
		fine(t, "FSF", FSF(x, y, z))
		fine(t, "BinomialCDF", BinomialCDF(k, k/2, x))
		fine(t, "noncentralT", noncentralT(x, y, z))
		fine(t, "Power", Power(x, y, z, TwoSided))
		NormalQuantile(x)
		StudentQuantile(x, y)
		HedgesJ(x)
		DetectableEffect(x, y, z, Greater)
		QueriesNeeded(x, y, z, TwoSided)
	})
}
