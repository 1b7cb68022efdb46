package report

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// shape draws what a system scores on a query of a given difficulty, a normal number. Whatever it draws, systems that
// draw alike have no true difference.
type shape struct {
	name string
	draw func(rnd *rand.Rand, level float64) float64
	// mean is that of scores over all queries
	mean float64
}

var gains = []float64{1, 0.6309297535714575, 0.5, 0.43067655807339306, 0.38685280723454163} // 1/log2(1 + rank)

var shapes = []shape{
	{"normal", func(rnd *rand.Rand, level float64) float64 { return 0.5 + 0.15*level + 0.1*rnd.NormFloat64() }, 0.5},
	{"zero-inflated", func(rnd *rand.Rand, level float64) float64 {
		if level+0.5*rnd.NormFloat64() < 0 { // half of the queries: the sum is symmetric
			return 0
		}
		return rnd.Float64()
	}, 0.25},
	{"skewed", func(rnd *rand.Rand, level float64) float64 {
		return math.Exp(level + 0.5*rnd.NormFloat64())
	}, math.Exp(1.25 / 2)},
	{"discrete", func(rnd *rand.Rand, level float64) float64 { // nDCG@5 of one relevant document, or none found
		rank := int(math.Floor(math.Abs(2*level + 2*rnd.NormFloat64())))
		if rank >= len(gains) {
			return 0
		}
		return gains[rank]
	}, math.NaN()},
}

// null is a report of k systems without any true difference, on n queries, whose means are known; nothing is tested
// yet.
func null(rnd *rand.Rand, s shape, k, n int) *Report {
	r := &Report{Measures: []string{"nDCG@10"}, Columns: []Column{{Measure: "nDCG@10"}}}
	c := &r.Columns[0]
	level := make([]float64, n)
	for q := range level {
		level[q] = rnd.NormFloat64()
		r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
	}
	for i := range k {
		r.Systems = append(r.Systems, System{Label: "S" + strconv.Itoa(i)})
		v := make([]float64, n)
		for q := range v {
			v[q] = s.draw(rnd, level[q])
		}
		c.Values, c.Means = append(c.Values, v), append(c.Means, significance.Mean(v))
	}
	return r
}

// bounds checks the share of rejections at 5 %: within three and a half standard errors, and of 10,000 between 4 and 6
// %. Where few values or a correction let a test reject less often, there is no lower bound.
func bounds(t *testing.T, what string, rejected, of int, least bool) {
	t.Helper()
	share := float64(rejected) / float64(of)
	off := 3.5 * math.Sqrt(Alpha*(1-Alpha)/float64(of))
	if of == 10000 {
		off = 0.01
	}
	t.Logf("%s: %.4f of %d", what, share, of)
	if share > Alpha+off || least && share < Alpha-off {
		t.Errorf("%s: %.4f of %d reject at 5 %%", what, share, of)
	}
}

// Of two systems without a true difference 5 of 100 are told apart: by the test that is chosen, its interval, the
// letters and the words.
func TestPairsRejectAtTheirLevel(t *testing.T) {
	for _, s := range shapes {
		for _, n := range []int{10, 25, 50, 200} {
			rnd, rejected, of := rand.New(rand.NewSource(int64(n))), 0, shared.Sample(160, 10000)
			for range of {
				r := null(rnd, s, 2, n)
				if err := r.tests(Protocol{}, nil); err != nil {
					t.Fatal(err)
				}
				p := r.Pairs[0]
				apart := p.P < Alpha
				if apart {
					rejected++
				}
				if c := r.Columns[0]; apart == strings.ContainsAny(c.Groups[0], c.Groups[1]) ||
					apart != strings.Contains(r.Sentence(say.Plain), "beats") || p.Low == p.Low &&
					apart != (p.Low > 0 || p.High < 0) {
					t.Fatalf("%+v, %q: %s", p, c.Groups, r.Sentence(say.Plain))
				}
			}
			bounds(t, fmt.Sprintf("%s, %d queries", s.name, n), rejected, of, n > 10)
		}
	}
}

// However many systems without a true difference: in 5 of 100 reports at most any two are told apart.
func TestFamiliesRejectAtTheirLevel(t *testing.T) {
	for _, s := range shapes {
		for i, protocol := range []Protocol{{}, {Family: BaselineFamily}, {Correction: "hommel"},
			{Correction: "fdr_bh"}, {Test: "t"}, {Test: "randomisation"}, {Test: "wilcoxon"}, {Test: "sign"}} {
			n, k := []int{25, 50}[i%2], []int{3, 5}[i/2%2]
			rnd, rejected, of := rand.New(rand.NewSource(int64(i))), 0, shared.Sample(40, 2000)
			for range of {
				r := null(rnd, s, k, n)
				r.Decisions = protocol.Decisions()
				if err := r.tests(protocol, nil); err != nil {
					t.Fatal(err)
				}
				any := false
				for _, p := range r.Pairs {
					any = any || p.Apart()
				}
				if any {
					rejected++
				}
			}
			bounds(t, fmt.Sprintf("%s, %d systems, %d queries, %q", s.name, k, n, protocol), rejected, of, false)
		}
	}
}

