package significance

import (
	"math"
	"slices"
	"testing"
)

// What a function says exactly where its arguments begin and end to be defined, and beside it.
func TestAtTheEndsOfTheArguments(t *testing.T) {
	c := checker{t: t}
	two := []float64{1, 2}
	dz := func(level float64) float64 { _, low, _ := CohenDzInterval(scoresD, level); return low }
	_, _, high := CohenDzInterval(scoresD, 1-0x1p-53) // there is no δ that exceeds t with probability 1
	for _, x := range []struct {
		name string
		got  float64
		want number
	}{
		{"beta, a 0", betaInc(0, 2, 0.5), number(nan)}, {"beta, b 0", betaInc(2, 0, 0.5), number(nan)},
		{"beta, a endless", betaInc(inf, 2, 0.5), number(nan)},
		{"beta at 0, large a and b", betaInc(20, 30, 0), 0}, {"beta at 1, large a and b", betaInc(20, 30, 1), 1},
		{"beta at 0, small a", betaInc(0.5, 30, 0), 0},
		{"beta below 0", betaInc(2, 3, -1e-300), number(nan)}, {"beta above 1", betaInc(2, 3, 1+0x1p-52), number(nan)},
		{"χ², df 0", ChiSquareSF(1, 0), number(nan)}, {"χ² at 0", ChiSquareCDF(0, 3), 0},
		{"χ² at 0, large df", ChiSquareSF(0, 30), 1}, {"χ² below 0", ChiSquareSF(-1, 3), 1},
		{"F at 0, d1 0", FSF(0, 0, 4), number(nan)}, {"F at 0, d2 0", FSF(0, 3, 0), number(nan)},
		{"F below 0", FSF(-1, 3, 4), 1}, {"F at 0", FSF(0, 3, 4), 1},
		{"binomial of none", BinomialCDF(0, 0, 0.5), 1}, {"binomial of -1", BinomialCDF(0, -1, 0.5), number(nan)},
		{"binomial, p 0", BinomialCDF(1, 3, 0), 1}, {"binomial, p 1", BinomialCDF(1, 3, 1), 0},
		{"binomial, none of 3", BinomialCDF(0, 3, 0.5), 0.125},
		{"binomial, 2 of 3", 1 - BinomialCDF(2, 3, 0.5), 0.125},
		{"binomial, p below 0", BinomialCDF(1, 3, -1e-9), number(nan)},
		{"normal quantile of 1/2", NormalQuantile(0.5), 0}, {"t quantile of 1/2", StudentQuantile(0.5, 3), 0},
		{"t quantile, df 0", StudentQuantile(0.5, 0), number(nan)},
		{"t beyond all, df 0", StudentSF(inf, 0), number(nan)},
		{"t quantile of 1 and a bit", StudentQuantile(1.0000001, 3), number(nan)},
		{"noncentral, least df", noncentralT(inf, 0.01, 0), 0},
		{"noncentral, df below", noncentralT(inf, 0.0099, 0), number(nan)},
		{"noncentral, δ endless", noncentralT(1, 5, inf), 1}, {"noncentral, δ and t endless", noncentralT(inf, 5, inf),
			0}, {"noncentral, -δ endless", noncentralT(1, 5, -inf), 0},
		{"d_z at level 0", dz(0), number(nan)}, {"d_z at level 1", dz(1), number(nan)},
		{"d_z just below level 1", high, number(nan)},
		{"J of one degree", HedgesJ(1), number(nan)}, {"J of endless degrees", HedgesJ(inf), number(nan)},
		{"g of two", HedgesG(two), number(nan)}, {"g of none", HedgesG(nil), number(nan)},
		// J(2) = Γ(1)/(√1·Γ(1/2)) = 1/√π; the mean of 1, 2, 6 is 3 and their variance 7
		{"g of three", HedgesG([]float64{1, 2, 6}), number(3 / math.Sqrt(7*math.Pi))},
		{"queries at level 0 for nothing", QueriesNeeded(0, 0, 0.8, TwoSided), number(nan)},
		{"effect below level 0", DetectableEffect(20, -0.05, 0.8, TwoSided), number(nan)},
		{"power of no query", Power(0, 0.5, 0.05, TwoSided), number(nan)},
		{"power of one", Power(1, 0.5, 0.05, Greater), number(nan)},
		{"mean of nothing", Mean(nil), number(nan)}, {"SD of one", SD(two[:1]), number(nan)},
		{"SD of two", SD(two), number(math.Sqrt(0.5))},
		{"skewness of one", Skewness(two[:1]), number(nan)}, {"skewness of two", Skewness(two), 0},
	} {
		c.near(x.name, x.got, x.want, 1e-14, 0)
	}
	// what the t test comes to with so many queries: (norm.ppf(0.95) + norm.ppf(0.8))² by scipy 1.17.1
	c.near("queries for the least effect", QueriesNeeded(1e-6, 0.05, 0.8, Greater), 6.182557232019766e12, 1e-9, 0)
	c.near("for less", QueriesNeeded(0.99e-6, 0.05, 0.8, Greater), number(inf), 0, 0)
	c.done(52)
}

