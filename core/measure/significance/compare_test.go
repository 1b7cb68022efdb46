package significance

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// repeat returns n differences that cycle through some.
func repeat(n int, some ...float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = some[i%len(some)]
	}
	return d
}

// untied is repeat with non-zero values that all differ a little.
func untied(n int, some ...float64) []float64 {
	d := repeat(n, some...)
	for i := range d {
		d[i] *= 1 + float64(i)*1e-6
	}
	return d
}

func TestChoose(t *testing.T) {
	skewed := untied(40, 0.01, 0.02, -0.01, 0.03)
	skewed[0] = 3
	for _, x := range []struct {
		name string
		d    [][]float64
		test string
		want string // the reason and the kinds of doubts
	}{
		{"many queries", [][]float64{untied(200, 0.1, -0.2, 0.3, 0.05, -0.1)}, "t", "normal mean"},
		{"skewed", [][]float64{skewed}, "randomisation", "skewed: few decide, one outweighs"},
		{"few queries", [][]float64{untied(20, 0.1, -0.2, 0.3, 0.05)}, "randomisation", "few queries"},
		{"very few queries", [][]float64{untied(5, 0.1, -0.2, 0.3)}, "randomisation",
			"few queries: few differ, little power"},
		{"zero or one", [][]float64{repeat(50, 1, 0, -1, 0, 1)}, "sign", "one size"},
		{"one size but for rounding",
			[][]float64{{0.3 - 0.2, 0.4 - 0.5, 0.7 - 0.6, 0.1, 0.1, 0.1, -0.1, 0.1, 0.1, 0.1, 0.1, 0.1}}, "sign",
			"one size"},
		{"mostly zeros", [][]float64{untied(100, 0, 0, 0.1, 0, -0.2, 0.15)}, "t", "normal mean: many equal"},
		{"ties", [][]float64{repeat(60, 0.1, -0.2, 0.3, 0.05)}, "t", "normal mean: tied approximate"},
		{"nothing differs", [][]float64{repeat(30, 0)}, "randomisation", "no difference"},
		{"one query", [][]float64{{0.5}}, "randomisation", "too few"},
		{"no query", [][]float64{{}}, "randomisation", "too few"},
		{"nothing", nil, "randomisation", "too few"},
		{"not finite", [][]float64{{nan, 1}}, "randomisation", "none finite: some not finite"},
		{"one pair of three is skewed", [][]float64{untied(40, 0.1, -0.2, 0.3), skewed, untied(40, 0.1, 0.2, -0.1)},
			"randomisation", "skewed: few decide, one outweighs"},
		{"enough for one pair, too few for six", [][]float64{untied(7, 0.1, -0.2, 0.3), untied(7, 0.2, -0.2, 0.3),
			untied(7, 0.1, 0.2, 0.3), untied(7, 0.1, -0.2, 0.3), untied(7, 0.2, -0.2, 0.3), untied(7, 0.1, 0.2, 0.3)},
			"randomisation", "few queries: few for so many, little power"},
		{"one pair of two never differs", [][]float64{repeat(50, 0), untied(50, 0.1, -0.3, 0.2)}, "t",
			"normal mean: never differs"},
		{"one pair of two hardly differs", [][]float64{append(repeat(49, 0), 0.5), untied(50, 0.1, -0.3, 0.2)},
			"randomisation", "skewed: few differ, few decide, one outweighs"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := Choose(x.d...)
			got := string(c.Reason)
			for i, d := range c.Doubts {
				got += map[bool]string{true: ": ", false: ", "}[i == 0] + string(d.Kind)
			}
			if c.Test != x.test || got != x.want {
				t.Errorf("%s, %s: %+v", c.Test, got, c)
			}
			if _, err := Lookup(c.Test); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	for _, x := range []struct {
		name  string
		means []float64
		same  []string // pairs that are not significantly different, "0-2"
		want  string
	}{
		{"all apart", []float64{1, 3, 2}, nil, "[c a b]"},
		{"all the same", []float64{1, 3, 2}, []string{"0-1", "0-2", "1-2"}, "[a a a]"},
		{"a chain", []float64{4, 3, 2, 1}, []string{"0-1", "1-2", "2-3"}, "[a ab bc c]"},
		// Piepho 2004 calls for this: the means of 0 and 3 are apart, as are those of 0 and 2
		{"overlap", []float64{9, 8, 7, 6}, []string{"0-1", "1-2", "1-3", "2-3"}, "[a ab b b]"},
		{"not an interval", []float64{4, 3, 2, 1}, []string{"0-3", "1-2"}, "[a b b a]"},
		{"a square", []float64{4, 3, 2, 1}, []string{"0-1", "1-3", "3-2", "0-2"}, "[ab ac bd cd]"},
		{"NaN is last", []float64{nan, 1, 2}, nil, "[c b a]"},
		{"equal means keep their order", []float64{2, 2, 1}, nil, "[a b c]"},
		{"one", []float64{1}, nil, "[a]"},
		{"none", nil, nil, "[]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := fmt.Sprint(Groups(x.means, func(i, j int) bool {
				for _, s := range x.same {
					if s == fmt.Sprint(i, "-", j) || s == fmt.Sprint(j, "-", i) {
						return true
					}
				}
				return false
			}))
			if got != x.want {
				t.Errorf("%s, want %s", got, x.want)
			}
		})
	}
}

