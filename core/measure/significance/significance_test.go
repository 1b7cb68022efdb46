package significance

import (
	"fmt"
	"math"
	"testing"
)

// The cases of this file always run. Their references: scipy 1.17.1, statsmodels 0.15.0 (numpy 2.4.6, Python 3.11),
// mpmath 1.3.0 where it says so. All scores are multiples of 1/8, so that no reference depends on how it rounds a sum.

var (
	scoresA = []float64{0.25, 0.5, 0.125, 0.75, 0.5, 0.375, 1.0, 0.625, 0.0, 0.25}
	scoresB = []float64{0.5, 0.5, 0.375, 0.625, 0.75, 0.5, 1.0, 0.875, 0.5, 0.125}
	scoresD = []float64{0.25, 0, 0.25, -0.125, 0.25, 0.125, 0, 0.25, 0.5, -0.125}
)

var nan, inf = math.NaN(), math.Inf(1)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestDifferences(t *testing.T) {
	d := must(Differences(scoresA, scoresB))
	for i, v := range scoresD {
		if d[i] != v {
			t.Errorf("d[%d] = %v, want %v", i, d[i], v)
		}
	}
	if _, err := Differences(scoresA, scoresB[1:]); err == nil {
		t.Error("lists of different lengths are paired")
	}
}

// scipy ttest_rel with confidence_interval, permutation_test (exact), binomtest.
func TestPairedTests(t *testing.T) {
	c := checker{t: t}
	for _, x := range []struct {
		alt               Alternative
		p, low, high      number
		randomised, signP number
	}{
		{TwoSided, 0.05710918092842181, -0.005136040185631879, 0.2801360401856319, 0.0859375, 0.2890625},
		{Less, 0.9714454095357891, number(-inf), 0.2530834679513294, 0.984375, 0.96484375},
		{Greater, 0.028554590464210904, 0.02191653204867061, number(inf), 0.04296875, 0.14453125},
	} {
		o := Options{Alternative: x.alt}
		r := must(PairedT(scoresD, o))
		c.near("t", r.Statistic, 2.1807013815017964, 1e-14, 0)
		c.near("t p", r.P, x.p, 1e-13, 0)
		c.near("low", r.Low, x.low, 1e-12, 0)
		c.near("high", r.High, x.high, 1e-13, 0)
		c.near("df", r.DF, 9, 0, 0)
		r = must(Randomisation(scoresD, o))
		c.near("randomisation p", r.P, x.randomised, 0, 0)
		c.near("mean", r.Statistic, 0.1375, 0, 0)
		if r.Method != "exact" || r.Draws != 256 || r.N != 10 {
			t.Errorf("randomisation: %+v", r)
		}
		r = must(Sign(scoresD, o))
		c.near("sign p", r.P, x.signP, 1e-15, 0)
		if r.N != 8 || r.Statistic != 6 {
			t.Errorf("sign: %+v", r)
		}
	}
	c.done(24)
}