// A value at the very distance is equal still, one a little beyond is not: 1e-10 of the largest of all, which is 1 here
// where it is 1e10.
func TestEqualUpToTheTolerance(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1e10 - 1}, []float64{1e10}, 0}, {[]float64{1e10 - 2}, []float64{1e10}, 1},
		{[]float64{6, 1e10}, []float64{5}, -0.5}, {[]float64{7, 1e10}, []float64{5}, -1},
	} {
		if got := cliffDelta(c.a, c.b); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		d                    []float64
		better, worse, equal int
	}{
		{[]float64{1e10, 1, -1}, 1, 0, 2}, {[]float64{1e10, 2, -2}, 2, 1, 0},
	} {
		if b, w, e := Counts(c.d); b != c.better || w != c.worse || e != c.equal {
			t.Errorf("%v: %d, %d, %d", c.d, b, w, e)
		}
	}
	if got := level([]float64{1e10, 5, 6, 8}); !slices.Equal(got, []float64{1e10, 5, 5, 8}) {
		t.Errorf("%v", got)
	}
	r, err := Wilcoxon([]float64{1e10, 1, -2, 5}, Options{Zeros: Drop})
	if err != nil || r.N != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, c := range []struct {
		a, b, want float64
	}{{1, 1 + 1e-12, 1e-12}, {1 - 1e-12, 1, 0}, {-1, -1 + 1e-12, 0}, {1, 1 - 1e-12, 0}, {1, 1 - 2e-12, -2e-12},
		{-inf, inf, inf}, {0, 0, 0}} {
		got := Difference(c.a, c.b)
		if (got == 0) != (c.want == 0) || !(math.Abs(got-c.want) <= 1e-15) && got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// The upper end is doubled until the function is not negative there, a hundred times at most; then it is asked between
// the ends only. An end that regula falsi would not leave is left by halving.
func TestSolve(t *testing.T) {
	var asked []float64
	ask := func(f func(float64) float64) func(float64) float64 {
		asked = nil
		return func(x float64) float64 { asked = append(asked, x); return f(x) }
	}
	if x := solve(0, 1, ask(func(float64) float64 { return -1 })); !math.IsInf(x, 1) || len(asked) != 102 {
		t.Errorf("never: %v after %d", x, len(asked))
	}
	if x := solve(0, 1, ask(func(x float64) float64 { return x - 1 })); !(math.Abs(x-1) <= 1e-12) ||
		slices.Max(asked) != 1 {
		t.Errorf("at the upper end: %v, %v", x, asked)
	}
	if x := solve(0, 1, ask(func(x float64) float64 { return x - 6 })); !(math.Abs(x-6) <= 1e-12) ||
		!slices.Equal(asked[:5], []float64{0, 1, 2, 4, 8}) || len(asked) > 7 {
		t.Errorf("a line: %v, %v", x, asked)
	}
	for name, f := range map[string]func(float64) float64{
		"endless above": func(x float64) float64 {
			if x < 2 {
				return -1
			}
			return inf
		},
		"deep below": func(x float64) float64 {
			if x < 2 {
				return -1e300
			}
			return 1
		},
		"at the lower end": func(x float64) float64 { return max(x-2, 0) },
	} {
		lo := 0.0
		if name == "at the lower end" {
			lo = 2
		}
		if x := illinois(lo, f(lo), 5, f(5), f); !(math.Abs(x-2) <= 1e-12) {
			t.Errorf("%s: %v, want 2", name, x)
		}
	}
}

// Flipped sums of ± tol count as 0, tol being 1e-12 of the sum of the sizes, which is 1 here. By hand, of 5e11, 1 -
// 5e11 and 1: the sums of the 8 sets are 0, 5e11, 1 - 5e11, 1, 1, 5e11 + 1, 2 - 5e11 and 2, of which 6 are at least -1
// and 5 at most 1.
func TestFlipsUpToTheTolerance(t *testing.T) {
	for _, c := range []struct {
		d             []float64
		less, greater float64
	}{
		{[]float64{5e11, 1 - 5e11, 1}, 6.0 / 8, 5.0 / 8}, {[]float64{-5e11, 5e11 - 1, -1}, 5.0 / 8, 6.0 / 8},
		{[]float64{5e11, 2 - 5e11, 2}, 6.0 / 8, 3.0 / 8}, {[]float64{-5e11, 5e11 - 2, -2}, 3.0 / 8, 6.0 / 8},
	} {
		if less, greater, ok := exactFlips(c.d, MostExact); !ok || less != c.less || greater != c.greater {
			t.Errorf("%v: %v, %v", c.d, less, greater)
		}
		const draws = 4000
		for _, rows := range [][][]float64{{c.d}, {{0, 0, 0}, c.d}} {
			less, greater, err := drawFlips(rows, Options{Samples: draws})
			if err != nil || len(less) != 1 || len(greater) != 1 ||
				!(math.Abs(float64(less[0])/draws-c.less) < 0.04 &&
					math.Abs(float64(greater[0])/draws-c.greater) < 0.04) {
				t.Errorf("%v: drawn %v, %v, %v", rows, less, greater, err)
			}
		}
	}
}

// By hand: P = (count + 1)/(draws + 1); twice the smaller one, whose standard error is √(p(1-p)/n) with p = P/2.
func TestErrorOfDrawnP(t *testing.T) {
	for alt, want := range map[Alternative][2]float64{Less: {0.25, math.Sqrt(0.25 * 0.75 / 400)},
		Greater: {0.8, math.Sqrt(0.8 * 0.2 / 400)}, TwoSided: {0.5, 2 * math.Sqrt(0.25*0.75/400)}} {
		var r Result
		r.drawn(99, 319, &Options{Alternative: alt, Samples: 399})
		if r.Draws != 399 || math.Abs(r.P-want[0]) > 1e-15 || math.Abs(r.Error-want[1]) > 1e-15 {
			t.Errorf("%v: %+v, want %v", alt, r, want)
		}
	}
}

// Where a test goes over from counting all patterns to a formula or to draws, or refuses.
func TestUpToWhereAllIsCounted(t *testing.T) {
	for _, c := range []struct {
		n      int
		o      Options
		d      []float64
		method string
	}{
		{50, Options{}, untied(50, 1, -2, 3), "exact"}, {51, Options{}, untied(51, 1, -2, 3), "normal"},
		{13, Options{}, repeat(13, 1, -2, 3), "exact"}, {14, Options{}, repeat(14, 1, -2, 3), "normal"},
		{300, Options{Method: Exact}, untied(300, 1, -2, 3), "exact"},
		{301, Options{Method: Exact}, untied(301, 1, -2, 3), "normal"},
	} {
		if r := must(Wilcoxon(c.d, c.o)); r.Method != c.method {
			t.Errorf("%d: %+v, want %s", c.n, r, c.method)
		}
	}
	// the samples, a little over one million and the million that are drawn
	for samples, want := range map[int]int{0: 10000, -1: 10000, 1: 1, 1 << 20: 1 << 20, 1<<20 + 1: 1 << 20} {
		if o := (Options{Samples: samples}); o.samples() != want {
			t.Errorf("%d: %d samples", samples, o.samples())
		}
	}
	for level, want := range map[float64]number{0: 0.95, 1e-9: 1e-9, 1: number(nan), -0.5: number(nan),
		1.5: number(nan)} {
		if o := (Options{Level: level}); !near(o.level(), want, 0, 0) {
			t.Errorf("level %v: %v", level, o.level())
		}
	}
	if _, err := Compare(make(Table, 1025), CompareOptions{}); err == nil ||
		err.Error() != "significance: compare: 1025 systems, the limit is 1024" {
		t.Errorf("1025 systems: %v", err)
	}
}

// With margins at the mean itself one of the two tests has t = 0 and p = 1/2, and without spread nothing can be said.
// Of 1, 2, 3: mean 2.
func TestTOSTAtItsEnds(t *testing.T) {
	c := checker{t: t}
	d := []float64{1, 2, 3}
	c.near("at the upper margin", TOST(d, -1, 2, 0.05).P, 0.5, 1e-15, 0)
	c.near("at the lower margin", TOST(d, 2, 9, 0.05).P, 0.5, 1e-15, 0)
	c.near("margins that are none", TOST(d, 2, 2, 0.05).P, number(nan), 0, 0)
	c.near("a lower margin without end", TOST(d, -inf, 2, 0.05).P, number(nan), 0, 0)
	// 1.5 ± 1/2 of Student's quantile with one degree of freedom, which is tan(π(p - 1/2)): 1.5 ∓ tan(0.45π)/2
	e := TOST([]float64{1, 2}, 0, 3, 0.05)
	c.near("two differences: low", e.Low, number(1.5-math.Tan(0.45*math.Pi)/2), 1e-13, 0)
	c.near("two differences: high", e.High, number(1.5+math.Tan(0.45*math.Pi)/2), 1e-13, 0)
	c.near("level 0", TOST(d, -1, 4, 0).Low, number(nan), 0, 0)
	c.near("level 1/2", TOST(d, -1, 4, 0.5).Low, number(nan), 0, 0)
	c.near("no spread, at the margin", TOST([]float64{2, 2, 2}, -1, 2, 0.05).Low, number(nan), 0, 0)
	c.near("no spread, within", TOST([]float64{2, 2, 2}, -1, 3, 0.05).Low, 2, 0, 0)
	c.done(10)
}

// NaN after all numbers, and equal to itself; all that differ by 1e-12 of the largest are constant, which is 1 of 1e12.
func TestOrderAndConstancy(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want int
	}{{1, 2, -1}, {2, 1, 1}, {1, 1, 0}, {1, nan, -1}, {nan, 1, 1}, {nan, nan, 0}, {-inf, inf, -1}} {
		if got := compare(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		x  []float64
		ok bool
	}{
		{[]float64{1e12, 1e12 - 1}, true}, {[]float64{1e12, 1e12 - 2}, false}, {[]float64{-1e12, 1 - 1e12}, true},
		{[]float64{-1e12, 2 - 1e12}, false},
		{[]float64{1, nan}, false}, {[]float64{nan, nan}, false}, {[]float64{inf, inf}, false}, {[]float64{0, 0}, true},
		{nil, false}, {[]float64{3}, true},
		{[]float64{2, 1, 2}, false}, {[]float64{1, 2, 1}, false}, {[]float64{-1, 1}, false},
	} {
		if v, ok := constant(c.x); ok != c.ok || ok && v != c.x[0] {
			t.Errorf("%v: %v, %v", c.x, v, ok)
		}
	}
	// the lost bits of either of two numbers are carried along, and an infinite sum is one
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{1e16, 1, -1e16}, 1}, {[]float64{1, 1e16, -1e16}, 1}, {[]float64{1e308, 1e308}, inf},
		{[]float64{-inf, 1}, -inf}, {nil, 0}} {
		if got := sum(c.x); got != c.want {
			t.Errorf("%v: %v, want %v", c.x, got, c.want)
		}
	}
	// 30, 10, 20, 10, 10: the three share (1 + 2 + 3)/3, and 3³ - 3 = 24
	if r, ties := ranks([]float64{30, 10, 20, 10, 10}); !slices.Equal(r, []float64{5, 2, 4, 2, 2}) || ties != 24 {
		t.Errorf("%v, %v", r, ties)
	}
	if same := same([]float64{1, -4}, []float64{2}, nil); same != 4e-10 {
		t.Errorf("%v", same)
	}
	for p, want := range map[float64]float64{-1e-17: 0, 0: 0, 0.5: 0.5, 1: 1, 1 + 1e-15: 1} {
		if unit(p) != want {
			t.Errorf("%v: %v", p, unit(p))
		}
	}
}

