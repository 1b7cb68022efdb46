package significance

import (
	"encoding/json"
	"math"
	"math/rand"
	"os"
	"slices"
	"testing"
)

// Wilcoxon's test, the sign test and Cliff's δ on P@k against integers and fractions
// (scripts/oracle/significance/wilcoxon.py): the first case is that of .0859, .0273 by the quotients as they are.
func TestRanksOfFractions(t *testing.T) {
	b, err := os.ReadFile("testdata/wilcoxon.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		K                     int
		A, B                  []int
		Wilcox, Pratt, Zsplit [4]float64 // p less, greater, two-sided; min(W+, W-)
		Better, Worse         int
		Sign, Cliff           float64
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 60 || cases[0].Wilcox[2] != 0.0859375 {
		t.Fatalf("%d cases, the first with p %v", len(cases), cases[0].Wilcox[2])
	}
	for i, c := range cases {
		a, b := make([]float64, len(c.A)), make([]float64, len(c.A))
		for q := range a {
			a[q], b[q] = float64(c.A[q])/float64(c.K), float64(c.B[q])/float64(c.K)
		}
		d, err := Differences(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for zeros, want := range map[ZeroMethod][4]float64{Drop: c.Wilcox, Pratt: c.Pratt, Split: c.Zsplit} {
			for j, alternative := range []Alternative{Less, Greater, TwoSided} {
				r, err := Wilcoxon(d, Options{Alternative: alternative, Zeros: zeros, Method: Exact})
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(r.P-want[j]) > 1e-13 || alternative == TwoSided && r.Statistic != want[3] {
					t.Errorf("case %d, %v, %v: p %v of %v, oracle %v of %v", i, zeros, alternative, r.P, r.Statistic,
						want[j], want[3])
				}
			}
		}
		if better, worse, _ := Counts(d); better != c.Better || worse != c.Worse {
			t.Errorf("case %d: %d better, %d worse, oracle %d, %d", i, better, worse, c.Better, c.Worse)
		}
		if r, _ := Sign(d, Options{}); math.Abs(r.P-c.Sign) > 1e-13 {
			t.Errorf("case %d: sign test %v, oracle %v", i, r.P, c.Sign)
		}
		if got := cliffDelta(a, b); math.Abs(got-c.Cliff) > 1e-15 {
			t.Errorf("case %d: Cliff's δ %v, oracle %v", i, got, c.Cliff)
		}
	}
}

// No scale of a measure, and no way of adding its values up, changes a rank: p, counts and effect sizes of ranks have
// the same bits, what is computed from the values themselves the same figures.
func TestScaleChangesNoP(t *testing.T) {
	rnd := rand.New(rand.NewSource(5))
	for _, k := range []int{3, 5, 7, 10} {
		for _, n := range []int{5, 13, 14, 40, 200} {
			a, b := make([]float64, n), make([]float64, n)
			for i := range a {
				a[i], b[i] = float64(rnd.Intn(k+1)), float64(rnd.Intn(k+1))
			}
			c := func(scale, noise float64) PairComparison {
				t.Helper()
				var rows Table
				for _, row := range [][]float64{a, b} {
					row = slices.Clone(row)
					for i := range row {
						row[i] = row[i] * scale * (1 + noise*(rnd.Float64()-0.5))
					}
					rows = append(rows, row)
				}
				c, err := Compare(rows, CompareOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return c.Pairs[0]
			}
			want := c(1, 0)
			for _, s := range []struct {
				scale, noise float64
			}{{1 / float64(k), 0}, {3, 0}, {0.1, 0}, {1e-9, 0}, {1e9, 0}, {1.0 / 3, 1e-15}, {7, 1e-14}} {
				got := c(s.scale, s.noise)
				for i, r := range got.Tests {
					w := want.Tests[i]
					switch r.Test {
					case "wilcoxon", "sign":
						if r.P != w.P || r.Statistic != w.Statistic || r.Method != w.Method {
							t.Errorf("P@%d, n = %d, times %v, noise %v: %s p %v (%v, %s), want %v (%v, %s)", k, n,
								s.scale, s.noise, r.Test, r.P, r.Statistic, r.Method, w.P, w.Statistic, w.Method)
						}
					default:
						if math.Abs(r.P-w.P) > 1e-9 {
							t.Errorf("P@%d, n = %d, times %v, noise %v: %s p %v, want %v", k, n, s.scale, s.noise,
								r.Test, r.P, w.P)
						}
					}
				}
				if got.Better != want.Better || got.Worse != want.Worse || got.Equal != want.Equal ||
					got.Cliff != want.Cliff || got.Superiority != want.Superiority {
					t.Errorf("P@%d, n = %d, times %v, noise %v: %d %d %d, δ %v, %v, want %d %d %d, δ %v, %v", k, n,
						s.scale, s.noise,
						got.Better, got.Worse, got.Equal, got.Cliff, got.Superiority, want.Better, want.Worse,
						want.Equal, want.Cliff, want.Superiority)
				}
			}
		}
	}
}

// Sums of the same numbers in another order are one score, and two systems that have it are equal.
func TestDifferencesOfRounding(t *testing.T) {
	d, err := Differences([]float64{0.1 + 0.2, 0.3, 1e300, math.Inf(1), 0},
		[]float64{0.3, 0.3 + 1e-9, 1e300 * (1 + 1e-15), math.Inf(1), 1e-300})
	if err != nil {
		t.Fatal(err)
	}
	if d[0] != 0 || d[1] == 0 || d[2] != 0 || d[3] == d[3] || d[4] != 1e-300 {
		t.Errorf("%v", d)
	}
	x, y := []float64{1 - 2.0/3, 2.0/3 - 1.0/3, 1, 2}, []float64{1, 2, 3, 4}
	k, err := KendallTau(x, y)
	if err != nil || k.TiedX != 1 || k.Concordant != 5 {
		t.Errorf("%+v, %v", k, err)
	}
	if s, err := Spearman(x, []float64{1.5, 1.5, 3, 4}); err != nil || s.Coefficient != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, x := range [][]float64{nil, {math.Inf(1), 1, math.Inf(-1)}, {0, 0}, {1e-300, 2e-300}} {
		if got := level(x); !slices.Equal(got, x) {
			t.Errorf("level %v: %v", x, got)
		}
	}
}

// The warning of tied ranks calls p approximate exactly where it is.
func TestTiedRanksSayWhenPIsApproximate(t *testing.T) {
	for n := 10; n < 20; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = []float64{1.0 / 3, 2.0/3 - 1, 2.0 / 3}[i%3]
		}
		r, err := Wilcoxon(d, Options{})
		if err != nil {
			t.Fatal(err)
		}
		tied, approximate := false, false
		for _, w := range Choose(d).Doubts {
			tied = tied || w.Kind == TiedRanks || w.Kind == TiedApproximate
			approximate = approximate || w.Kind == TiedApproximate
		}
		if !tied || approximate != (r.Method == "normal") {
			t.Errorf("%d differences: %s, tied %v, approximate %v", n, r.Method, tied, approximate)
		}
	}
}