// scipy wilcoxon; its "auto" is exact here (13 differences or fewer, with zeros and ties).
func TestWilcoxon(t *testing.T) {
	c := checker{t: t}
	for _, x := range []struct {
		zeros      ZeroMethod
		correction bool
		method     Method
		alt        Alternative
		w, p       number
	}{
		{Drop, false, Auto, TwoSided, 4.0, 0.0546875},
		{Drop, false, Normal, TwoSided, 4.0, 0.046051889479114025},
		{Drop, true, Auto, TwoSided, 4.0, 0.0546875},
		{Drop, true, Normal, TwoSided, 4.0, 0.05439591684141142},
		{Pratt, false, Auto, TwoSided, 8.0, 0.0859375},
		{Pratt, false, Normal, TwoSided, 8.0, 0.062320392290841554},
		{Pratt, true, Normal, TwoSided, 8.0, 0.0699504637544939},
		{Split, false, Auto, TwoSided, 9.5, 0.0859375},
		{Split, false, Normal, TwoSided, 9.5, 0.06390156091518749},
		{Split, true, Normal, TwoSided, 9.5, 0.07164024293858375},
		{Drop, false, Auto, Less, 32.0, 0.984375},
		{Drop, false, Normal, Less, 32.0, 0.976974055260443},
		{Drop, true, Normal, Less, 32.0, 0.9805935228120357},
		{Pratt, false, Auto, Less, 44.0, 0.96875},
		{Pratt, true, Normal, Less, 44.0, 0.9723039176567235},
		{Split, false, Auto, Less, 45.5, 0.96875},
		{Split, true, Normal, Less, 45.5, 0.9715666861599761},
		{Drop, false, Auto, Greater, 32.0, 0.02734375},
		{Drop, true, Normal, Greater, 32.0, 0.02719795842070571},
		{Pratt, false, Auto, Greater, 44.0, 0.04296875},
		{Pratt, true, Normal, Greater, 44.0, 0.03497523187724695},
		{Split, false, Auto, Greater, 45.5, 0.04296875},
		{Split, true, Normal, Greater, 45.5, 0.03582012146929187},
	} {
		r := must(Wilcoxon(scoresD, Options{Alternative: x.alt, Zeros: x.zeros, Correction: x.correction,
			Method: x.method}))
		at := fmt.Sprint(x.zeros, x.correction, x.method, x.alt)
		c.near(at+" W", r.Statistic, x.w, 0, 0)
		c.near(at+" p", r.P, x.p, 1e-13, 0)
	}
	c.done(46)
}

// The exact distribution with ties and zeros against enumeration of all signs.
func TestWilcoxonExactEnumerates(t *testing.T) {
	rnd := NewRand(7, 0)
	for range 200 {
		n := 1 + rnd.Intn(9)
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rnd.Intn(7) - 3)
		}
		for _, z := range []ZeroMethod{Drop, Pratt, Split} {
			r := must(Wilcoxon(d, Options{Zeros: z, Method: Exact, Alternative: Greater}))
			more, all := 0, 0
			for s := range 1 << n {
				e := make([]float64, n)
				for i, v := range d {
					if e[i] = v; s>>i&1 == 1 {
						e[i] = -v
					}
				}
				if must(Wilcoxon(e, Options{Zeros: z, Method: Exact, Alternative: Greater})).Statistic >= r.Statistic {
					more++
				}
				all++
			}
			if want := float64(more) / float64(all); math.Abs(r.P-want) > 1e-14 {
				t.Fatalf("%v %v: p = %v, want %v", d, z, r.P, want)
			}
		}
	}
}

// The exact randomisation test against enumeration of all signs.
func TestRandomisationEnumerates(t *testing.T) {
	rnd := NewRand(8, 0)
	for range 200 {
		n := 1 + rnd.Intn(11)
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(rnd.Intn(9)-4) / 8
		}
		less, greater := 0, 0
		for s := range 1 << n {
			x := 0.0
			for i, v := range d {
				if s>>i&1 == 1 {
					v = -v
				}
				x += v
			}
			if x <= sum(d) {
				less++
			}
			if x >= sum(d) {
				greater++
			}
		}
		all := float64(int(1) << n)
		for alt, want := range map[Alternative]float64{
			Less: float64(less) / all, Greater: float64(greater) / all,
			TwoSided: min(1, 2*float64(min(less, greater))/all),
		} {
			if r := must(Randomisation(d, Options{Alternative: alt})); r.P != want {
				t.Fatalf("%v %v: p = %v, want %v", d, alt, r.P, want)
			}
		}
	}
}

// What is drawn agrees with what is enumerated: 30 differences are exact, the same with a 31st so small that it changes
// nothing are not.
func TestRandomisationDrawsWhatItEnumerates(t *testing.T) {
	rnd := NewRand(9, 0)
	d := make([]float64, 30, 31)
	for i := range d {
		d[i] = float64(rnd.Intn(1000)-450) / 1024
	}
	for _, alt := range []Alternative{TwoSided, Less, Greater} {
		exact := must(Randomisation(d, Options{Alternative: alt}))
		drawn := must(Randomisation(append(d, 1e-9), Options{Alternative: alt, Samples: 200000}))
		if exact.Method != "exact" || drawn.Method != "monte-carlo" || drawn.Draws != 200000 {
			t.Fatalf("%+v %+v", exact, drawn)
		}
		if math.Abs(exact.P-drawn.P) > 4*drawn.Error || drawn.Error == 0 || drawn.Error > 0.005 {
			t.Errorf("%v: drawn %v ± %v, exact %v", alt, drawn.P, drawn.Error, exact.P)
		}
	}
}

