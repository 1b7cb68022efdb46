package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
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

// What significance.Choose finds, in words.
func TestChoicesInWords(t *testing.T) {
	skewed := untied(40, 0.01, 0.02, -0.01, 0.03)
	skewed[0] = 3
	for _, x := range []struct {
		name     string
		d        [][]float64
		test     string
		why      string   // part of the sentence
		warnings []string // part of each
	}{
		{"many queries", [][]float64{untied(200, 0.1, -0.2, 0.3, 0.05, -0.1)}, "t",
			"Paired t test: 200 queries are enough", nil},
		{"skewed", [][]float64{skewed}, "randomisation", "the differences are skewed (6.1), so that for 40 queries",
			[]string{"The differences are skewed (6.1): few queries decide the mean.",
				"Query q7 makes up 81 % of all differences."}},
		{"few queries", [][]float64{untied(20, 0.1, -0.2, 0.3, 0.05)}, "randomisation",
			"with 20 queries the mean of the differences need not be normal", nil},
		{"very few queries", [][]float64{untied(5, 0.1, -0.2, 0.3)}, "randomisation", "with 5 queries", []string{
			"Only 5 queries differ: even if they all favoured one system, the two-sided p would be 0.062.",
			"With 5 queries only an effect of 1.7 standard deviations would be found in 4 of 5 experiments."}},
		{"zero or one", [][]float64{repeat(50, 1, 0, -1, 0, 1)}, "sign", "only the signs matter", nil},
		{"one size but for rounding",
			[][]float64{{0.3 - 0.2, 0.4 - 0.5, 0.7 - 0.6, 0.1, 0.1, 0.1, -0.1, 0.1, 0.1, 0.1, 0.1, 0.1}}, "sign",
			"one size", nil},
		{"mostly zeros", [][]float64{untied(100, 0, 0, 0.1, 0, -0.2, 0.15)}, "t", "Paired t test",
			[]string{"51 of 100 queries do not differ; the result rests on 49."}},
		{"ties", [][]float64{repeat(60, 0.1, -0.2, 0.3, 0.05)}, "t", "Paired t test",
			[]string{"The 60 non-zero differences have only 4 sizes: ranks are tied"}},
		{"nothing differs", [][]float64{repeat(30, 0)}, "randomisation", "All 30 differences are zero", nil},
		{"one query", [][]float64{{0.5}}, "randomisation", "1 query: nothing can be tested.", nil},
		{"no query", [][]float64{{}}, "randomisation", "0 queries: nothing can be tested.", nil},
		{"nothing", nil, "randomisation", "0 queries: nothing can be tested.", nil},
		{"not finite", [][]float64{{math.NaN(), 1}}, "randomisation", "No score can be compared",
			[]string{"not finite"}},
		{"one pair of three is skewed", [][]float64{untied(40, 0.1, -0.2, 0.3), skewed, untied(40, 0.1, 0.2, -0.1)},
			"randomisation", "skewed", []string{
				"skewed (6.1)", "Query q7 makes up 81 % of all differences between A and C."}},
		{"enough for one pair, too few for six", [][]float64{untied(7, 0.1, -0.2, 0.3), untied(7, 0.2, -0.2, 0.3),
			untied(7, 0.1, 0.2, 0.3), untied(7, 0.1, -0.2, 0.3), untied(7, 0.2, -0.2, 0.3), untied(7, 0.1, 0.2, 0.3)},
			"randomisation", "7 queries",
			[]string{"Only 7 queries differ between A and B: even if they all favoured one system, the " +
				"two-sided p would be 0.016, and 0.094 after Holm's", "With 7 queries only"}},
		{"one pair of two never differs", [][]float64{repeat(50, 0), untied(50, 0.1, -0.3, 0.2)}, "t", "50 queries",
			[]string{"No query differs between A and B."}},
		{"one pair of two hardly differs", [][]float64{append(repeat(49, 0), 0.5), untied(50, 0.1, -0.3, 0.2)},
			"randomisation", "skewed", []string{
				"Only 1 query differs between A and B: even if they all favoured one system, the two-sided p " +
					"would be 1.000.", "skewed (6.9)", "Query q7 makes up 100 %"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := significance.Choose(x.d...)
			about := doubtful{query: "q7"}
			if c.Pairs > 1 {
				about.few, about.outweighed = " between A and B", " between A and C"
			}
			why, doubts := SayReason(c, say.Plain), sayDoubts(c, say.Plain, about)
			if c.Test != x.test || !strings.Contains(why, x.why) {
				t.Errorf("%s: %s", c.Test, why)
			}
			if _, err := significance.Lookup(c.Test); err != nil {
				t.Error(err)
			}
			if len(doubts) != len(x.warnings) {
				t.Fatalf("warnings %q", doubts)
			}
			for i, w := range doubts {
				if !strings.Contains(w, x.warnings[i]) {
					t.Errorf("warning %q, want %q", w, x.warnings[i])
				}
			}
		})
	}
}

// A test that was chosen by hand says so, and what would have been taken; one of an old file says what was written
// then.
func TestWhyATestCounts(t *testing.T) {
	few := significance.Choice{Test: "randomisation", Reason: significance.FewQueries, Queries: 12, Pairs: 1,
		Doubts: []significance.Doubt{{Kind: significance.NeverDiffers}}}
	for _, c := range []struct {
		name   string
		test   Test
		why    string
		doubts []string
	}{
		{"by itself", Test{Choice: few}, "Paired randomisation test: with 12 queries the mean",
			[]string{"No query differs."}},
		{"by hand, another", Test{Choice: few, Hand: "wilcoxon", Detail: ", with continuity correction"},
			"test, with continuity correction: chosen by hand. It assumes: ", []string{"No query differs."}},
		{"by hand, the same", Test{Choice: few, Hand: "randomisation"},
			": chosen by hand, and automatic would be the same. Paired randomisation test: with 12",
			[]string{"No query differs."}},
		{"one query", Test{Alone: true}, "",
			[]string{"With one query, no test can show a difference."}},
		{"as written", Test{Choice: few, Written: "Because.", WrittenDoubts: []string{"Hm."}}, "Because.",
			[]string{"Hm."}},
		{"nothing", Test{}, "", nil},
	} {
		if why := c.test.Why(say.Plain); !strings.Contains(why, c.why) || c.why == "" && why != "" {
			t.Errorf("%s: %q", c.name, why)
		}
		if doubts := (&Report{}).TestDoubts(&Tests{Test: c.test}, say.Plain); !slices.Equal(doubts, c.doubts) {
			t.Errorf("%s: %q", c.name, doubts)
		}
	}
}
