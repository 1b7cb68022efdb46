package evaluation

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// byHand is a Source of one system, by hand.
type byHand struct {
	ranked, judged [][]float64
	scores         [][]float64
	cut            int
}

func (x *byHand) Topic(t *measure.Topic, system, query int) {
	x.Whole(t, system, query)
	if x.cut > 0 {
		t.Ranked = t.Ranked[:min(len(t.Ranked), x.cut)]
		t.Scores = t.Scores[:min(len(t.Scores), x.cut)]
	}
}

func (x *byHand) Whole(t *measure.Topic, _, query int) {
	t.Reset()
	t.Query, t.Ranked, t.Judged = string(rune('a'+query)), x.ranked[query], x.judged[query]
	t.Missing = t.Ranked == nil
	if x.scores != nil {
		t.Scores = x.scores[query]
	}
	if t.Ranked == nil {
		t.Ranked = []float64{}
	}
}

func (x *byHand) Size(_, query int) int { return len(x.ranked[query]) }
func (x *byHand) Cut() int              { return x.cut }

// fill measures the rankings of src.
func fill(r *report.Report, src Source, applied []measure.Measure, w Watch) error {
	e := Evaluation{Source: src, Asked: applied, Applied: applied}
	return e.Measure(r, w)
}

func blank(queries int, ms ...string) (*report.Report, []measure.Measure) {
	r := &report.Report{Systems: make([]report.System, 1), Queries: make([]report.Query, queries)}
	var applied []measure.Measure
	for _, name := range ms {
		m, err := measure.Parse(name)
		if err != nil {
			panic(err)
		}
		applied = append(applied, m)
	}
	return r, applied
}

// By hand: 40 grades, of which the run has one, and two documents without a judgment are 40 x (1 + 2) steps for nDCG
// and none for P.
func TestResidualsOfManyGradesAreBounded(t *testing.T) {
	src := &byHand{ranked: [][]float64{{measure.Unjudged, 4, measure.Unjudged}}, judged: [][]float64{nil}}
	for g := range int32(40) {
		src.judged[0] = append(src.judged[0], float64(g+1))
	}
	for room, want := range map[int]bool{119: false, 120: true} {
		r, applied := blank(1, "nDCG", "P@2")
		r.Coverage = make([]report.Coverage, 1)
		for range applied {
			r.Columns = append(r.Columns, report.Column{Values: make([][]float64, 1)})
		}
		e := evaluator{r: r, src: src, applied: applied, bounds: bounds{room: room, affordable: true}}
		e.beginBounds()
		e.add(0, 0)
		if e.bounds.sums[0].known != want || !e.bounds.sums[1].known {
			t.Errorf("room for %d: %+v", room, e.bounds)
		}
	}
}