// statsmodels ttost_paired; DescrStatsW.tconfint_mean(alpha=0.1) for the interval.
func TestTOST(t *testing.T) {
	c := checker{t: t}
	for _, x := range []struct {
		low, high                   float64
		p, tLow, pLow, tHigh, pHigh number
	}{
		{-0.25, 0.25, 0.05402762117300978, 6.1456129842323355, 8.480830393113771e-05, -1.7842102212287423,
			0.05402762117300978},
		{-0.1, 0.4, 0.002219594453743509, 3.7666660225940123, 0.002219594453743509, -4.163157182867066,
			0.0012181278028927307},
		{-0.5, 0.05, 0.9006923413282708, 10.110524586962875, 1.6325723120654894e-06, 1.3877190609556889,
			0.9006923413282708},
	} {
		e := TOST(scoresD, x.low, x.high, 0.05)
		at := fmt.Sprint(x.low, " ", x.high)
		c.near(at+" p", e.P, x.p, 1e-12, 0)
		c.near(at+" t low", e.TLow, x.tLow, 1e-13, 0)
		c.near(at+" p low", e.PLow, x.pLow, 1e-12, 0)
		c.near(at+" t high", e.THigh, x.tHigh, 1e-13, 0)
		c.near(at+" p high", e.PHigh, x.pHigh, 1e-12, 0)
		c.near(at+" low", e.Low, 0.02191653204867064, 1e-12, 0)
		c.near(at+" high", e.High, 0.2530834679513294, 1e-12, 0)
		if (e.P <= 0.05) != (e.Low > x.low && e.High < x.high) {
			t.Errorf("%s: p %v and the interval %v to %v disagree", at, e.P, e.Low, e.High)
		}
	}
	same := []float64{0.125, 0.125, 0.125}
	for _, x := range []struct {
		low, high float64
		p         number
	}{{-0.5, 0.5, 0}, {-0.5, 0.1, 1}, {0.2, 0.5, 1}, {-0.125, 0.125, number(nan)}, {0.5, -0.5, number(nan)}} {
		c.near(fmt.Sprint("no spread ", x.low, " ", x.high), TOST(same, x.low, x.high, 0.05).P, x.p, 0, 0)
	}
	c.done(26)
}

// d_z, its interval by scipy.stats.nct.sf and brentq; scipy.stats.skew.
func TestEffects(t *testing.T) {
	c := checker{t: t}
	dz, low, high := CohenDzInterval(scoresD, 0.95)
	c.near("d_z", dz, 0.6895983262221453, 1e-14, 0)
	c.near("low", low, -0.020072217468233223, 1e-9, 0)
	c.near("high", high, 1.3693848464268237, 1e-10, 0)
	_, low, high = CohenDzInterval(scoresD, 0.9)
	c.near("low", low, 0.09005710177650601, 1e-9, 0)
	c.near("high", high, 1.2561413431764652, 1e-10, 0)
	c.near("skewness", Skewness(scoresD), 0.17660304955393652, 1e-12, 0)
	// by hand: of 16 pairs b is above a in 9, equal in 3
	c.near("Cliff", cliffDelta([]float64{1, 2, 3, 4}, []float64{2, 3, 3, 5}), (9-4)/16.0, 0, 0)
	c.near("paired", PairedDelta(scoresD), 0.4, 0, 1e-16)
	c.near("paired superiority", PairedSuperiority(scoresD), 0.7, 0, 1e-16)
	c.near("paired superiority of nothing", PairedSuperiority(nil), number(nan), 0, 0)
	// nearly constant differences: the interval is that of the standard deviation, by scipy.stats.chi2: √(χ²(α)/9)·d_z
	d := make([]float64, 10)
	for i := range d {
		d[i] = 1 + scoresD[i]*0x1p-20
	}
	dz, low, high = CohenDzInterval(d, 0.95)
	c.near("narrow low", low/dz, 0.5477620631036758, 1e-8, 0)
	c.near("narrow high", high/dz, 1.4538366024129867, 1e-8, 0)
}

