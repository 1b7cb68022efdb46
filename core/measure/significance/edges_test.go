package significance

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

// With n = 3·2^29, 2^32 numbers are no multiple of n: without rejection a number divisible by 3 would come up in 3 of 8
// draws, one that leaves 2 in 2 of 8. Even are 10,000 of each in 30,000, with a standard deviation of 82; the seed is
// fixed.
func TestIntnIsEvenWhereNDoesNotDivide(t *testing.T) {
	const n = 3 << 29
	r := NewRand(1, 0)
	var count [3]int
	for range 30000 {
		x := r.Intn(n)
		if x < 0 || x >= n {
			t.Fatalf("%d is not in [0, %d)", x, n)
		}
		count[x%3]++
	}
	for rest, c := range count {
		if c < 9600 || c > 10400 {
			t.Errorf("%d of 30000 leave %d, want about 10000", c, rest)
		}
	}
}

// The gamma distribution of shape a and rate 1 has mean a and variance a; below 1 it is drawn as one of a + 1, and
// small values are most of them: P(X < 0.01) for a = 0.5 is erf(0.1) = 0.1125. Standard errors of 40,000 draws are
// 0.0035, 0.013 and 0.0016 there.
func TestGammaBelowOne(t *testing.T) {
	for _, a := range []float64{0.5, 0.75, 1, 2.5} {
		r := NewRand(3, 0)
		const n = 40000
		sum, square, small := 0.0, 0.0, 0.0
		for range n {
			x := r.gamma(a)
			sum += x
			square += x * x
			if x < 0.01 {
				small++
			}
		}
		mean := sum / n
		if v := square/n - mean*mean; !(math.Abs(mean-a) <= 5*math.Sqrt(a/n) && math.Abs(v-a) <= 0.08*a+0.03) {
			t.Errorf("shape %v: mean %v, variance %v", a, mean, v)
		}
		if a == 0.5 && !(math.Abs(small/n-math.Erf(0.1)) <= 0.008) {
			t.Errorf("%v of 1 are below 0.01, want %v", small/n, math.Erf(0.1))
		}
	}
}

// In closed form: the density at 0 is 1/π with one degree of freedom (Cauchy), 1/√8 with two, 2/(π√3) with three, 3/8
// with four.
func TestStudentDensityAtZero(t *testing.T) {
	for df, want := range map[float64]float64{1: 1 / math.Pi, 2: 1 / math.Sqrt(8), 3: 2 / (math.Pi * math.Sqrt(3)),
		4: 0.375} {
		if got := studentPDF(0, df); !(math.Abs(got-want) <= 1e-15) {
			t.Errorf("%v degrees: %v, want %v", df, got, want)
		}
		if got := studentPDF(1e-9, df); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%v degrees, beside 0: %v, want %v", df, got, want)
		}
	}
}

// Without end, degrees of freedom make the normal distribution, and the noncentral t one moved by δ.
func TestEndlessDegreesAreNormal(t *testing.T) {
	inf := math.Inf(1)
	for _, p := range []float64{0.001, 0.2, 0.5, 0.9, 0.999} {
		if got, want := StudentQuantile(p, inf), NormalQuantile(p); !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("quantile of %v: %v, want %v", p, got, want)
		}
	}
	for _, x := range []struct{ t, delta float64 }{{2, 0.5}, {-1, 2}, {0, -1}, {3, 3}} {
		if got, want := noncentralT(x.t, inf, x.delta), NormalSF(x.t-x.delta); got != want {
			t.Errorf("P(T > %v) with δ = %v: %v, want %v", x.t, x.delta, got, want)
		}
	}
}

func TestZeroMethodsByName(t *testing.T) {
	for name, want := range map[string]ZeroMethod{"wilcox": Drop, "pratt": Pratt, "zsplit": Split} {
		if z, err := LookupZeros(name); err != nil || z != want || z.String() != name {
			t.Errorf("%q: %v, %v", name, z, err)
		}
	}
	if _, err := LookupZeros("Pratt"); err == nil ||
		err.Error() != `significance: look up zero method "Pratt": not one of wilcox, pratt, zsplit` {
		t.Errorf("an unknown name: %v", err)
	}
}

