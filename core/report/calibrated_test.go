package report

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
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