// Two systems share a letter exactly if they are not significantly different, whatever the relation.
func TestGroupsSayWhatTheyWereTold(t *testing.T) {
	rnd := NewRand(11, 0)
	for range 300 {
		k := 1 + rnd.Intn(14)
		means := make([]float64, k)
		for i := range means {
			means[i] = float64(rnd.Intn(6))
		}
		odds := rnd.Intn(11)
		same := map[[2]int]bool{}
		g := Groups(means, func(i, j int) bool {
			if i >= j {
				t.Fatalf("asked for %d and %d", i, j)
			}
			same[[2]int{i, j}] = rnd.Intn(10) < odds
			return same[[2]int{i, j}]
		})
		for i := range g {
			if g[i] == "" {
				t.Fatalf("system %d has no letter: %q", i, g)
			}
			for j := i + 1; j < k; j++ {
				if got := strings.ContainsAny(g[i], strings.ReplaceAll(g[j], " ", "")); len(g[i]) < 40 &&
					got != same[[2]int{i, j}] {
					t.Fatalf("%d and %d: %q, same %v", i, j, g, same)
				}
			}
			for k := 1; k < len(g[i]) && !strings.Contains(g[i], " "); k++ {
				if strings.IndexByte(alphabet, g[i][k-1]) >= strings.IndexByte(alphabet, g[i][k]) {
					t.Fatalf("%q: letters out of order", g)
				}
			}
		}
		// no letter can be left out: without it a system has none, or a pair that are not significantly different shares none
		for _, l := range alphabet {
			used, needed := false, false
			for i := range g {
				if !strings.ContainsRune(g[i], l) {
					continue
				}
				used = true
				for j := range g {
					if rest := strings.ReplaceAll(g[j], string(l), ""); strings.ContainsRune(g[j], l) &&
						!strings.ContainsAny(g[i], rest) {
						needed = true
					}
				}
			}
			if used && !needed && !strings.Contains(strings.Join(g, ""), " ") {
				t.Fatalf("%q: %c says nothing new, same %v", g, l, same)
			}
		}
	}
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func TestLetters(t *testing.T) {
	seen := map[string]bool{}
	for i := range 2000 {
		l := letter(i)
		if seen[l] {
			t.Fatalf("letter %d is %q again", i, l)
		}
		seen[l] = true
	}
	if letter(25) != "z" || letter(26) != "A" || letter(51) != "Z" || letter(52) != "aa" || letter(53) != "ab" {
		t.Error(letter(25), letter(26), letter(51), letter(52), letter(53))
	}
	for k, want := range map[int]string{53: "ab", 54: "a b"} { // 52 letters, and one more
		if g := Groups(make([]float64, k), func(i, j int) bool { return j == i+1 }); g[1] != want {
			t.Errorf("%d in a chain: the second is %q, want %q", k, g[1], want)
		}
	}
	// 60 systems, all apart: the letters are separated
	means := make([]float64, 60)
	for i := range means {
		means[i] = -float64(i)
	}
	if g := Groups(means, func(i, j int) bool { return j == i+1 }); g[52] != "Z aa" {
		t.Errorf("%q", g[52])
	}
}

// Compare is the single functions.
func TestCompare(t *testing.T) {
	for _, x := range []struct{ systems, queries int }{{5, 80}, {2, 80}, {4, 20}, {3, 4}} {
		table := simulated(x.systems, x.queries, 2)
		o := Options{Seed: 5, Samples: 2000}
		c := must(Compare(table, CompareOptions{Options: o}))
		if c.Queries != x.queries || len(c.Pairs) != x.systems*(x.systems-1)/2 || c.Test != c.Choice.Test ||
			c.Correction != "holm" || c.Alpha != 0.05 {
			t.Fatalf("%+v", c)
		}
		var ps []float64
		for _, r := range c.Pairs {
			a, b := table[r.I], table[r.J]
			d := must(Differences(a, b))
			at := fmt.Sprint(x, " ", r.I, " ", r.J)
			for i, test := range All() {
				want := must(test.Run(d, o))
				if got := r.Tests[i]; fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s %s: %+v, want %+v", at, test.Name, got, want)
				}
				if test.Name == c.Test && r.P != want.P {
					t.Errorf("%s: p %v, want %v", at, r.P, want.P)
				}
			}
			dz, low, high := CohenDzInterval(d, 0.95)
			if r.Difference != Mean(d) || r.Dz != dz || r.DzLow != low || r.DzHigh != high || r.G != HedgesG(d) ||
				r.Cliff != cliffDelta(a, b) || r.Superiority != PairedSuperiority(d) {
				t.Errorf("%s: %+v", at, r)
			}
			if want := SD(d) * DetectableEffect(float64(x.queries), 0.05, 0.8,
				TwoSided); math.Abs(r.Detectable-want) > 1e-15 {
				t.Errorf("%s: detectable %v, want %v", at, r.Detectable, want)
			}
			ps = append(ps, r.P)
		}
		for p, q := range Holm(ps) {
			r := c.Pairs[p]
			if r.Adjusted != q {
				t.Errorf("%v: adjusted %v, want %v", x, r.Adjusted, q)
			}
			shared := strings.ContainsAny(c.Systems[r.I].Group, c.Systems[r.J].Group)
			if shared != !(q <= 0.05) {
				t.Errorf("%v: %d %q and %d %q with p %v", x, r.I, c.Systems[r.I].Group, r.J, c.Systems[r.J].Group, q)
			}
		}
		for i, s := range c.Systems {
			if s.Mean != Mean(table[i]) || s.SD != SD(table[i]) {
				t.Errorf("system %d: %+v", i, s)
			}
		}
	}
}