// The error of a share is that of a binomial: √(0.25/100) and √(0.09/400).
func TestErrorOfAShare(t *testing.T) {
	for _, c := range []struct {
		share float64
		draws int
		want  float64
	}{{0.5, 100, 0.05}, {0.1, 400, 0.015}, {0, 10, 0}, {1, 10, 0}} {
		if got := (Posterior{Draws: c.draws}).Error(c.share); !(math.Abs(got-c.want) <= 1e-17) {
			t.Errorf("%v of %d draws: %v, want %v", c.share, c.draws, got, c.want)
		}
	}
}

// With few queries and a large t the δ that is looked for lies outside t ± √(1+t²/2df)·z. The distribution itself is
// the oracle.
func TestNoncentralityIsTheInverse(t *testing.T) {
	for _, df := range []float64{1, 2, 5, 50} {
		for _, x := range []float64{0, 1, 10, 100, 1e5} {
			for _, p := range []float64{0.4995, 0.25, 0.025, 0.975, 0.9995} {
				delta := noncentrality(x, df, p)
				if got := noncentralT(x, df, delta); !(math.Abs(got-p) <= 1e-10) {
					t.Errorf("P(T > %v) with %v degrees and δ = %v is %v, want %v", x, df, delta, got, p)
				}
			}
		}
	}
}

// The zero of a line, of a step that regula falsi never leaves, and at an end; the function is asked nowhere else than
// between the ends.
func TestIllinoisStaysBetweenTheEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		want   float64
	}{
		{"line", func(x float64) float64 { return 2*x - 3 }, 0, 4, 1.5},
		{"at the upper end", func(x float64) float64 { return math.Min(0, x-4) }, 0, 4, 4},
		{"steep", func(x float64) float64 { return x*x*x*x*x*x*x*x*x - 1 }, 0, 4, 1},
	} {
		x := illinois(c.lo, c.f(c.lo), c.hi, c.f(c.hi), func(x float64) float64 {
			if x < c.lo || x > c.hi {
				t.Fatalf("%s: asked at %v", c.name, x)
			}
			return c.f(x)
		})
		if !(math.Abs(x-c.want) <= 1e-12*c.want) {
			t.Errorf("%s: %v, want %v", c.name, x, c.want)
		}
	}
	if x := illinois(0, 1, 1, 2, func(x float64) float64 { return x + 1 }); x == x {
		t.Errorf("no change of sign: %v, want NaN", x)
	}
}

