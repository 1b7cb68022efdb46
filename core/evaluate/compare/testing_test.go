package compare

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

func TestPoliciesAndTestsAreOneText(t *testing.T) {
	for _, text := range []string{"", "ties=docid-asc", "test=wilcoxon correction=fdr_by zeros=pratt continuity=on",
		"missing=skip rel=2 test=sign correction=none", "correction=bonferroni family=baseline"} {
		p, x, err := ReadPolicy(text)
		if err != nil || WritePolicy(p, x) != text {
			t.Errorf("%q: %q, %v", text, WritePolicy(p, x), err)
		}
	}
	// other names of the same, and the defaults
	if p, x, err := ReadPolicy("test=auto correction=by zeros=wilcox continuity=off"); err != nil ||
		WritePolicy(p, x) != "correction=fdr_by" {
		t.Errorf("%q, %v", WritePolicy(p, x), err)
	}
	for _, text := range []string{"test=z", "correction=x", "zeros=x", "continuity=maybe", "family=some", "colour=red",
		"test"} {
		if _, _, err := ReadPolicy(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	for i, s := range report.Switches() {
		for k, o := range s.Options {
			var x report.Protocol
			if known, err := x.Set(s.Name, o); !known || err != nil || (x == report.Protocol{}) != (k == 0) {
				t.Errorf("%d: %s=%s: %+v, %v", i, s.Name, o, x, err)
			}
		}
	}
}

// The test that counts and its correction are those that were asked for, with the figures of core/measure/significance; the
// report says so, its sentence and every export too; testing again gives the report of measuring again; files and links
// keep it.
func TestTheTestThatCountsIsChosen(t *testing.T) {
	in := random(t, rand.New(rand.NewSource(8)), 4, 40, 12)
	in.Measures = []string{"nDCG@10", "AP"}
	first, err := Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Decisions) != len(measure.Switches()) || first.Correction() != "Holm" {
		t.Errorf("default: %v, %s", first.Decisions, first.Correction())
	}
	for _, x := range []struct {
		text, name, correction, after, column string
		run                                   func(d []float64) (significance.Result, error)
		adjust                                func([]float64) []float64
	}{
		{"test=wilcoxon correction=fdr_by zeros=pratt continuity=on", "Wilcoxon signed-rank test",
			"Benjamini–Yekutieli", " after Benjamini–Yekutieli over 6 pairs", "p_fdr_by",
			func(d []float64) (significance.Result, error) {
				return significance.Wilcoxon(d, significance.Options{Zeros: significance.Pratt, Correction: true})
			}, significance.BenjaminiYekutieli},
		{"test=sign correction=simes-hochberg", "sign test", "Hochberg", " after Hochberg over 6 pairs",
			"p_simes-hochberg",
			func(d []float64) (significance.Result, error) {
				return significance.Sign(d, significance.Options{})
			}, significance.Hochberg},
		{"test=t correction=none", "paired t test", "none", " without correction for 6 pairs", "p_none",
			func(d []float64) (significance.Result, error) {
				return significance.PairedT(d, significance.Options{})
			}, func(p []float64) []float64 { return p }},
	} {
		if in.Policy, in.Protocol, err = ReadPolicy(x.text); err != nil {
			t.Fatal(err)
		}
		c, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Test.Name != x.name || r.Correction() != x.correction || !strings.Contains(r.Note(say.Plain), x.name) ||
			!strings.Contains(r.Note(say.Plain), x.after) ||
			!strings.Contains(r.Test.Why(say.Plain), "chosen by hand") || r.Protocol() != in.Protocol ||
			r.Hash == first.Hash {
			t.Errorf("%s: %s (%s): %s", x.text, r.Test.Name, r.Test.Why(say.Plain), r.Note(say.Plain))
		}
		for column := range r.Columns {
			tested, err := r.TestOn(column, nil)
			if err != nil {
				t.Fatal(err)
			}
			var ps []float64
			for _, p := range tested.Pairs {
				d, _ := significance.Differences(r.Columns[column].Values[p.A], r.Columns[column].Values[p.B])
				res, _ := x.run(d)
				if p.P != res.P {
					t.Errorf("%s: p %v, want %v", x.text, p.P, res.P)
				}
				ps = append(ps, res.P)
			}
			for i, want := range x.adjust(ps) {
				if got := tested.Pairs[i].Adjusted; got != want {
					t.Errorf("%s: corrected %v, want %v", x.text, got, want)
				}
			}
			s, err := r.Statistics(column, report.StatisticsOptions{})
			if err != nil || s.Compared.Test != in.Protocol.Test {
				t.Fatalf("%v, %v", s, err)
			}
			for i, p := range s.Pairs {
				if p.P != tested.Pairs[i].P || p.Adjusted != tested.Pairs[i].Adjusted ||
					fmt.Sprint(p.Low, p.High) != fmt.Sprint(tested.Pairs[i].Low, tested.Pairs[i].High) {
					t.Errorf("%s: the statistics have p %v and the interval from %v, the report %v and %v", x.text, p.P,
						p.Low, tested.Pairs[i].P, tested.Pairs[i].Low)
				}
			}
		}
		again, err := c.Retest(first, nil)
		if err != nil || !bytes.Equal(wire.Marshal(again), wire.Marshal(r)) {
			t.Errorf("%s: testing again: %v, %v", x.text, again, err)
		}
		if _, err := c.Retest(first, func() bool { return true }); x.text[5] != 'w' && err != ErrCancelled {
			t.Errorf("%s: cancelled: %v", x.text, err)
		}
	}
	// back to the default: the report of before, to the bit
	in.Policy, in.Protocol = measure.Policy{}, report.Protocol{}
	c, _ := Open(in)
	r, err := c.Retest(first, nil)
	if err != nil || !reflect.DeepEqual(r, first) {
		t.Errorf("%v, %v", r, err)
	}
}

// Over the pairs with the baseline p is corrected for those alone, and nothing is said of the others: neither in the
// table nor in the sentence. Hand computation: Bonferroni's p is p times the number of pairs, 3 of 6 here. Another
// baseline is another family.
func TestTheFamilyIsThePairsWithTheBaseline(t *testing.T) {
	in := random(t, rand.New(rand.NewSource(8)), 4, 40, 12)
	in.Baseline = 1
	for _, text := range []string{"correction=bonferroni family=baseline",
		"test=sign correction=none family=baseline"} {
		var err error
		if in.Policy, in.Protocol, err = ReadPolicy(text); err != nil {
			t.Fatal(err)
		}
		r, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		times := 3.0
		if in.Protocol.Correction == report.NoCorrection {
			times = 1
		}
		for _, p := range r.Pairs {
			want := math.NaN()
			if p.A == 1 || p.B == 1 {
				want = min(1, times*p.P)
			}
			if p.Adjusted != want && !(want != want && p.Adjusted != p.Adjusted) {
				t.Errorf("%s: %d %d: %v, want %v", text, p.A, p.B, p.Adjusted, want)
			}
		}
		if !strings.Contains(r.Note(say.Plain), "3 pairs with the baseline") {
			t.Error(r.Note(say.Plain))
		}
		f := r.Conclusion()
		for _, i := range f.Same {
			if f.Leader != 1 && i != 1 {
				t.Errorf("%s: the sentence speaks of %d and %d, neither of which is the baseline", text, f.Leader, i)
			}
		}
		s, err := r.Statistics(0, report.StatisticsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range s.Pairs {
			if fmt.Sprint(p.Adjusted) != fmt.Sprint(r.Pairs[i].Adjusted) ||
				s.Compared.Systems[p.I].Group != r.Columns[0].Groups[p.I] {
				t.Errorf("%s: the statistics have p %v, the report %v", text, p.Adjusted, r.Pairs[i].Adjusted)
			}
		}
		other := in
		other.Baseline = 3
		c, err := Open(other)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := string(wire.Marshal(r))
		if got := c.Relabel(r); string(wire.Marshal(got)) != string(wire.Marshal(want)) || got.Hash != want.Hash {
			t.Errorf("%s: with another baseline it is another report", text)
		}
		if string(wire.Marshal(r)) != before {
			t.Error("the report it was made of changed")
		}
	}
}

// Query by query is the same as all at once.
func TestAgreementsQueryByQuery(t *testing.T) {
	c, err := Open(random(t, rand.New(rand.NewSource(3)), 3, 11, 9))
	if err != nil {
		t.Fatal(err)
	}
	want, err := c.Agreements(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := c.Agreeing()
	for i := range c.Queries() {
		if done, total := a.Done(); done != i || total != len(c.Queries()) {
			t.Fatalf("%d of %d", done, total)
		}
		more, err := a.Next()
		if err != nil || more != (i+1 < len(c.Queries())) {
			t.Fatal(i, more, err)
		}
		if m := a.Means()[0]; m.Queries > i+1 || math.IsNaN(m.RBO) && m.Queries > 0 {
			t.Errorf("%d: %+v", i, m)
		}
	}
	if got := a.Means(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if more, err := a.Next(); more || err != nil {
		t.Error(more, err)
	}
}