// 20 systems make 190 pairs: with 2,000 draws the smallest p, 2/2001, would be 0.19 after Holm, and nothing could ever
// be told apart. 401 × 190 draws make it 2/76,191 × 190 = 0.00499, below a tenth of 5 %. One system is far above the others on every query.
func TestCompareDrawsEnoughForItsPairs(t *testing.T) {
	rnd := NewRand(5, 0)
	table := make(Table, 20)
	for i := range table {
		for range 300 {
			v := float64(rnd.Intn(64)) / 1024
			if i == 19 {
				v += 1
			}
			table[i] = append(table[i], v)
		}
	}
	c := must(Compare(table, CompareOptions{Options: Options{Samples: 2000}, Test: "randomisation"}))
	least := 1.0
	for _, p := range c.Pairs {
		least = min(least, p.Adjusted)
		if r := p.Tests[1]; r.Test != "randomisation" || r.Draws != 401*190 {
			t.Fatalf("%s drew %d", r.Test, r.Draws)
		}
		if one := must(Randomisation(must(Differences(table[p.I], table[p.J])), Options{Samples: 401 * 190})); math.Abs(
			one.P-p.P) > 6*one.Error+1e-4 {
			t.Errorf("pair %d-%d: p %v, alone %v", p.I, p.J, p.P, one.P)
		}
	}
	if least > 0.005 {
		t.Errorf("the smallest adjusted p is %v", least)
	}
}