// 2000 draws are omitted unless another number is said.
func TestHierarchyWarmsUp(t *testing.T) {
	groups := [][]float64{{0.1, 0.2, -0.1, 0.3}, {0, 0.1, 0.2, 0.1}, {-0.2, 0.1, 0, 0.1}}
	draw := func(warm int) Posterior {
		p, err := HierarchicalPosterior(groups, 0.05, Hierarchy{Warm: warm}, Options{Seed: 1, Samples: 500})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if draw(0) != draw(2000) || draw(0) == draw(1) {
		t.Errorf("by default %v, after 2000 draws %v, after one %v", draw(0), draw(2000), draw(1))
	}
}

// Where nothing differs every sign gives the sum 0 again: all draws are at least as extreme, however they are counted.
func TestRandomisationOfNoDifference(t *testing.T) {
	for _, n := range []int{5, 60} {
		less, greater, err := drawFlips([][]float64{make([]float64, n)}, Options{Seed: 1, Samples: 100})
		if err != nil || less[0] != 100 || greater[0] != 100 {
			t.Errorf("%d zeros: %v at most, %v at least, %v", n, less, greater, err)
		}
	}
}

// A list exactly at a limit of Choose, and one beside it. Sizes are whole numbers, so that shares are exact.
func TestChooseAtItsLimits(t *testing.T) {
	spread := func(n int, first ...float64) []float64 { // sizes that all differ, signs that alternate
		d := append([]float64(nil), first...)
		for i := len(d); i < n; i++ {
			d = append(d, float64(8+i)*float64(1-2*(i%2)))
		}
		return d
	}
	for _, x := range []struct {
		name string
		d    []float64
		want string
	}{
		{"29 queries with one far off", spread(29, 2000), "few queries: one outweighs"},
		{"30 queries with one far off", spread(30, 2000), "skewed: few decide, one outweighs"},
		{"5 differ", append(spread(5), 0, 0, 0, 0, 0), "few queries: few differ"},
		{"6 differ, as many are zero", append(spread(6), 0, 0, 0, 0, 0, 0), "few queries: many equal"},
		{"6 differ, fewer are zero", append(spread(6), 0, 0, 0, 0, 0), "few queries"},
		// 3 of 3 + 9·1, and 29 of 29 + 10·10 below it
		{"a quarter in one query of 10", []float64{3, -1, 1, -1, 1, -1, 1, -1, 1, -1},
			"few queries: one outweighs, tied ranks"},
		{"less than a quarter", []float64{29, -8, 12, -9, 11, -10, 10.5, -9.5, 7, -13, 10}, "few queries"},
		{"9 queries", []float64{3, -1, 1, -1, 1, -1, 1, -1, 1}, "few queries: little power"},
		{"5 sizes of 10", []float64{1, -2, 3, -4, 5, -1, 2, -3, 4, -5}, "few queries: tied ranks"},
		{"6 sizes of 10", []float64{1, -2, 3, -4, 5, -1, 2, -3, 4, -6}, "few queries"},
		{"5 sizes of 9 that differ", []float64{1, -2, 3, -4, 5, -1, 2, -3, 4, 0}, "few queries"},
		{"2 queries", []float64{1, -2}, "few queries: few differ, little power"},
		{"nothing differs on 5 queries", make([]float64, 5), "no difference"},
		{"one size but for 1e-10 of it", []float64{5e15, -5e15 + 5e5, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15},
			"one size"},
		{"one size but for more", []float64{5e15, -5e15 + 500001, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15, 5e15},
			"few queries: tied ranks"},
		{"9 queries, little power", spread(9), "few queries: little power"},
		{"10 queries", spread(10), "few queries"},
	} {
		c := Choose(x.d)
		got := string(c.Reason)
		for i, d := range c.Doubts {
			got += map[bool]string{true: ": ", false: ", "}[i == 0] + string(d.Kind)
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s: %+v", x.name, got, x.want, c)
		}
	}
}

// Cancel is asked at once, and then whenever 2²⁰ units of work have been done.
func TestWatchAsksInTime(t *testing.T) {
	asked := 0
	o := Options{Cancel: func() bool { asked++; return asked == 3 }}
	w := o.watch()
	for _, c := range []struct {
		units, asked int
		stops        bool
	}{{1, 1, false}, {1<<20 - 1, 1, false}, {1, 2, false}, {1 << 19, 2, false}, {1 << 20, 3, true}} {
		if stops := w.stopped(c.units); stops != c.stops || asked != c.asked {
			t.Errorf("after %d units: asked %d times, stops: %v, want %d, %v", c.units, asked, stops, c.asked, c.stops)
		}
	}
	if none := (&Options{}).watch(); none.stopped(1 << 30) {
		t.Error("stops without Cancel")
	}
}

// The figures of a doubt, by hand: seven queries that differ have a sign test's p of at least 2·2⁻⁷, six times that for
// six pairs.
func TestFiguresOfDoubts(t *testing.T) {
	seven := []float64{1, -2, 3, -4, 5, -6, 8}
	for _, x := range []struct {
		name string
		d    [][]float64
		want Doubt
	}{
		{"few for so many", [][]float64{seven, seven, seven, seven, seven, seven},
			Doubt{Kind: FewForSoMany, N: 7, P: 0.015625, Adjust: 0.09375}},
		{"few differ", [][]float64{{1, -2, 3, -4, 5, 0, 0, 0, 0, 0}}, Doubt{Kind: FewDiffer, N: 5, P: 0.0625}},
		{"one differs", [][]float64{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, Doubt{Kind: FewDiffer, N: 1, P: 1}},
		{"many equal", [][]float64{{1, -2, 3, -4, 5, -6, 7, 0, 0, 0, 0, 0, 0, 0, 0}},
			Doubt{Kind: ManyEqual, N: 8, Of: 7}},
		{"one outweighs", [][]float64{{3, -1, 1, -1, 1, -1, 1, -1, 1, -1}}, Doubt{Kind: OneOutweighs, Value: 0.25}},
		{"tied ranks", [][]float64{{1, -2, 3, -4, 5, -1, 2, -3, 4, -5}}, Doubt{Kind: TiedRanks, N: 5, Of: 10}},
	} {
		c := Choose(x.d...)
		found := false
		for _, d := range c.Doubts {
			found = found || d == x.want
		}
		if !found {
			t.Errorf("%s: %+v, want %+v", x.name, c.Doubts, x.want)
		}
	}
}

// Where the figures end: beyond them is NaN, on them a number or what the documentation says.
func TestPowerAtItsEnds(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		got  float64
		is   string // "NaN", "+Inf" or "number"
	}{
		{"power of one query", Power(1, 0.5, 0.05, TwoSided), "NaN"},
		{"power of a little more than one", Power(1.5, 0.5, 0.05, TwoSided), "number"},
		{"power at level 0", Power(20, 0.5, 0, TwoSided), "NaN"},
		{"power at level 1", Power(20, 0.5, 1, TwoSided), "NaN"},
		{"power of no number", Power(20, nan, 0.05, TwoSided), "NaN"},
		{"power of endless queries", Power(inf, 0.5, 0.05, TwoSided), "NaN"},
		{"effect with one query and a half", DetectableEffect(1.5, 0.05, 0.8, TwoSided), "NaN"},
		{"effect with two queries", DetectableEffect(2, 0.05, 0.8, TwoSided), "number"},
		{"effect at level 0", DetectableEffect(20, 0, 0.8, TwoSided), "NaN"},
		{"effect with the power of the level", DetectableEffect(20, 0.05, 0.05, TwoSided), "NaN"},
		{"effect with a little more", DetectableEffect(20, 0.05, 0.0501, TwoSided), "number"},
		{"effect with certainty", DetectableEffect(20, 0.05, 1, TwoSided), "NaN"},
		{"effect with endless queries", DetectableEffect(inf, 0.05, 0.8, TwoSided), "NaN"},
		{"queries at level 0", QueriesNeeded(0.5, 0, 0.8, TwoSided), "NaN"},
		{"queries for the power of the level", QueriesNeeded(0.5, 0.05, 0.05, TwoSided), "NaN"},
		{"queries for certainty", QueriesNeeded(0.5, 0.05, 1, TwoSided), "NaN"},
		{"queries for no effect", QueriesNeeded(0, 0.05, 0.8, TwoSided), "+Inf"},
		{"queries for no number", QueriesNeeded(nan, 0.05, 0.8, TwoSided), "NaN"},
		{"queries for a large effect", QueriesNeeded(50, 0.05, 0.8, TwoSided), "number"},
	} {
		is := "number"
		if c.got != c.got {
			is = "NaN"
		} else if math.IsInf(c.got, 1) {
			is = "+Inf"
		}
		if is != c.is || is == "number" && !(c.got > 0) {
			t.Errorf("%s: %v, want %s", c.name, c.got, c.is)
		}
	}
	if n := QueriesNeeded(50, 0.05, 0.8, TwoSided); n != 2 {
		t.Errorf("a large effect wants %v queries, at least 2 are needed", n)
	}
	for _, alpha := range []float64{0.001, 0.01, 0.05, 0.1, 0.2, 0.25, 0.5} {
		for _, n := range []float64{2, 3, 10, 20, 77, 500} {
			for _, alt := range []Alternative{TwoSided, Greater, Less} {
				if dz := DetectableEffect(n, alpha, alpha, alt); dz == dz {
					t.Errorf("the power %v of its own level in %v queries is detected from %v on, want NaN", alpha, n,
						dz)
				}
			}
		}
	}
	// What is detectable is detected with that power, from either side.
	for _, alt := range []Alternative{TwoSided, Greater, Less} {
		dz := DetectableEffect(20, 0.05, 0.8, alt)
		sign := 1.0
		if alt == Less {
			sign = -1
		}
		if got := Power(20, sign*dz, 0.05, alt); !(math.Abs(got-0.8) <= 1e-9) {
			t.Errorf("%v: the detectable effect %v has power %v", alt, dz, got)
		}
		if n := QueriesNeeded(dz, 0.05, 0.8, alt); !(math.Abs(n-20) <= 1e-6) {
			t.Errorf("%v: it needs %v queries, want 20", alt, n)
		}
	}
}

// Pairs of queries whose mean lies exactly on ± rope count half as within: where all do, the sides get w²/2 of the
// weight of the queries, and the middle that and the pairs with the pseudo-query, so it always has more. A little
// beyond the rope they count whole, and win.
func TestOnTheEdgeOfTheRope(t *testing.T) {
	for _, c := range []struct {
		d, rope float64
		want    string // which has nearly all draws
	}{{-0.5, 0.5, "equal"}, {0.5, 0.5, "equal"}, {-0.5, 0.25, "first"}, {0.5, 0.25, "second"}, {0.25, 0.5, "equal"}} {
		p, err := SignedRankPosterior([]float64{c.d, c.d, c.d, c.d, c.d, c.d, c.d, c.d}, c.rope,
			Options{Seed: 1, Samples: 500})
		if err != nil {
			t.Fatal(err)
		}
		share := map[string]float64{"first": p.First, "equal": p.Equal, "second": p.Second}[c.want]
		if share < 0.9 || c.want == "equal" && share != 1 || p.First+p.Equal+p.Second != 1 {
			t.Errorf("differences of %v, rope %v: %+v, want nearly all %s", c.d, c.rope, p, c.want)
		}
	}
}

// A step that leaves the bracket halves it, in the logarithm while one end is more than twice the other; a zero that is
// met ends the search, as do numbers of no use, which lie beyond 1e±300.
func TestRootKeepsItsBracket(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(t float64) (value, slope float64)
		start float64
		want  float64
		asked []float64 // first, or at all
		exact bool
	}{
		{"a zero at once", func(t float64) (float64, float64) { return t - 4, 1 }, 4, 4, []float64{4}, true},
		{"a line", func(t float64) (float64, float64) { return t - 4, 1 }, 1, 4, []float64{1, 4}, true},
		{"no slope", func(t float64) (float64, float64) { return t - 1.5, 0 }, 1, 1.5, []float64{1, 2, 1.5}, true},
		{"no slope, from above", func(t float64) (float64, float64) { return t - 2, 0 }, 16, 2, []float64{16, 2}, true},
		{"no slope, a wide bracket", func(t float64) (float64, float64) {
			return t - 2.25, 0
		}, 16, 2.25, []float64{16, 2, math.Sqrt2 * 4, 3.363585661014858, 2.681792830507429}, false},
		{"never", func(t float64) (float64, float64) {
			return -1, 0
		}, 1e300 / 2, 2e300, []float64{1e300 / 2, 1e300}, true},
		{"always", func(t float64) (float64, float64) {
			return 1, 0
		}, 8e-300, 1e-300 / 8, []float64{8e-300, 1e-300}, true},
		{"no number", func(t float64) (float64, float64) { return math.NaN(), 1 }, 1, math.NaN(), []float64{1}, true},
	} {
		var asked []float64
		got := root(func(t float64) (float64, float64) {
			asked = append(asked, t)
			return c.f(t)
		}, c.start)
		if !near(got, number(c.want), 1e-14, 0) || len(asked) < len(c.asked) || c.exact && len(asked) > len(c.asked) {
			t.Errorf("%s: %v after %v, want %v", c.name, got, asked, c.want)
			continue
		}
		for i, x := range c.asked {
			if !near(asked[i], number(x), 1e-15, 0) {
				t.Errorf("%s: asked at %v, want %v", c.name, asked, c.asked)
				break
			}
		}
	}
}