// twoSystems draws what two systems score on a query, between 0 and 1; mean is the true difference of their means.
var twoSystems = []struct {
	name string
	mean float64
	draw func(rnd *rand.Rand) (a, b float64)
}{
	{"0/1, 15 gained and 10 lost of 100", 0.05, func(rnd *rand.Rand) (float64, float64) {
		switch u := rnd.Float64(); {
		case u < 0.15:
			return 0, 1
		case u < 0.25:
			return 1, 0
		}
		return 1, 1
	}},
	{"0/1, 5 gained of 100", 0.05, func(rnd *rand.Rand) (float64, float64) {
		if rnd.Float64() < 0.05 {
			return 0, 1
		}
		return 1, 1
	}},
	{"0/1, 2 gained and 2 lost of 100", 0, func(rnd *rand.Rand) (float64, float64) {
		switch u := rnd.Float64(); {
		case u < 0.02:
			return 0, 1
		case u < 0.04:
			return 1, 0
		}
		return 1, 1
	}},
	{"four of five tied", 0.2 * 0.35, func(rnd *rand.Rand) (float64, float64) {
		if rnd.Float64() < 0.2 {
			return 0.2, 0.2 + 0.7*rnd.Float64()
		}
		return 0.5, 0.5
	}},
	{"a rank up or down", 0.5*0.37 - 0.5*0.2, func(rnd *rand.Rand) (float64, float64) {
		if rnd.Float64() < 0.5 {
			return 0.63, 1
		}
		return 1, 0.8
	}},
	{"continuous", 0.05, func(rnd *rand.Rand) (float64, float64) {
		a := 0.8 * rnd.Float64()
		return a, a + 0.15*rnd.Float64() - 0.025
	}},
	{"unrelated", 0, func(rnd *rand.Rand) (float64, float64) { return rnd.Float64(), rnd.Float64() }},
	{"skewed", 0.8 / 5, func(rnd *rand.Rand) (float64, float64) {
		return 0.1, 0.1 + 0.8*math.Pow(rnd.Float64(), 4)
	}},
}

// of returns a concluded report of systems that draw makes.
func drawn(t *testing.T, queries int, protocol Protocol, draw func() []float64) *Report {
	t.Helper()
	r := &Report{Measures: []string{"nDCG@10"}, Columns: []Column{{Measure: "nDCG@10"}}, Decisions: protocol.Decisions()}
	c := &r.Columns[0]
	for q := range queries {
		r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
		for i, v := range draw() {
			if q == 0 {
				r.Systems = append(r.Systems, System{Label: "S" + strconv.Itoa(i)})
				c.Values = append(c.Values, nil)
			}
			c.Values[i] = append(c.Values[i], v)
		}
	}
	if err := r.Conclude(protocol, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// covers checks that so many intervals hold the truth as their level says, less three standard errors.
func covers(t *testing.T, what string, held, of int, level float64) {
	t.Helper()
	share := float64(held) / float64(of)
	t.Logf("%s: %.4f of %d", what, share, of)
	if share < level-3*math.Sqrt(level*(1-level)/float64(of)) {
		t.Errorf("%s: %.4f of %d intervals hold it, want %v", what, share, of, level)
	}
}

// The interval of a difference holds the true one in 95 of 100 samples of queries, however few, and has a width.
func TestIntervalsOfDifferencesCover(t *testing.T) {
	for _, s := range twoSystems {
		for _, n := range []int{2, 3, 5, 7, 10, 20, 50, 200} {
			rnd, held, of := rand.New(rand.NewSource(int64(n))), 0, shared.Sample(40, 1000)
			for range of {
				r := drawn(t, n, Protocol{}, func() []float64 {
					a, b := s.draw(rnd)
					return []float64{a, b}
				})
				p := r.Pairs[0]
				if p.Low <= s.mean && s.mean <= p.High {
					held++
				}
				if !(p.Low < p.High && p.Low <= p.Diff && p.Diff <= p.High) || p.Apart() != (p.Low > 0 || p.High < 0) {
					t.Fatalf("%+v", p)
				}
			}
			covers(t, fmt.Sprintf("%s, %d queries", s.name, n), held, of, 0.95)
		}
	}
}

// Where an interval is corrected, all of a table hold the true differences together: of three systems in 95 of 100
// samples if they are alike or all far apart. If Holm's correction first tells two pairs apart and then tests the last
// alone at 5 %, that pair and the
// intervals of the others miss in up to 5 % · (2 - 1/3): Together says 90.
func TestCorrectedIntervalsCoverTogether(t *testing.T) {
	for _, x := range []struct {
		name  string
		means [3]float64
		level float64
	}{{"alike", [3]float64{0.5, 0.5, 0.5}, 0.95}, {"one apart", [3]float64{0.4, 0.4, 0.6}, 1 - 0.05*(2-1.0/3)},
		{"all apart", [3]float64{0.35, 0.5, 0.65}, 0.95}} {
		for _, n := range []int{5, 15, 60} {
			for _, correction := range []string{"", "bonferroni", "hommel"} {
				rnd, held, of := rand.New(rand.NewSource(int64(n))), 0, shared.Sample(40, 2000)
				for range of {
					r := drawn(t, n, Protocol{Correction: correction}, func() []float64 {
						level, out := 0.2*rnd.Float64()-0.1, []float64(nil)
						for _, m := range x.means {
							out = append(out, m+level+0.2*(rnd.Float64()-0.5))
						}
						return out
					})
					all := true
					for _, p := range r.Pairs {
						d := x.means[p.B] - x.means[p.A]
						all = all && p.Low <= d && d <= p.High
					}
					if all {
						held++
					}
				}
				covers(t, fmt.Sprintf("%s, %d queries, %q", x.name, n, correction), held, of, x.level)
			}
		}
	}
}