// By hand: P@2 of (relevant, unjudged) is 1/2 and could be 1; the query without a list counts 0 and has no unjudged
// document. The two documents share a score; in either order one of them is relevant, and so P@1 is 0 or 1.
func TestMeasureFillsTiesResidualsAndCoverage(t *testing.T) {
	src := &byHand{ranked: [][]float64{{1, measure.Unjudged}, nil}, judged: [][]float64{{1}, {1}}, scores: [][]float64{{5,
		5}, nil}}
	r, applied := blank(2, "P@2", "P@1")
	if err := fill(r, src, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	p2, p1 := r.Columns[0], r.Columns[1]
	if p2.Values[0][0] != .5 || p2.Values[0][1] != 0 || p2.ResidualLow[0] != .25 || p2.ResidualHigh[0] != .5 {
		t.Errorf("P@2: %+v", p2)
	}
	if p1.TieLow[0] != 0 || p1.TieHigh[0] != .5 || p2.TieLow[0] != .25 || p2.TieHigh[0] != .25 {
		t.Errorf("ties: %v..%v, %v..%v", p1.TieLow, p1.TieHigh, p2.TieLow, p2.TieHigh)
	}
	u := r.Coverage[0]
	if u.Queries != 1 || r.Systems[0].Missing != 1 || u.Tied != 2 || u.TiedIn != 1 || u.Unjudged != 1 ||
		u.Documents != 2 {
		t.Errorf("coverage: %+v, %+v", u, r.Systems[0])
	}
}

// By hand: of three tied documents the cut keeps two; P@2 is 1/2 if the relevant one is kept, else 0.
func TestACutTieWidensTheRange(t *testing.T) {
	src := &byHand{ranked: [][]float64{{0, 0, 1}}, judged: [][]float64{{1, 0, 0}}, scores: [][]float64{{5, 5, 5}}, cut: 2}
	r, applied := blank(1, "P@2")
	if err := fill(r, src, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	if c := r.Columns[0]; c.Values[0][0] != 0 || c.TieLow[0] != 0 || c.TieHigh[0] != .5 {
		t.Errorf("%+v", c)
	}
}

func TestMeasureStopsWhenAsked(t *testing.T) {
	src := &byHand{ranked: [][]float64{{1}}, judged: [][]float64{{1}}}
	r, applied := blank(1, "P@1")
	if err := fill(r, src, applied, Watch{Cancel: func() bool { return true }}); err != ErrCancelled {
		t.Errorf("%v, want ErrCancelled", err)
	}
}

func TestDepthFollowsFromTheMeasures(t *testing.T) {
	for _, c := range []struct {
		measures []string
		want     int
	}{
		{[]string{"nDCG@10"}, 10},
		{[]string{"nDCG@10", "R@200"}, 200},
		{[]string{"nDCG@10", "AP"}, 1000},
		{[]string{"AP", "R@5000"}, 5000},
	} {
		_, ms := blank(0, c.measures...)
		if got := Depth(ms); got != c.want {
			t.Errorf("%v: %d, want %d", c.measures, got, c.want)
		}
	}
}

func TestMeasuresBeyondTheDepthAreRefused(t *testing.T) {
	_, ms := blank(0, "nDCG@10", "R@1000")
	const want = "evaluation: R@1000 needs 1000 documents, but the rankings stop at 100: set depth to at least 1000"
	if err := CheckDepth(ms, 100); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := CheckDepth(ms[:1], 10); err != nil {
		t.Error(err)
	}
}

// One query without judgments has no relevant document; a negative grade is no relevant one. Counted by hand.
func TestStatsCountJudgments(t *testing.T) {
	pools := [][]float64{{0, 1, 2}, {-1}, {1, 1}}
	r := &report.Report{Queries: make([]report.Query, 3)}
	e := Evaluation{Judged: func(q int) []float64 { return pools[q] }}
	if err := e.Measure(r, Watch{}); err != nil {
		t.Fatal(err)
	}
	s := r.Stats
	if s.Judgments != 6 || s.Relevant != 4 || s.Barren != 1 || s.RelevantMin != 0 || s.RelevantMax != 2 ||
		s.RelevantMedian != 2 {
		t.Errorf("%+v", s)
	}
	if r.Queries[0].Relevant != 2 || r.Queries[1].Relevant != 0 {
		t.Errorf("%+v", r.Queries)
	}
	if len(s.Grades) != 4 || s.Grades[0] != (report.Grade{Grade: -1, Count: 1}) || math.IsNaN(s.RelevantMedian) {
		t.Errorf("%+v", s.Grades)
	}
}

// From grade 2 on a document is relevant. The median of an even number of queries is between the two in the middle.
func TestStatsFollowThePolicysRelevance(t *testing.T) {
	pools := [][]float64{{2, 2, 2}, {1, 2}, {2, 3, 4, 2, 1, 0}, {1, 1}}
	r := &report.Report{Queries: make([]report.Query, 4)}
	e := Evaluation{Judged: func(q int) []float64 { return pools[q] }, Policy: measure.Policy{Rel: 2}}
	if err := e.Measure(r, Watch{}); err != nil {
		t.Fatal(err)
	}
	s := r.Stats
	if s.Queries != 4 || s.Relevant != 8 || s.Barren != 1 || s.RelevantMin != 0 || s.RelevantMax != 4 ||
		s.RelevantMedian != 2 {
		t.Errorf("%+v", s)
	}
	if want := []report.Grade{{Grade: 0, Count: 1}, {Grade: 1, Count: 4}, {Grade: 2, Count: 6}, {Grade: 3, Count: 1},
		{Grade: 4, Count: 1}}; !slices.Equal(s.Grades, want) {
		t.Errorf("%+v", s.Grades)
	}
}

// many is a Source of n systems with the rankings of byHand.
func many(queries int) *byHand {
	src := &byHand{}
	for q := range queries {
		src.ranked = append(src.ranked, []float64{float64(int32(q % 2))})
		src.judged = append(src.judged, []float64{1})
	}
	return src
}

func TestProgressIsTheRankingsDone(t *testing.T) {
	r, applied := blank(3, "P@1")
	r.Systems = make([]report.System, 2)
	var got []string
	err := fill(r, many(3), applied, Watch{Progress: func(done, total int) {
		got = append(got, fmt.Sprint(done, "/",
			total))
	}})
	if want := []string{"1/6", "2/6", "3/6", "4/6", "5/6", "6/6"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// A report names the first ten queries that a run lacks, and counts all.
func TestCoverageNamesTenMissingQueries(t *testing.T) {
	src := many(12)
	src.ranked = make([][]float64, 12)
	src.ranked[1] = []float64{1}
	r, applied := blank(12, "P@1")
	if err := fill(r, src, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	u := r.Coverage[0]
	if want := []string{"a", "c", "d", "e", "f", "g", "h", "i", "j", "k"}; !slices.Equal(u.Missing, want) ||
		r.Systems[0].Missing != 11 || u.Queries != 1 {
		t.Errorf("%+v, %d", u, r.Systems[0].Missing)
	}
}

// Unjudged documents are counted in the first ten ranks of each query, ties in the whole ranking.
func TestCoverageLooksAtTenRanks(t *testing.T) {
	src := &byHand{judged: [][]float64{{1}}, ranked: [][]float64{make([]float64, 12)}, scores: [][]float64{{9, 9, 8, 7, 6,
		6, 6, 5, 4, 3, 2, 2}}}
	for i := 8; i < 12; i++ {
		src.ranked[0][i] = measure.Unjudged
	}
	r, applied := blank(1, "P@1")
	if err := fill(r, src, applied, Watch{}); err != nil {
		t.Fatal(err)
	}
	if u := r.Coverage[0]; u.Documents != 12 || u.Top != 10 || u.Unjudged != 2 || u.Tied != 7 || u.TiedIn != 1 {
		t.Errorf("%+v", u)
	}
}

// Of four queries every other has a relevant document first.
func TestValuesAndMeansAgreeWithTheReport(t *testing.T) {
	r, applied := blank(4, "P@1", "RR")
	r.Systems = make([]report.System, 2)
	e := Evaluation{Source: many(4), Systems: 2, Queries: 4, Asked: applied, Applied: applied}
	values, err := e.Values(applied[:1], nil)
	if err != nil || len(values) != 1 || len(values[0]) != 2 || !slices.Equal(values[0][1], []float64{0, 1, 0, 1}) {
		t.Errorf("%v, %v", values, err)
	}
	means, err := e.Means(nil)
	if err != nil || len(means) != 2 || !slices.Equal(means[0], []float64{.5, .5}) ||
		!slices.Equal(means[1], []float64{.5, .5}) {
		t.Errorf("%v, %v", means, err)
	}
	if err := e.Measure(r, Watch{}); err != nil {
		t.Fatal(err)
	}
	if c := r.Columns[1]; !slices.Equal(c.Values[1], []float64{0, 1, 0, 1}) || c.Median[1] != .5 ||
		r.Measures[1] != "RR" {
		t.Errorf("%+v", c)
	}
	asked := 0
	err = e.Each(func() bool { asked++; return asked > 3 }, func(_, query int, t *measure.Topic) {})
	if err != ErrCancelled || asked != 4 {
		t.Errorf("%v after %d rankings", err, asked)
	}
}

func TestStatsOfNoQueries(t *testing.T) {
	r := &report.Report{}
	e := Evaluation{Judged: func(int) []float64 { return nil }}
	if err := e.Measure(r, Watch{}); err != nil || r.Stats.Queries != 0 || r.Stats.RelevantMax != 0 {
		t.Errorf("%+v, %v", r.Stats, err)
	}
}
