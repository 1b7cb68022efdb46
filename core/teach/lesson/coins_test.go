package lesson

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// The exact share equals significance's p, and enumerating all assignments agrees.
func TestAllWaysAreTheExactP(t *testing.T) {
	for name, d := range map[string][]float64{
		"by hand: 6 of 32 are as far out":            {.06, .04, .03, .01, -.02},
		"a mean below 0":                             {-.3, .1, -.2, -.15},
		"ties with the measured mean, not in binary": {.1, .2, .3, -.1, .1, .2},
		"a difference of 0":                          {.2, 0, .1, .3},
		"ten": {-.0724, .0631, -.0131, .1184, -.0278, .0512, 0, .1018, -.0402,
			.1518},
		"all alike, so that the measured is the most": {.5, .5, .5, .5},
	} {
		c, err := NewCoins(make([]string, len(d)), d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := significance.Randomisation(d, significance.Options{})
		if err != nil || p.Method != "exact" || c.Share != p.P || c.Ways != p.Draws || c.Mean != p.Statistic {
			t.Errorf("%s: share %v of %d ways, want %+v, %v", name, c.Share, c.Ways, p, err)
		}
		all := c.All()
		if got := float64(all.Far) / float64(all.Made); got != c.Share || all.Made != 1<<len(d) {
			t.Errorf("%s: %d of %d ways are as far out, p is %v", name, all.Far, all.Made, c.Share)
		}
		// the means beyond the edges are those at least as extreme
		sum, far := 0, 0
		for i, n := range all.Bars {
			sum += n
			if i < len(all.Bars)/2-c.Edge() || i >= len(all.Bars)/2+c.Edge() {
				far += n
			}
		}
		if sum != all.Made || far != all.Far {
			t.Errorf("%s: %v has %d beyond %d, want %d of %d", name, all.Bars, far, c.Edge(), all.Far, all.Made)
		}
	}
	// By hand: +6 +4 +3 +1 −2 has the sum 12; at least as large are 12, 14 (with −1 and +2) and 16, and as many
	// below 0.
	c, err := NewCoins(make([]string, 5), []float64{.06, .04, .03, .01, -.02})
	if err != nil || c.Share != 6.0/32 || c.Exactly() != "All 32 ways to set the signs give 18.8\u00a0%: p is 0.188." {
		t.Errorf("%+v, %v: %s", c, err, c.Exactly())
	}
}

func TestTossesAreCountedAndTheSameForTheSameSeed(t *testing.T) {
	c, err := NewCoins([]string{"a", "b", "c", "d"}, []float64{.3, -.1, .2, .15})
	if err != nil {
		t.Fatal(err)
	}
	one := c.Toss("4711")
	if one.Says() != "" {
		t.Errorf("before the first: %s", one.Says())
	}
	one.Add(1)
	if one.Made != 1 || !strings.Contains(one.Says(), " of 1 toss, ") {
		t.Errorf("%+v", one)
	}
	want := 0.0
	for i, v := range c.D {
		if one.Last>>i&1 != 0 {
			v = -v
		}
		want += v / 4
	}
	if math.Abs(one.Now-want) > 1e-15 {
		t.Errorf("the mean is %v, want %v", one.Now, want)
	}
	for i := range 30 {
		before := slices.Clone(one.Bars)
		one.Add(100)
		grown := 0
		for j, n := range one.Bars {
			if n < before[j] {
				t.Fatalf("bar %d has shrunk", j)
			}
			grown += n - before[j]
		}
		if one.Made != 101+100*i || grown != 100 {
			t.Fatalf("%d tosses, %d more", one.Made, grown)
		}
	}
	again, other := c.Toss("4711"), c.Toss("4712")
	again.Add(3001)
	other.Add(3001)
	if again.Far != one.Far || !slices.Equal(again.Bars, one.Bars) || slices.Equal(other.Bars, one.Bars) {
		t.Errorf("%v, again %v, of another seed %v", one.Bars, again.Bars, other.Bars)
	}
	// The share converges to p: within four standard errors.
	if got := float64(one.Far) / 3001; math.Abs(got-c.Share) > 4*math.Sqrt(c.Share*(1-c.Share)/3001) {
		t.Errorf("%v of the tosses, p is %v", got, c.Share)
	}
}

func TestABlockOfCoinsIsChecked(t *testing.T) {
	m := &comparison{&report.Report{Systems: []report.System{{Label: "old"}, {Label: "new"}},
		Queries: []report.Query{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two"}, {ID: "q3", Text: "three"}},
		Columns: []report.Column{{Measure: "AP", Values: [][]float64{{.1, .5, .2}, {.4, .4, .2}}},
			{Measure: "RR", Values: [][]float64{{1, .5, .5}, {.5, 1, .5}}}}}}
	r := &resolver{facts: map[string]fact{"m": m, "g": &table{}}}
	b, err := r.block(raw{kind: Coin, text: "coins m B A AP 3 : of {m n} queries"})
	if err != nil || b.Kind != Coin || b.Note != "of 3 queries" || b.minutes(wordsAMinute) < toToss {
		t.Fatalf("%+v, %v", b, err)
	}
	c, err := b.Coins()
	if err != nil || !slices.Equal(c.Queries, []string{"one", "two", "three"}) || math.Abs(c.D[0]-.3) > 1e-15 ||
		math.Abs(c.D[1]+.1) > 1e-15 || c.D[2] != 0 || c.Ways != 4 {
		t.Errorf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"coins m B A AP : x":       "followed by",
		"coins m B A AP 3":         "followed by",
		"coins m B A AP 3 : {y n}": `no data "y"`,
		"coins x B A AP 3 : x":     "no comparison",
		"coins g B A AP 3 : x":     "no comparison",
		"coins m C A AP 3 : x":     `"C" is no system`,
		"coins m BA A AP 3 : x":    `"BA" is no system`,
		"coins m B A P@5 3 : x":    "not among the measures",
		"coins m B A AP 4 : x":     "queries",
		"coins m B A AP x : x":     "queries",
		"coins m B A RR 3 : x":     "next to 0",
		"coins m A A AP 3 : x":     "next to 0",
	} {
		if _, err := r.block(raw{kind: Coin, text: text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, d := range [][]float64{{1}, make([]float64, 3), {1, math.NaN()}, {1, math.Inf(1)},
		slices.Repeat([]float64{1}, mostCoins+1)} {
		if _, err := NewCoins(make([]string, len(d)), d); err == nil {
			t.Errorf("%v are tossed for", d)
		}
	}
}