func TestCompareOfLittle(t *testing.T) {
	for _, x := range []struct {
		name  string
		t     Table
		pairs int
	}{
		{"nothing", nil, 0},
		{"one system", Table{{0.5, 0.25}}, 0},
		{"no queries", Table{{}, {}}, 1},
		{"one query", Table{{0.5}, {0.25}, {0.75}}, 3},
		{"NaN", Table{{0.5, nan}, {0.25, 0.5}, {0.75, 1}}, 3},
		{"the same twice", Table{repeat(40, 0.5, 0.2), repeat(40, 0.5, 0.2)}, 1},
	} {
		c, err := Compare(x.t, CompareOptions{Options: Options{Samples: 100}})
		if err != nil || len(c.Pairs) != x.pairs || len(c.Systems) != len(x.t) {
			t.Errorf("%s: %+v, %v", x.name, c, err)
			continue
		}
		for i, s := range c.Systems {
			if s.Group == "" {
				t.Errorf("%s: system %d has no group", x.name, i)
			}
		}
	}
	c := must(Compare(Table{{0.5, nan, 1}, {0.25, 0.5, 1}, {0.75, 1, 1}},
		CompareOptions{Test: "wilcoxon", Correction: "bh", Alpha: 0.5}))
	if c.Test != "wilcoxon" || c.Correction != "fdr_bh" || c.Alpha != 0.5 {
		t.Errorf("%+v", c)
	}
	if c.Pairs[0].P == c.Pairs[0].P || c.Pairs[2].P != c.Pairs[2].P || c.Pairs[2].Adjusted != c.Pairs[2].Adjusted {
		t.Errorf("a NaN of one system should touch its pairs only: %+v", c.Pairs)
	}
}