// Of several lists the worst counts, and of equally bad ones the first.
func TestTheWorstListCounts(t *testing.T) {
	sizes := func(n int, some ...float64) []float64 { // as many of each, signs that alternate
		d := make([]float64, n)
		for i := range d {
			d[i] = some[i%len(some)] * float64(1-2*(i%2))
		}
		return d
	}
	five, six := sizes(10, 1, 2, 3, 4, 5), sizes(12, 1, 2, 3, 4, 5, 6)
	half := append(sizes(7, 11, 12, 13, 14, 15, 16, 17), 0, 0, 0, 0, 0, 0, 0)
	zeros := make([]float64, 12)
	for _, x := range []struct {
		name   string
		d      [][]float64
		reason Reason
		want   []Doubt
	}{
		{"as many sizes", [][]float64{five, six}, FewQueries, []Doubt{{Kind: TiedRanks, N: 5, Of: 10}}},
		{"as many sizes, the longer first", [][]float64{six, five}, FewQueries,
			[]Doubt{{Kind: TiedRanks, N: 6, Of: 12}}},
		{"as many differ", [][]float64{half, half[:12]}, FewQueries, []Doubt{{Kind: ManyEqual, N: 7, Of: 7}}},
		{"as many differ, of more queries", [][]float64{half[:12], half}, FewQueries, nil},
		{"one alone, half are zero", [][]float64{half}, FewQueries, []Doubt{{Kind: ManyEqual, N: 7, Of: 7}}},
		{"nothing differs in any", [][]float64{zeros, zeros}, NoDifference, nil},
		{"one not finite, the other zero", [][]float64{{math.NaN(), 1}, zeros}, NoDifference,
			[]Doubt{{Kind: SomeNotFinite}}},
		{"zeros, then one outweighs", [][]float64{zeros, {3, -1, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0}}, FewQueries,
			[]Doubt{{Kind: NeverDiffers}, {Kind: OneOutweighs, Value: 0.25}, {Kind: TiedRanks, N: 2, Of: 10}}},
	} {
		if c := Choose(x.d...); c.Reason != x.reason || !slices.Equal(c.Doubts, x.want) {
			t.Errorf("%s: %s, %+v, want %s, %+v", x.name, c.Reason, c.Doubts, x.reason, x.want)
		}
	}
	// nonzero in t tests: with 60 queries that all differ the second list decides what is equal
	a, b := append(sizes(54, 1, 2, 3, 4, 5.5, 6, 7, 8.25), 0, 0, 0, 0, 0, 0),
		append(sizes(26, 1, 2, 3.5, 4, 5, 6, 7.5), make([]float64, 34)...)
	for _, d := range [][][]float64{{a, b}, {b, a}} {
		if c := Choose(d...); c.Test != "t" || len(c.Doubts) == 0 ||
			c.Doubts[0] != (Doubt{Kind: ManyEqual, N: 34, Of: 26}) {
			t.Errorf("%+v", c)
		}
	}
}

