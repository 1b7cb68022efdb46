package matrix

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// tuned is a report of systems with these values of one measure. With lower, less is better.
func tuned(t *testing.T, lower bool, values [][]float64) *report.Report {
	t.Helper()
	name := map[bool]string{true: "NumRet", false: "nDCG@10"}[lower]
	r := &report.Report{Measures: []string{name}, Columns: []report.Column{{Measure: name, Lower: lower}}}
	for range values[0] {
		r.Queries = append(r.Queries, report.Query{})
	}
	names := []string{"bm25", "bm25(k1=2)", "ql", "ql(mu=1)"}
	for s, v := range values {
		r.Systems = append(r.Systems, report.System{Label: names[s]})
		r.Columns[0].Values = append(r.Columns[0].Values, v)
	}
	if err := r.Conclude(report.Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// Where less is better, values of 1 - v lead to the same choices as values of v where more is better. Optimism and gain
// keep their signs: optimism above 0 flatters, and a gain above 0 is better.
func TestChoicesAreMirroredWhereLessIsBetter(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	values, mirrored := make([][]float64, 4), make([][]float64, 4)
	for s := range values {
		for range 30 {
			v := float64(rnd.Intn(64)) / 64
			values[s], mirrored[s] = append(values[s], v), append(mirrored[s], 1-v)
		}
	}
	more, less := tuned(t, false, values), tuned(t, true, mirrored)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	a, ok, err := tune(more, 5, 3)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	b, ok, err := tune(less, 5, 3)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if a.Best != b.Best || !slices.Equal(a.Choices, b.Choices) || !near(a.Tuned, 1-b.Tuned) ||
		!near(a.HeldOut, 1-b.HeldOut) || !near(a.Optimism, b.Optimism) || !near(a.Gain, b.Gain) || a.Optimism == 0 {
		t.Errorf("%+v\n%+v", a, b)
	}
	families := [][]int{{0, 1}, {2, 3}}
	f, err := tuneFamilies(more, families, 9, 3)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tuneFamilies(less, families, 9, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Choices, g.Choices) || !near(f.HeldOut, 1-g.HeldOut) || !near(f.Optimism, g.Optimism) {
		t.Errorf("%+v\n%+v", f, g)
	}
	for i := range families {
		a, b := f.Families[i], g.Families[i]
		if a.Best != b.Best || a.Default != b.Default || !near(a.Optimism, b.Optimism) ||
			!near(a.HeldOut, 1-b.HeldOut) {
			t.Errorf("%+v\n%+v", a, b)
		}
	}
}

// A query is ranked again for as long as a measurement takes at least, and no more often than that many times where the
// clock stands; what is not measured is ranked once.
func TestAQueryIsRankedForAsLongAsItTakesToMeasure(t *testing.T) {
	const spec = `{"systems": ["bm25"], "measures": ["AP"]}`
	s := session(t)
	x := opened(t, s, spec, &Memory{})
	for _, c := range []struct {
		takes    float64 // microseconds a query
		measured bool
		asked    int
	}{{30, false, 1}, {atLeast, true, 1}, {atLeast / 2, true, 2}, {atLeast/2 - 1, true, 3}, {0, true, atLeast}} {
		now := 1000.0
		r := &numbered{each: func() { now += c.takes }}
		took, _, ok := x.repeat(r, 0, 0, func() float64 { return now }, c.measured)
		if !ok || r.asked != c.asked || math.Abs(took-c.takes/1000) > 1e-12 {
			t.Errorf("%+v: asked %d times, %v ms, %v", c, r.asked, took, ok)
		}
	}
}