// The values at chosen ranks are those of the sorted list.
func TestArrange(t *testing.T) {
	rnd := NewRand(6, 0)
	for n := 1; n < 60; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rnd.Intn(n))
		}
		sorted := sorted(x)
		at := []int{rnd.Intn(n), rnd.Intn(n), rnd.Intn(n)}
		slices.Sort(at)
		arrange(x, at, 0)
		for _, r := range at {
			if x[r] != sorted[r] {
				t.Fatalf("%d values: %v at %d, want %v", n, x[r], r, sorted[r])
			}
		}
		i, j := partition(x)
		for a, v := range x {
			if v > x[min(i, n-1)] && a <= j || j >= i || i < 0 || j >= n {
				t.Fatalf("%v: parted at %d and %d", x, j, i)
			}
		}
	}
}

// The distinct grades in the order in which they come, and how many of each.
func TestGrades(t *testing.T) {
	if value, count := grades([]int{3, 1, 3, 3, 2}); !slices.Equal(value, []int{3, 1, 2}) ||
		!slices.Equal(count, []float64{3, 1, 1}) {
		t.Errorf("%v, %v", value, count)
	}
}

// scipy 1.17.1, kendalltau: exact up to 33 values, and with one pair out of order, or in order, whatever their number.
func TestKendallsExactP(t *testing.T) {
	c := checker{t: t}
	list := func(n int, f func(i int) int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(f(i))
		}
		return x
	}
	up := list(34, func(i int) int { return i })
	one := slices.Clone(up)
	one[3], one[4] = one[4], one[3]
	two := slices.Clone(one)
	two[10], two[11] = two[11], two[10]
	reversed := slices.Clone(one)
	slices.Reverse(reversed)
	c.near("33 values", must(KendallTau(up[:33], list(33, func(i int) int { return i * 5 % 33 }))).P,
		0.15061735773454274, 1e-12, 0)
	c.near("34 values", must(KendallTau(up, list(34, func(i int) int { return i * 5 % 34 }))).P, 0.03659566165329499,
		1e-12, 0)
	c.near("one pair", must(KendallTau(up, one)).P, 2.30326712415439e-37, 1e-12, 0)
	c.near("two pairs", must(KendallTau(up, two)).P, 1.4911077998248914e-16, 1e-12, 0)
	c.near("all but one pair", must(KendallTau(up, reversed)).P, 2.30326712415439e-37, 1e-12, 0)
	// by hand: of 24 orders of 4 one has no pair out of order, 3 have one, 5 two and 6 three, which is the half of six
	c.near("none of 4", kendallExact(4, 0), 2.0/24, 1e-15, 0)
	c.near("two of 4", kendallExact(4, 2), 18.0/24, 1e-15, 0)
	c.near("three of 4", kendallExact(4, 3), 1, 0, 0)
	// values beyond 1e±140, whose squares' product is no number: as 1, 2, 4 and 1, 3, 2
	want := must(Pearson([]float64{1, 2, 4}, []float64{1, 3, 2})).Coefficient
	for _, s := range []float64{1e-150, 1e-80, 1e80, 1e140} {
		c.near("r", must(Pearson([]float64{s, 2 * s, 4 * s}, []float64{s, 3 * s, 2 * s})).Coefficient, number(want),
			1e-14, 0)
	}
	c.done(12)
}