// scipy.stats kendalltau, spearmanr, weightedtau, pearsonr.
func TestCorrelation(t *testing.T) {
	c := checker{t: t}
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	y := []float64{2, 1, 4, 3, 7, 8, 6, 5}
	k, s, p := must(KendallTau(x, y)), must(Spearman(x, y)), must(Pearson(x, y))
	c.near("tau", k.B, 0.5, 1e-15, 0)
	c.near("tau p", k.P, 0.10868055555555556, 1e-14, 0)
	c.near("rho", s.Coefficient, 0.7380952380952381, 1e-15, 0)
	c.near("rho p", s.P, 0.03655276105286081, 1e-12, 0)
	c.near("r", p.Coefficient, 0.7380952380952379, 1e-15, 0)
	c.near("r p", p.P, 0.036552761052860906, 1e-12, 0)
	c.near("weighted", must(WeightedTau(x, y)), 0.38577060259057644, 1e-15, 0)
	y = []float64{2, 2, 4, 3, 7, 7, 6, 5}
	k, s = must(KendallTau(x, y)), must(Spearman(x, y))
	c.near("tau b with ties", k.B, 0.5188745216627708, 1e-15, 0)
	c.near("tau b p with ties", k.P, 0.07854585095119067, 1e-13, 0)
	c.near("tau c with ties", k.C, 0.525, 1e-15, 0)
	c.near("rho with ties", s.Coefficient, 0.7470421737034137, 1e-15, 0)
	c.near("rho p with ties", s.P, 0.03317680393916277, 1e-12, 0)
	c.near("weighted with ties", must(WeightedTau(x, y)), 0.358037580730545, 1e-14, 0)
	// by hand, Yilmaz 2008: one exchange costs more at the top
	ref := []float64{5, 4, 3, 2, 1}
	c.near("tau AP top", must(TauAP(ref, []float64{4, 5, 3, 2, 1})), 2.0/4*(0+1+1+1)-1, 1e-15, 0)
	c.near("tau AP end", must(TauAP(ref, []float64{5, 4, 3, 1, 2})), 2.0/4*(1+1+1+0.75)-1, 1e-15, 0)
	c.near("tau AP ties", must(TauAP(ref, []float64{5, 4, 3, 1, 1})), number(nan), 0, 0)
	c.done(16)
}

// Kendall's counts against all pairs.
func TestKendallCountsPairs(t *testing.T) {
	rnd := NewRand(3, 0)
	for range 300 {
		n := 2 + rnd.Intn(20)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(rnd.Intn(8)), float64(rnd.Intn(8))
		}
		var con, dis float64
		for i := range x {
			for j := range i {
				switch p := (x[i] - x[j]) * (y[i] - y[j]); {
				case p > 0:
					con++
				case p < 0:
					dis++
				}
			}
		}
		if k := must(KendallTau(x, y)); k.Concordant != con || k.Discordant != dis {
			t.Fatalf("%v %v: %v and %v, want %v and %v", x, y, k.Concordant, k.Discordant, con, dis)
		}
	}
}