// stateOf returns a generator whose first number is out: the output function of xoshiro256** backwards, by the inverses
// of 9 and 5.
func stateOf(out uint64) *Rand {
	return &Rand{1 << 60, bits.RotateLeft64(out*0x8e38e38e38e38e39, -7) * 0xcccccccccccccccd, 0xbf58476d1ce4e5b9, 4}
}

// Of 2³² numbers times 3 the lower half is 0 once too often, with the number 0: that one is drawn again. It is 1 with
// 2863311531·3 = 2·2³² + 1, which counts.
func TestWhatIsDrawnAgain(t *testing.T) {
	for _, c := range []struct {
		high uint64
		want int // -1: the second number of the generator
	}{{0, -1}, {2863311531, 2}, {1, 0}, {1<<32 - 1, 2}} {
		r := stateOf(c.high<<32 | 12345)
		next := *r
		if next.Uint64() != c.high<<32|12345 {
			t.Fatal("stateOf is wrong")
		}
		want := c.want
		if want < 0 {
			want = int((next.Uint64() >> 32) * 3 >> 32)
		}
		one := *r
		if got := one.Intn(3); got != want {
			t.Errorf("%d: %d of 3, want %d", c.high, got, want)
		}
	}
	// the least and the largest number in (0, 1): (0 + 1/2)/2⁵³ and one less than that from 1
	if got := stateOf(0).uniform(); got != 0x1p-54 {
		t.Errorf("least: %v", got)
	}
	if got := stateOf(1<<63 - 1<<11).uniform(); got != 0.5-0x1p-54 {
		t.Errorf("below a half: %v", got)
	}
}

