package report

import (
	"math"
	"slices"
	"testing"
)

// tested is a report of two systems on two measures, with a value that is no number.
func tested(t *testing.T) *Report {
	t.Helper()
	r := &Report{Systems: []System{{Label: "a"}, {Label: "b"}}, Measures: []string{"P@1", "AP"}}
	for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
		r.Queries = append(r.Queries, Query{ID: id, Relevant: 1})
	}
	r.Columns = []Column{
		{Measure: "P@1", Values: [][]float64{{.1, .7, .2, .3, .4, .8}, {.4, .3, .9, .9, .8, 1}}},
		{Measure: "AP", Values: [][]float64{{.1, .5, .2, .3, .4, .6}, {.4, .3, .9, .9, .8, math.NaN()}}},
	}
	if err := r.Conclude(Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// Recompute gives the figures that Conclude gave and leaves the report alone. A changed figure is one difference.
func TestRecomputeNamesTheFigureThatWasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *Report)
		want   []string
	}{
		"nothing": {func(*Report) {}, nil},
		"a mean":  {func(r *Report) { r.Columns[1].Means[0] = .5 }, []string{"mean of AP of a"}},
		"an interval": {func(r *Report) { r.Columns[0].High[1] += 1e-15 },
			[]string{"upper end of the interval of P@1 of b"}},
		"letters": {func(r *Report) { r.Columns[0].Groups[0] = "z" }, []string{"letters of P@1 of a"}},
		"p":       {func(r *Report) { r.Pairs[0].P /= 2 }, []string{"p of b against a on P@1"}},
		"counts": {func(r *Report) { r.Pairs[0].Equal++ },
			[]string{"queries better, worse and equal of b against a on P@1"}},
		"no pair":      {func(r *Report) { r.Pairs = nil }, []string{"pairs tested on P@1"}},
		"pair swapped": {func(r *Report) { r.Pairs[0].A, r.Pairs[0].B = 1, 0 }, []string{"pair 1 on P@1"}},
	} {
		r := tested(t)
		c.change(r)
		hash, first := r.Hash, r.Columns[1].Means[0]
		again, differ, err := r.Recompute(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range differ {
			got = append(got, d.What)
		}
		if !slices.Equal(got, c.want) || again.Hash != hash || r.Columns[1].Means[0] != first {
			t.Errorf("%s: %q, want %q, digest %s, was %s", name, got, c.want, again.Hash, hash)
		}
	}
	r := tested(t)
	r.Columns[0].Values[0][0] = .2
	if again, differ, _ := r.Recompute(nil); again.Hash == r.Hash || len(differ) == 0 {
		t.Errorf("a changed value: %+v", differ)
	}
	if _, _, err := tested(t).Recompute(func() bool { return true }); err != ErrCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// Reports that are about other things are told apart by what they are about, not figure by figure.
func TestDifferencesOfReportsAboutOtherThings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(r *Report)
		want   string
	}{
		"a query less":      {func(r *Report) { r.Queries = r.Queries[1:] }, "queries"},
		"another query":     {func(r *Report) { r.Queries[2].ID = "x" }, "id of query 3"},
		"other judgments":   {func(r *Report) { r.Queries[2].Relevant++ }, "relevant documents of query 3"},
		"another measure":   {func(r *Report) { r.Measures[1] = "RR" }, "measure 2"},
		"a system more":     {func(r *Report) { r.Systems = append(r.Systems, System{}) }, "systems"},
		"a measure dropped": {func(r *Report) { r.Columns = r.Columns[:1] }, "measures"},
	} {
		a, b := tested(t), tested(t)
		c.change(b)
		if d := a.Differences(b); len(d) != 1 || d[0].What != c.want {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestTestDifferences(t *testing.T) {
	r := tested(t)
	stored, err := r.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := r.TestDifferences([]*Tests{stored}, nil); err != nil || d != nil {
		t.Errorf("%+v, %v", d, err)
	}
	stored.Pairs[0].Adjusted = .5
	want := "corrected p of b against a on AP"
	if d, err := r.TestDifferences([]*Tests{stored}, nil); err != nil || len(d) != 1 || d[0].What != want {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := r.TestDifferences([]*Tests{{Column: 2}}, nil); err == nil {
		t.Error("a measure that is not there is tested")
	}
}