// rbo 0.1.3 (rbo_ext) and the equations of Webber et al. in numpy, as shared/oracle has them.
func TestRBO(t *testing.T) {
	c := checker{t: t}
	s := []string{"a", "b", "c", "d", "e"}
	l := []string{"b", "a", "d", "c", "e", "f", "g", "h", "i", "j"}
	for _, x := range []struct {
		p        float64
		ext, min number
	}{{0.5, 0.45833333333333326, 0.45011090279972654}, {0.8, 0.7573333333333334, 0.6181973905426251},
		{0.9, 0.873, 0.5449889405522477}} {
		for _, o := range []Overlap{must(RBO(s, l, x.p)), must(RBO(l, s, x.p))} {
			c.near(fmt.Sprint("ext ", x.p), o.Ext, x.ext, 1e-14, 0)
			c.near(fmt.Sprint("min ", x.p), o.Min, x.min, 1e-14, 0)
		}
	}
	c.near("same", must(RBO(s, s, 0.9)).Ext, 1, 1e-15, 0)
	c.near("disjoint", must(RBO(s, []string{"x", "y"}, 0.9)).Ext, 0, 0, 0)
	c.near("empty", must(RBO(s, nil, 0.9)).Ext, number(nan), 0, 0)
	for _, x := range []struct {
		s, t []string
		p    float64
	}{{s, []string{"x", "x"}, 0.9}, {[]string{"x", "x"}, s, 0.9}, {s, l, 0}, {s, l, 1}, {s, l, nan}} {
		if _, err := RBO(x.s, x.t, x.p); err == nil {
			t.Errorf("RBO(%v, %v, %v) has no error", x.s, x.t, x.p)
		}
	}
}

// statsmodels multipletests.
func TestCorrections(t *testing.T) {
	c := checker{t: t}
	p := []float64{0.001, 0.04, 0.03, 0.2, 0.03, 0.9}
	for _, x := range []struct {
		name string
		want []number
	}{
		{"bonferroni", []number{0.006, 0.24, 0.18, 1.0, 0.18, 1.0}},
		{"sidak", []number{0.005985019985005999, 0.217242210304, 0.16702799507100002, 0.7378560000000001,
			0.16702799507100002, 0.999999}},
		{"holm", []number{0.006, 0.15, 0.15, 0.4, 0.15, 0.9}},
		{"holm-sidak", []number{0.005985019985005999, 0.14126597429999999, 0.14126597429999999, 0.36,
			0.14126597429999999, 0.9}},
		{"Hochberg", []number{0.006, 0.12, 0.12, 0.4, 0.12, 0.9}},
		{"hommel", []number{0.006, 0.12, 0.09, 0.4, 0.09, 0.9}},
		{"BH", []number{0.006, 0.06, 0.06, 0.24, 0.06, 0.9}},
		{"by", []number{0.0147, 0.147, 0.147, 0.588, 0.147, 1}},
	} {
		k := must(LookupCorrection(x.name))
		for i, v := range k.Adjust(p) {
			c.near(fmt.Sprint(x.name, " ", i), v, x.want[i], 1e-14, 0)
		}
		// a test that has no p does not count
		with := k.Adjust([]float64{0.001, nan, 0.04, 0.03, 0.2, 0.03, 0.9})
		for i, v := range append(with[:1:1], with[2:]...) {
			c.near(fmt.Sprint(x.name, " with NaN ", i), v, x.want[i], 1e-14, 0)
		}
		if with[1] == with[1] {
			t.Errorf("%s: NaN becomes %v", x.name, with[1])
		}
		if len(k.Adjust(nil)) != 0 {
			t.Errorf("%s: something comes of nothing", x.name)
		}
	}
	if _, err := LookupCorrection("bonferoni"); err == nil {
		t.Error("a misspelt name has no error")
	}
	c.done(96)
}

// statsmodels TTestPower.
func TestPower(t *testing.T) {
	c := checker{t: t}
	c.near("power", Power(30, 0.5, 0.05, TwoSided), 0.75396471574379, 1e-12, 0)
	c.near("power greater", Power(30, 0.5, 0.05, Greater), 0.8482541909289824, 1e-12, 0)
	c.near("power less", Power(30, -0.5, 0.05, Less), 0.8482541909289824, 1e-12, 0)
	c.near("n", QueriesNeeded(0.5, 0.05, 0.8, TwoSided), 33.36713118431779, 0, 4e-6)
	c.near("d_z", DetectableEffect(30, 0.05, 0.8, TwoSided), 0.5292357045238948, 0, 4e-6)
	c.near("n for nothing", QueriesNeeded(0, 0.05, 0.8, TwoSided), number(inf), 0, 0)
	c.near("n for much", QueriesNeeded(50, 0.05, 0.8, TwoSided), 2, 0.2, 0)
	c.near("one query", DetectableEffect(1, 0.05, 0.8, TwoSided), number(nan), 0, 0)
}