// A function that draws asks whether to stop at once, and again whenever some 2²⁰ units of work were done: by hand from
// the units of a draw.
func TestHowOftenCancelIsAsked(t *testing.T) {
	ask := func(f func(o Options) error) int {
		n := 0
		if err := f(Options{Samples: 4000, Cancel: func() bool { n++; return false }}); err != nil {
			t.Error(err)
		}
		return n
	}
	asked := func(units, calls int) int { // by a loop over calls that reports so many units each
		per := (1<<20 + units - 1) / units // calls until 2²⁰ are reached
		return 1 + (calls-1)/per
	}
	d := simulated(3, 100, 4)
	tall := simulated(40, 60, 4)
	for _, c := range []struct {
		name string
		f    func(o Options) error
		want int
	}{
		{"signed ranks", func(o Options) error {
			return second(SignedRankPosterior(d[0], 0.01, o))
		}, asked(101*20, 4000)},
		{"hierarchy", func(o Options) error {
			return second(HierarchicalPosterior(d, 0.01, Hierarchy{Warm: 1}, o))
		}, asked(3000+500*3, 4001)},
		{"flips", func(o Options) error { return second(Randomisation(d[0], o)) }, asked(100/8+8+2, 4000)},
		{"flips of pairs", func(o Options) error {
			_, _, err := drawFlips(tall, o)
			return err
		}, asked(40*(60/8+8)+2*780, 4000)},
	} {
		if got := ask(c.f); got != c.want {
			t.Errorf("%s: asked %d times, want %d", c.name, got, c.want)
		}
	}
}
