package compare

import (
	"errors"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Every figure of Statistics is that of the function of core/measure/significance, which is tested against scipy and
// statsmodels.
func TestStatisticsAreThoseOfSignificance(t *testing.T) {
	in := random(t, rand.New(rand.NewSource(8)), 4, 40, 12)
	in.Measures = []string{"nDCG@10", "AP", "unj@5"}
	in.Protocol = report.Protocol{Test: "wilcoxon", Correction: "fdr_by", Zeros: significance.Pratt, Continuity: true}
	c, err := Open(in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for column, measure := range in.Measures {
		lower := measure == "unj@5"
		s, err := r.Statistics(column, report.StatisticsOptions{Margin: 0.05})
		if err != nil {
			t.Fatal(err)
		}
		if s.Measure != measure || len(s.Pairs) != 6 || len(s.Orders) != 2 || s.Compared.Correction != "fdr_by" {
			t.Fatalf("%+v", s)
		}
		var ps []float64
		for _, p := range s.Pairs {
			a, b := r.Columns[column].Values[p.I], r.Columns[column].Values[p.J]
			d, _ := significance.Differences(a, b)
			w, _ := significance.Wilcoxon(d, significance.Options{Zeros: significance.Pratt, Correction: true})
			if !(p.P == w.P || p.P != p.P && w.P != w.P) {
				t.Errorf("%s: p %v, want %v", measure, p.P, w.P)
			}
			ps = append(ps, w.P)
			if e := report.BoundsOf(measure).Equivalence(d, 0.05, 0.05); p.Equivalence != e && e.P == e.P {
				t.Errorf("%s: equivalence %+v, want %+v", measure, p.Equivalence, e)
			}
			if n := significance.QueriesNeeded(significance.CohenDz(d), 0.05, 0.8,
				significance.TwoSided); p.Needed() != n && n == n {
				t.Errorf("%s: %v queries needed, want %v", measure, p.Needed(), n)
			}
			more, less, _ := significance.Counts(d)
			if lower {
				more, less = less, more
			}
			if p.Better != more || p.Worse != less ||
				math.Abs(p.Superiority-0.5-float64(more-less)/float64(2*len(d))) > 1e-12 {
				t.Errorf("%s: better on %d, worse on %d, superiority %v; want %d, %d", measure, p.Better, p.Worse,
					p.Superiority, more, less)
			}
		}
		for k, x := range significance.Corrections() {
			for i, want := range x.Adjust(ps) {
				if got := s.Pairs[i].Corrected[k]; got != want && want == want {
					t.Errorf("%s: %s %v, want %v", measure, x.Name, got, want)
				}
				if got := s.Pairs[i].Adjusted; x.Name == "fdr_by" && got != want && want == want {
					t.Errorf("%s: adjusted %v, want %v", measure, got, want)
				}
			}
		}
		best := r.RankingBy(column)[0]
		if g := s.Compared.Systems[best].Group; !strings.Contains(g, "a") {
			t.Errorf("%s: the best has the letters %q", measure, g)
		}
	}
	in.Protocol = report.Protocol{}
	if r, err = Compare(in, nil, nil); err != nil {
		t.Fatal(err)
	}
	again, err := r.Statistics(1, report.StatisticsOptions{})
	if err != nil || again.Compared.Correction != "holm" || again.Margin != report.DefaultMargin ||
		again.Compared.Test != again.Compared.Choice.Test {
		t.Errorf("defaults: %+v %v", again, err)
	}
}

func TestStatisticsRefuse(t *testing.T) {
	r, err := Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		column int
		o      report.StatisticsOptions
		want   string
	}{
		{-1, report.StatisticsOptions{}, "no measure -1"}, {99, report.StatisticsOptions{}, "no measure 99"},
		{0, report.StatisticsOptions{Margin: -1}, "margin"},
		{0, report.StatisticsOptions{Margin: math.NaN()}, "margin"},
		{0, report.StatisticsOptions{Margin: math.Inf(1)}, "margin"},
	} {
		if _, err := r.Statistics(x.column, x.o); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	if _, err := r.Statistics(0, report.StatisticsOptions{Cancel: func() bool { return true }}); !errors.Is(err,
		ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Two runs: the first ranks a b c d, the second b a e; by hand Kendall's τ of (a b) is -1, and RBO with p = 0.9 is
// 0.1/0.9·(0/1·0.9 + 2/2·0.81 + 2/3·0.729 + (2/4 + 2·1/(3·4))·0.6561) + ((2-2)/4 + 2/3)·0.6561.
func TestAgreementByHand(t *testing.T) {
	in := pairOf(t, "a b c d", "b a e")
	c, err := Open(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Agreements(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.1/0.9*(0.81+2.0/3*0.729+(0.5+1.0/6)*0.6561) + 2.0/3*0.6561
	if g := got[0]; g.Queries != 1 || g.Common != 2 || g.Tau != -1 || g.TauAP != -1 || math.Abs(g.RBO-want) > 1e-12 {
		t.Errorf("%+v, want RBO %v", g, want)
	}
}

// Ten runs on 5,000 queries: every run against the baseline, of 45 pairs.
func TestAgreementsOfManyQueries(t *testing.T) {
	in := Input{Qrels: collection.NewQrels(), Measures: []string{"AP"}, Baseline: 3}
	for q := range 5000 {
		in.Qrels.Add(strconv.Itoa(q), "a", 1)
	}
	for s := range 10 {
		w := collection.NewRunBuilder("tag")
		for q := range 5000 {
			w.Add(strconv.Itoa(q), "a", 2)
			w.Add(strconv.Itoa(q), "b"+strconv.Itoa(s), 1)
		}
		run, _ := w.Run()
		in.Runs = append(in.Runs, Named{Name: strconv.Itoa(s), Run: run})
	}
	c, err := Open(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Agreements(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 9 {
		t.Fatalf("%d pairs", len(got))
	}
	for _, g := range got {
		if g.A != 3 && g.B != 3 || g.Queries != 5000 || g.Common != 1 {
			t.Errorf("%+v", g)
		}
	}
}

// pairOf returns two runs of one query from documents in order.
func pairOf(t *testing.T, a, b string) Input {
	t.Helper()
	in := Input{Qrels: collection.NewQrels(), Measures: []string{"AP"}}
	in.Qrels.Add("q", "a", 1)
	for _, docs := range []string{a, b} {
		w := collection.NewRunBuilder("tag")
		for i, d := range strings.Fields(docs) {
			w.Add("q", d, float64(-i))
		}
		run, _ := w.Run()
		in.Runs = append(in.Runs, Named{Name: docs, Run: run})
	}
	return in
}