// mpmath 1.3.0: the integral of the density of s times Φ(δ - ts), 30 digits.
func TestNoncentralT(t *testing.T) {
	c := checker{t: t}
	for _, x := range []struct {
		t, df, delta float64
		sf           number
	}{
		{3.7469, 4, 0.2236, 0.015279738282840932},
		{2, 19, 3, 0.83564352841871242},
		{0.5, 4, 0, 0.32166498159093164},
		{30, 9, 29, 0.50619596424123723},
		{30, 9, 31, 0.61567315785127509},
		{1000, 9, 990, 0.54603088051750707},
		{5, 299, 4, 0.1646189757334295},
		{100, 49, 101, 0.56559390400882752},
		{2, 1, 1, 0.37712803553971835},
		{150, 299, 149, 0.44657847222497982},
		{150, 299, 160, 0.94730107356311244},
		{50, 4, 45, 0.48144418471046753},
		{-1, 10, 2, 0.99818356658957035},
		{-3, 10, -1.5, 0.88335162423435524},
		{2000, 1e4, 2010, 0.76097992548256056},
		{0, 7, 1.3, 0.90319951541438967},
	} {
		c.near(fmt.Sprint(x.t, " ", x.df, " ", x.delta), noncentralT(x.t, x.df, x.delta), x.sf, 1e-13, 0)
	}
}

// scipy.stats; the studentised range with 20 and 10 degrees of freedom by mpmath 1.3.0 too (scipy is good for 9 digits
// there).
func TestDistributions(t *testing.T) {
	c := checker{t: t}
	c.near("normal", NormalQuantile(0.975), 1.959963984540054, 1e-15, 0)
	c.near("t quantile", StudentQuantile(0.975, 10), 2.228138851986274, 1e-14, 0)
	c.near("t", StudentSF(2.5, 7), 0.020496109292876444, 1e-13, 0)
	c.near("χ²", ChiSquareSF(3.84, 1), 0.05004352124870519, 1e-13, 0)
	c.near("χ² complement", ChiSquareCDF(3.84, 1), 1-0.05004352124870519, 1e-14, 0)
	c.near("F", FSF(4, 3, 20), 0.022076999662362404, 1e-12, 0)
	c.near("binomial", BinomialCDF(3, 10, 0.3), 0.6496107184000002, 1e-13, 0)
	c.near("beta", betaInc(2, 5, 0.3), 0.5798250000000003, 1e-14, 0)
	// mpmath 1.3.0
	c.near("t at 1e6", StudentSF(1.96, 1e6), 0.024998033792634895343, 1e-12, 0)
	c.near("t at 1e6", StudentSF(10, 1e6), 7.6393053840891247767e-24, 1e-12, 0)
	// quantiles undo what they are quantiles of
	for _, p := range []float64{1e-300, 1e-12, 0.001, 0.2, 0.3, 0.31, 0.4999, 0.5000001, 0.7, 0.99} {
		c.near("normal there and back", NormalCDF(NormalQuantile(p)), number(p), 1e-12, 0)
		for _, df := range []float64{0.7, 1, 2.5, 30, 1e5} {
			if q := StudentQuantile(p, df); !math.IsInf(q, 0) && math.Abs(q) < 1e100 {
				c.near(fmt.Sprint("t there and back ", p, " ", df), StudentCDF(q, df), number(p), 1e-11, 0)
			}
		}
	}
	for _, x := range []struct {
		name string
		got  float64
		want number
	}{
		{"NormalQuantile(0)", NormalQuantile(0), number(-inf)}, {"NormalQuantile(1)", NormalQuantile(1), number(inf)},
		{"NormalQuantile(-1)", NormalQuantile(-1), number(nan)},
		{"StudentQuantile(0)", StudentQuantile(0, 3), number(-inf)},
		{"StudentQuantile(1)", StudentQuantile(1, 3), number(inf)}, {"StudentSF(Inf)", StudentSF(inf, 3), 0},
		{"StudentSF(-Inf)", StudentSF(-inf, 3), 1}, {"StudentSF(0)", StudentSF(0, 3), 0.5},
		{"StudentSF df 0", StudentSF(1, 0), number(nan)},
		{"StudentSF df Inf", StudentSF(1.96, inf), number(NormalSF(1.96))},
		{"ChiSquareSF(0)", ChiSquareSF(0, 3), 1}, {"ChiSquareSF(Inf)", ChiSquareSF(inf, 3), 0},
		{"ChiSquareSF df -1", ChiSquareSF(1, -1), number(nan)},
		{"FSF(0)", FSF(0, 3, 4), 1}, {"FSF(Inf)", FSF(inf, 3, 4), 0}, {"FSF d1 0", FSF(1, 0, 4), number(nan)},
		{"BinomialCDF(-1)", BinomialCDF(-1, 3, 0.5), 0}, {"BinomialCDF(3 of 3)", BinomialCDF(3, 3, 0.5), 1},
		{"BinomialCDF p 2", BinomialCDF(1, 3, 2), number(nan)},
		{"BetaInc(0)", betaInc(2, 3, 0), 0}, {"BetaInc(1)", betaInc(2, 3, 1), 1},
		{"BetaInc(2)", betaInc(2, 3, 2), number(nan)}, {"BetaInc a 0", betaInc(0, 3, 0.5), number(nan)},
	} {
		c.near(x.name, x.got, x.want, 1e-15, 0)
	}
}