// An adjusted p of exactly alpha does not tell two systems apart, one below it does; of no query nothing has a p; 30
// differences are all counted, 31 drawn.
func TestCompareAtItsLimits(t *testing.T) {
	table := Table{{1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 7}}
	// all of 64 sign patterns but two
	for alpha, want := range map[float64]string{2.0/64 + 1e-9: "b a", 2.0 / 64: "a a"} {
		c := must(Compare(table, CompareOptions{Test: "randomisation", Alpha: alpha}))
		if got := c.Systems[0].Group + " " + c.Systems[1].Group; got != want || c.Pairs[0].P != 2.0/64 {
			t.Errorf("alpha %v: %q, want %q: %+v", alpha, got, want, c.Pairs[0])
		}
	}
	if p := must(Compare(Table{{}, {}}, CompareOptions{})).Pairs[0]; p.P == p.P || p.Adjusted == p.Adjusted ||
		p.Equal != 0 {
		t.Errorf("no queries: %+v", p)
	}
	for n, want := range map[int]string{30: "exact", 31: "monte-carlo"} {
		c := must(Compare(Table{make([]float64, n), untied(n, 1, -2, 3)},
			CompareOptions{Options: Options{Samples: 50}, Test: "randomisation"}))
		if r := c.Pairs[0].Tests[1]; r.Method != want || want == "monte-carlo" && r.Draws != 401 {
			t.Errorf("%d queries: %+v, want %s", n, r, want)
		}
	}
}

// The table of Choose is what the function computes.
func TestEffectsOfFewQueries(t *testing.T) {
	for n := 2; n < len(fewEffects); n++ {
		if want := DetectableEffect(float64(n), 0.05, 0.8, TwoSided); fewEffects[n] != want {
			t.Errorf("%d queries: %v, want %v", n, fewEffects[n], want)
		}
	}
}

// Quick draws sign patterns of 15 non-zero differences, which could be counted; what it draws agrees with the count
// within four standard errors.
func TestQuickDrawsWhatCouldBeCounted(t *testing.T) {
	d := untied(15, 1, -1.2, 2, 0.7)
	exact := must(Randomisation(d, Options{}))
	quick := must(Randomisation(d, Options{Quick: true, Samples: 4000}))
	if exact.Method != "exact" || quick.Method != "monte-carlo" || math.Abs(exact.P-quick.P) > 4*quick.Error {
		t.Errorf("%+v, then %+v", exact, quick)
	}
	if few := must(Randomisation(d[:14], Options{Quick: true})); few.Method != "exact" {
		t.Errorf("%+v", few)
	}
}
