package compare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// reportOn compares runs that find the only relevant document of every query at a rank, 0 for not at all.
func reportOn(t *testing.T, measures []string, runs ...[]int) *report.Report {
	t.Helper()
	in := compare.Input{Measures: measures, Qrels: collection.NewQrels()}
	for r, ranks := range runs {
		var text strings.Builder
		for q, rank := range ranks {
			in.Qrels.Add(fmt.Sprint("q", q), "yes", 1)
			for k := 1; k <= max(rank, 1); k++ {
				doc := fmt.Sprint("no", k)
				if k == rank {
					doc = "yes"
				}
				fmt.Fprintf(&text, "q%d Q0 %s %d %d run\n", q, doc, k, -k)
			}
		}
		got, err := collection.Read("run", strings.NewReader(text.String()), collection.Options{Prefer: collection.RunTREC})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: fmt.Sprint("run", r), Run: got.Run})
	}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Ten perfect queries and seven of ten: scipy 1.17.1, binomtest(10, 10) and (7, 10).proportion_ci().
func TestTenPerfectQueriesAreNotCertain(t *testing.T) {
	r := reportOn(t, []string{"nDCG@10"}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []int{1, 1, 1, 1, 1, 1, 1, 0, 0, 0})
	c := &r.Columns[0]
	for i, want := range [][2]float64{{0.6915028921812371, 1}, {0.3475471499399921, 0.9332604888222655}} {
		if math.Abs(c.Low[i]-want[0]) > 1e-9 || math.Abs(c.High[i]-want[1]) > 1e-9 {
			t.Errorf("%s: %v to %v, want %v", r.Systems[i].Label, c.Low[i], c.High[i], want)
		}
	}
}

// Of one, two and three queries, at ranks 2 and 1, every interval holds its mean and has a width, and the words have it.
func TestFewQueriesHaveWideIntervals(t *testing.T) {
	for _, ranks := range [][]int{{2}, {2, 1}, {2, 1, 1}, {1, 1}} {
		r := reportOn(t, []string{"nDCG@10"}, ranks)
		c := &r.Columns[0]
		if !(c.High[0]-c.Low[0] > 0.5 && c.Low[0] < c.Means[0] && c.Means[0] <= c.High[0]) {
			t.Errorf("ranks %v: %v from %v to %v", ranks, c.Means[0], c.Low[0], c.High[0])
		}
		if note := r.Note(say.Plain); note != "95 % interval "+say.Plain.Span(c.Low[0], c.High[0], 3)+"." {
			t.Errorf("ranks %v: %s", ranks, note)
		}
		both := reportOn(t, []string{"nDCG@10"}, ranks, ranks)
		s, err := both.Statistics(0, report.StatisticsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Pairs[0]; p.Equivalence.P < 0.9 || len(ranks) > 1 && !(p.Low < -0.5 && p.High > 0.5) {
			t.Errorf("ranks %v: equal systems have p = %v of equivalence, %v to %v", ranks, p.Equivalence.P, p.Low, p.High)
		}
	}
}

// DCG has no largest value: three queries have no interval, and the words say why.
func TestUnboundedMeasuresSayWhyThereIsNoInterval(t *testing.T) {
	r := reportOn(t, []string{"DCG@10"}, []int{2, 1, 1})
	if c := &r.Columns[0]; c.Low[0] == c.Low[0] || c.High[0] == c.High[0] || !strings.HasPrefix(r.Note(say.Plain),
		"No interval: DCG@10 has no known bounds, so it takes 10 values") {
		t.Errorf("%v to %v: %s", c.Low[0], c.High[0], r.Note(say.Plain))
	}
	equal := reportOn(t, []string{"DCG@10"}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	if !strings.HasPrefix(equal.Note(say.Plain), "No interval: all values are equal") {
		t.Error(equal.Note(say.Plain))
	}
	some := reportOn(t, []string{"DCG@10"}, []int{1, 1, 2, 3, 1, 1, 4, 1, 1, 1})
	if c := &some.Columns[0]; !(c.Low[0] < c.Means[0] && c.Means[0] < c.High[0]) {
		t.Errorf("%v to %v", c.Low[0], c.High[0])
	}
}