// Differences that are equal on paper are equal, whatever their rounding: the behaviour this package decides for.
func TestNoSpread(t *testing.T) {
	c := checker{t: t}
	d := []float64{0.3 - 0.2, 0.5 - 0.4, 0.7 - 0.6, 1.0 - 0.9} // 0.1 but for rounding
	c.near("sd", SD(d), 0, 0, 0)
	c.near("t", must(PairedT(d, Options{})).Statistic, number(inf), 0, 0)
	c.near("p", must(PairedT(d, Options{})).P, 0, 0, 0)
	c.near("p less", must(PairedT(d, Options{Alternative: Less})).P, 1, 0, 0)
	c.near("d_z", CohenDz(d), number(nan), 0, 0)
	c.near("skewness", Skewness(d), number(nan), 0, 0)
	c.near("randomisation", must(Randomisation(d, Options{})).P, 0.125, 0, 0)
	zero := make([]float64, 5)
	c.near("zero t", must(PairedT(zero, Options{})).P, number(nan), 0, 0)
	c.near("zero wilcoxon", must(Wilcoxon(zero, Options{})).P, 1, 0, 0)
	c.near("zero wilcoxon exact pratt", must(Wilcoxon(zero, Options{Method: Exact, Zeros: Pratt})).P, 1, 0, 0)
	c.near("zero sign", must(Sign(zero, Options{})).P, number(nan), 0, 0)
	c.near("zero randomisation", must(Randomisation(zero, Options{})).P, 1, 0, 0)
}

// What is too short or not finite has no result, and no panic.
func TestNotDefined(t *testing.T) {
	for _, d := range [][]float64{nil, {}, {nan}, {1, nan}, {inf, 1, 2}, {1, 2, -inf}} {
		for _, test := range All() {
			if r := must(test.Run(d, Options{})); r.P == r.P || r.Statistic == r.Statistic && test.Name != "sign" {
				t.Errorf("%s of %v: %+v", test.Name, d, r)
			}
		}
	}
	if r := must(PairedT([]float64{1}, Options{})); r.P == r.P {
		t.Errorf("t of one difference: %+v", r)
	}
	if r := must(Randomisation([]float64{1}, Options{})); r.P != 1 {
		t.Errorf("randomisation of one difference: %+v", r)
	}
}

