//go:build !first

package evaluation

import (
	"math"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// A list of 2,048 documents costs 2,048² = ResidualBudget for AP, and one more is beyond it. nDCG costs no square.
func TestResidualsOfLongListsAreUnknownBeyondTheBudget(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		known   bool
	}{{[]int{2048}, true}, {[]int{2049}, false}, {[]int{1024, 1024, 1024, 1024}, true}, {[]int{1024, 1024, 1024, 1024,
		1}, false}} {
		src := &byHand{}
		for _, n := range c.lengths {
			src.ranked = append(src.ranked, make([]float64, n))
			src.judged = append(src.judged, []float64{1})
		}
		r, applied := blank(len(c.lengths), "AP", "nDCG@10")
		if err := fill(r, src, applied, Watch{}); err != nil {
			t.Fatal(err)
		}
		ap, ndcg := r.Columns[0], r.Columns[1]
		if known := !math.IsNaN(ap.ResidualHigh[0]) && !math.IsNaN(ap.ResidualLow[0]); known != c.known ||
			math.IsNaN(ndcg.ResidualHigh[0]) {
			t.Errorf("lists of %v: AP %v, nDCG %v", c.lengths, ap.ResidualHigh, ndcg.ResidualHigh)
		}
	}
}

// The query with a list first does not make a mean out of the unknown one: 1,000 grades that nobody has time for.
func TestResidualsAreUnknownWhereOneQueryIs(t *testing.T) {
	r, applied := blank(2, "nDCG")
	r.Columns = []report.Column{{Values: make([][]float64, 1)}}
	src := &byHand{ranked: [][]float64{{measure.Unjudged, 4, measure.Unjudged}, {1}}, judged: [][]float64{nil, {1}}}
	for g := range int32(40) {
		src.judged[0] = append(src.judged[0], float64(g+1))
	}
	r.Coverage = make([]report.Coverage, 1)
	e := evaluator{r: r, src: src, applied: applied, bounds: bounds{room: 10, affordable: true}}
	e.beginBounds()
	e.add(0, 0)
	e.add(0, 1)
	e.end(0)
	if c := r.Columns[0]; !math.IsNaN(c.ResidualLow[0]) || !math.IsNaN(c.ResidualHigh[0]) || e.bounds.room != 10 {
		t.Errorf("%v to %v, room %d", c.ResidualLow, c.ResidualHigh, e.bounds.room)
	}
}

func TestWithoutQueriesResidualsAreUnknown(t *testing.T) {
	r, applied := blank(0, "P@1")
	if err := fill(r, &byHand{}, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	if c := r.Columns[0]; !math.IsNaN(c.ResidualLow[0]) || !math.IsNaN(c.ResidualHigh[0]) || c.TieLow[0] != 0 {
		t.Errorf("%+v", c)
	}
}

// Of the tie of three, the cut keeps the first: it shares its score only with what is cut off, and counts as tied.
func TestDocumentsTiedAcrossTheCutAreCounted(t *testing.T) {
	for _, c := range []struct {
		cut          int
		scores       []float64
		tied, tiedIn int
	}{
		{1, []float64{5, 5, 5}, 1, 1},
		{2, []float64{7, 5, 5}, 1, 1},
		{3, []float64{7, 7, 5, 5}, 3, 1},
		{2, []float64{5, 5, 5}, 2, 1},
		{2, []float64{5, 5, 4}, 2, 1},
		{2, []float64{5, 4, 3}, 0, 0},
		{3, []float64{5, 4, 4}, 2, 1},
		{0, []float64{5, 4, 4}, 2, 1},
	} {
		src := &byHand{ranked: [][]float64{make([]float64, len(c.scores))}, judged: [][]float64{{1}},
			scores: [][]float64{c.scores}, cut: c.cut}
		r, applied := blank(1, "P@2")
		if err := fill(r, src, applied, Watch{}); err != nil {
			t.Fatal(err)
		}
		if u := r.Coverage[0]; u.Tied != c.tied || u.TiedIn != c.tiedIn {
			t.Errorf("%v cut at %d: %d tied in %d queries, want %d in %d", c.scores, c.cut, u.Tied, u.TiedIn, c.tied,
				c.tiedIn)
		}
	}
}

// Whatever can be tried is no reason for a warning.
func TestNoWarningWhereAllOrdersWereTried(t *testing.T) {
	src := &byHand{ranked: [][]float64{scale(9)}, judged: [][]float64{{1}},
		scores: [][]float64{make([]float64, 9)}, cut: 1}
	r, applied := blank(1, "P@1", "AP")
	if err := fill(r, src, applied, Watch{}); err != nil || len(r.Warnings) > 0 {
		t.Errorf("%+v, %v", r.Warnings, err)
	}
}

// 501 orders are too many in the first two queries, and the third has no tie.
func TestWarningsCountQueriesWithTooManyOrders(t *testing.T) {
	long, scores := scale(501), make([]float64, 501)
	src := &byHand{ranked: [][]float64{long, long, {1, 0}}, judged: [][]float64{long, long, {1}},
		scores: [][]float64{scores, scores, {2, 1}}, cut: 1}
	r, applied := blank(3, "P@1", "RR")
	if err := fill(r, src, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	if w := r.Warnings; len(w) != 2 || w[0].Kind != report.TiesUntried || w[0].N != 2 || w[1].Column != 1 ||
		w[1].N != 2 {
		t.Errorf("%+v", w)
	}
	if c := r.Columns[0]; c.TieLow[0] != 1./3 || c.TieHigh[0] != 1 {
		t.Errorf("P@1 from %v to %v", c.TieLow, c.TieHigh)
	}
}

func TestDecisionsListEveryChoice(t *testing.T) {
	var p measure.Policy
	if err := p.Set("ties", "input"); err != nil {
		t.Fatal(err)
	}
	if err := p.Set("depth", "20"); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range Decisions(p, report.Protocol{}) {
		got[d.Name] = d.Option
		if d.Default != (d.Name != "ties" && d.Name != "depth") || d.Doc == "" {
			t.Errorf("%+v", d)
		}
	}
	for name, want := range map[string]string{"ties": "input", "depth": "20", "missing": "zero", "rel": "default",
		"gain": "linear"} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
	if len(got) != len(measure.Switches()) {
		t.Errorf("%d decisions for %d switches", len(got), len(measure.Switches()))
	}
}