// Cancel is asked often and obeyed at every place.
func TestCancel(t *testing.T) {
	table := simulated(8, 200, 1)
	asked := 0
	if _, err := Compare(table,
		CompareOptions{Options: Options{Cancel: func() bool { asked++; return false }}}); err != nil || asked < 10 {
		t.Fatalf("asked %d times: %v", asked, err)
	}
	for stop := 1; stop < asked; stop += 3 {
		n := 0
		c, err := Compare(table, CompareOptions{Options: Options{Cancel: func() bool { n++; return n >= stop }}})
		if !errors.Is(err, ErrCancelled) || c != nil || n != stop {
			t.Fatalf("stopped at %d: %v, asked %d times", stop, err, n)
		}
	}
	yes := Options{Cancel: func() bool { return true }, Samples: MaxSamples + 5}
	for name, f := range map[string]func() error{
		"randomisation": func() error { return second(Randomisation(simulated(1, 100, 1)[0], yes)) },
	} {
		if err := f(); !errors.Is(err, ErrCancelled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRegistry(t *testing.T) {
	for _, x := range All() {
		if got := must(Lookup(x.Name)); got.Title != x.Title {
			t.Errorf("%s: found %s", x.Name, got.Title)
		}
		for field, text := range map[string]string{"title": x.Title, "hypothesis": x.Hypothesis, "assumes": x.Assumes,
			"formula": x.Formula, "use": x.Use, "reference": x.Reference} {
			if text == "" {
				t.Errorf("%s: no %s", x.Name, field)
			}
		}
		if r := must(x.Run([]float64{1, 2, 3}, Options{})); r.Test != x.Name {
			t.Errorf("%s calls itself %s", x.Name, r.Test)
		}
	}
	for _, x := range Corrections() {
		for field, text := range map[string]string{"title": x.Title, "controls": x.Controls, "assumes": x.Assumes,
			"formula": x.Formula, "reference": x.Reference} {
			if text == "" {
				t.Errorf("%s: no %s", x.Name, field)
			}
		}
	}
	seen := map[string]bool{}
	for _, x := range Terms() {
		if x.Name == "" || x.Title == "" || x.Chapter == "" || x.Brief == "" || x.Use+x.Formula+x.Reference == "" ||
			seen[x.Name] {
			t.Errorf("%s: something is not said, or it is said twice", x.Name)
		}
		seen[x.Name] = true
	}
	for alias := range correctionAliases {
		must(LookupCorrection(alias))
	}
	if s := fmt.Sprint(TwoSided, Less, Greater, Alternative(7), Drop, Pratt, Split,
		ZeroMethod(7)); s != "two-sided less greater alternative(7) wilcox pratt zsplit zeros(7)" {
		t.Error(s)
	}
}

// The first numbers of xoshiro256** from the state 1, 2, 3, 4, as rand_xoshiro 0.6 (Rust) tests them, and of seed 1 by
// a transcription of the authors' C code of generator and splitmix64 into Python.
func TestRand(t *testing.T) {
	rnd := &Rand{1, 2, 3, 4}
	for i, want := range []uint64{11520, 0, 1509978240, 1215971899390074240} {
		if got := rnd.Uint64(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
	rnd = NewRand(1, 0)
	for i, want := range []uint64{0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514} {
		if got := rnd.Uint64(); got != want {
			t.Errorf("number %d of seed 1 is %#x, want %#x", i, got, want)
		}
	}
}

// The uniformity of Intn by χ².
func TestIntnIsUniform(t *testing.T) {
	for _, n := range []int{2, 3, 10, 300} {
		rnd := NewRand(uint64(n), 4)
		seen := make([]float64, n)
		draws := 2000 * n
		for range draws {
			seen[rnd.Intn(n)]++
		}
		chi := 0.0
		for _, s := range seen {
			chi += (s - 2000) * (s - 2000) / 2000
		}
		if p := ChiSquareSF(chi, float64(n-1)); p < 0.001 || p > 0.999 {
			t.Errorf("n=%d: χ² %v, p %v", n, chi, p)
		}
	}
	if NewRand(1, 0).Uint64() == NewRand(1, 1).Uint64() || NewRand(1, 0).Uint64() == NewRand(2, 0).Uint64() {
		t.Error("streams or seeds give the same numbers")
	}
	// 2³¹ is rejected now and then, and stays in range
	rnd := NewRand(1, 0)
	for range 1000 {
		if v := rnd.Intn(1<<31 - 1); v < 0 || v >= 1<<31-1 {
			t.Fatal(v)
		}
	}
}

// A test that holds its level rejects true hypotheses as often as it says, and an interval that holds its level misses
// as often.
func TestLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 2000 experiments")
	}
	rnd := NewRand(77, 0)
	rejected := map[string]float64{}
	const runs = 2000
	for i := range runs {
		d := make([]float64, 40)
		for q := range d {
			d[q] = float64(rnd.Intn(2001)-1000) / 1000
		}
		o := Options{Seed: uint64(i), Samples: 999}
		for _, test := range All() {
			if must(test.Run(d, o)).P <= 0.05 {
				rejected[test.Name]++
			}
		}
	}
	for name, n := range rejected {
		least := 0.035
		if name == "sign" { // discrete: with 40 queries its level is 0.038
			least = 0.025
		}
		if n/runs < least || n/runs > 0.065 {
			t.Errorf("%s rejects %v of true hypotheses", name, n/runs)
		}
	}
	if len(rejected) != len(All()) {
		t.Errorf("%v", rejected)
	}
}

// Two systems that are alike are a pair like the others: what the third one's p is corrected for does not depend on the
// test's saying nothing about zeros. The sign test of 10 of 10 is 2/1024, by Holm over three pairs 3 times that.
func TestCompareCountsPairsThatAreAlike(t *testing.T) {
	same, better := make([]float64, 10), make([]float64, 10)
	for i := range better {
		better[i] = 1 + float64(i)
	}
	for _, test := range []string{"sign", "t", "wilcoxon", "randomisation"} {
		c, err := Compare(Table{same, same, better}, CompareOptions{Test: test})
		if err != nil {
			t.Fatal(err)
		}
		if c.Pairs[0].P != 1 || c.Pairs[0].Adjusted != 1 {
			t.Errorf("%s: p of two that are alike is %v, %v corrected", test, c.Pairs[0].P, c.Pairs[0].Adjusted)
		}
		if got, want := c.Pairs[1].Adjusted, 3*c.Pairs[1].P; math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v corrected for three pairs is %v", test, c.Pairs[1].P, got)
		}
		if test == "sign" && math.Abs(c.Pairs[1].P-2.0/1024) > 1e-15 {
			t.Errorf("sign: %v", c.Pairs[1].P)
		}
	}
}

// What a report has of a comparison is the same where only that is worked out.
func TestCompareBriefly(t *testing.T) {
	rng := NewRand(7, 1)
	table := make(Table, 5)
	for i := range table {
		for range 30 {
			table[i] = append(table[i], float64(rng.Uint64()>>40)/float64(1+i))
		}
	}
	for _, test := range []string{"", "randomisation", "wilcoxon"} {
		o := CompareOptions{Options: Options{Seed: 3, Samples: 500}, Test: test}
		whole, err := Compare(table, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Brief = true
		brief, err := Compare(table, o)
		if err != nil {
			t.Fatal(err)
		}
		for p, w := range whole.Pairs {
			if b := brief.Pairs[p]; b.P != w.P || b.Adjusted != w.Adjusted || b.Dz != w.Dz || b.Better != w.Better ||
				len(b.Tests) != 1 {
				t.Errorf("%s: pair %d: %+v, want %+v", test, p, b, w)
			}
		}
		for i, w := range whole.Systems {
			if b := brief.Systems[i]; b.Mean != w.Mean || b.SD != w.SD || b.Group != w.Group {
				t.Errorf("%s: system %d: %+v, want %+v", test, i, brief.Systems[i], w)
			}
		}
	}
}