func TestAgreement(t *testing.T) {
	c := checker{t: t}
	// sklearn.metrics.cohen_kappa_score, as shared/oracle has it
	a, b := []int{0, 3, 2, 1, 1, 3, 3, 2, 3, 1}, []int{3, 3, 2, 1, 1, 3, 2, 2, 3, 1}
	c.near("Cohen", must(CohenKappa(a, b, Unweighted)), 0.7101449275362319, 1e-14, 0)
	c.near("Cohen linear", must(CohenKappa(a, b, Linear)), 0.6153846153846154, 1e-14, 0)
	c.near("Cohen quadratic", must(CohenKappa(a, b, Quadratic)), 0.4505494505494505, 1e-14, 0)
	c.near("Cohen one grade", must(CohenKappa([]int{1, 1}, []int{1, 1}, Unweighted)), number(nan), 0, 0)
	// statsmodels fleiss_kappa
	table := [][]int{{2, 0, 1, 0}, {0, 1, 1, 1}, {0, 3, 0, 0}, {1, 0, 0, 2}, {1, 0, 1, 1}, {1, 0, 1, 1}, {0, 0, 3, 0},
		{0, 1, 2, 0}, {1, 1, 1, 0}, {0, 0, 0, 3}}
	c.near("Fleiss", must(FleissKappa(table)), 0.18674698795180725, 1e-14, 0)
	c.near("Randolph", must(RandolphKappa(table)), 0.2, 1e-14, 0)
	// two raters agree on two of three subjects, each category has half of the ratings: (2/3 − 1/2) / (1 − 1/2)
	c.near("Fleiss two raters", must(FleissKappa([][]int{{2, 0}, {0, 2}, {1, 1}})), 1.0/3, 1e-15, 0)
	c.near("Fleiss one category", must(FleissKappa([][]int{{3, 0}, {3, 0}})), number(nan), 0, 0)
	// krippendorff 0.9.0
	r := [][]float64{
		{nan, 1, 2, 0, 3, nan, nan, 3, 1, nan, nan, 1},
		{1, nan, 2, 0, 3, 0, 1, nan, nan, 1, nan, 1},
		{0, 3, 2, 0, nan, 1, 1, 2, 1, 3, 3, 3},
	}
	for s, want := range []number{0.3571428571428571, 0.5386329113924051, 0.48863636363636365, 0.44387434941493487} {
		c.near(fmt.Sprint("Krippendorff ", s), must(KrippendorffAlpha(r, Scale(s))), want, 1e-14, 0)
	}
	c.near("Krippendorff of nothing", must(KrippendorffAlpha([][]float64{{nan}, {1}}, Nominal)), number(nan), 0, 0)
	for name, err := range map[string]error{
		"Cohen":        second(CohenKappa(a, b[1:], Linear)),
		"Fleiss":       second(FleissKappa([][]int{{2, 0}, {1, 0}})),
		"Fleiss rows":  second(FleissKappa([][]int{{2, 0}, {2}})),
		"Randolph":     second(RandolphKappa([][]int{{2, -1}, {1, 0}})),
		"Krippendorff": second(KrippendorffAlpha([][]float64{{1, 2}, {1}}, Nominal)),
		"Kendall":      second(KendallTau([]float64{1}, nil)),
		"Spearman":     second(Spearman([]float64{1}, nil)),
		"Pearson":      second(Pearson([]float64{1}, nil)),
		"weighted":     second(WeightedTau([]float64{1}, nil)),
		"tau AP":       second(TauAP([]float64{1}, nil)),
		"Compare":      second(Compare(Table{{1}, {1, 2}}, CompareOptions{})),
		"test":         second(Lookup("T")),
		"Compare test": second(Compare(Table{{1}, {1}}, CompareOptions{Test: "u"})),
		"Compare corr": second(Compare(Table{{1}, {1}}, CompareOptions{Correction: "u"})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	c.done(12)
}

func second[T any](_ T, err error) error { return err }
