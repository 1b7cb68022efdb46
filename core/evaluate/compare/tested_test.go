package compare

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
)

// The tests on a measure are those of a report that has the measure first.
func TestOtherMeasuresAreTestedAsIfTheyWereTheFirst(t *testing.T) {
	for _, first := range []string{"nDCG@10", "AP", "unj@5"} {
		in := random(t, rand.New(rand.NewSource(5)), 4, 30, 12)
		in.Measures = []string{"P@5", "nDCG@10", "AP", "unj@5"}
		r, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		column := slices.Index(r.Measures, first)
		if column <= 0 {
			t.Fatalf("%s is not among %v", first, r.Measures)
		}
		got, err := r.TestOn(column, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Measures = []string{first}
		want, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Pairs) != 6 || got.Test.Name == "" || got.Test.Name != want.Test.Name ||
			got.Test.Why(say.Plain) != want.Test.Why(say.Plain) ||
			!slices.Equal(r.TestDoubts(got, say.Plain), want.TestDoubts(want.Tests(), say.Plain)) {
			t.Errorf("%s: %+v, want %+v", first, got.Test, want.Test)
		}
		for i, p := range got.Pairs {
			q := want.Pairs[i]
			if p.Diff != q.Diff || p.P != q.P || p.Adjusted != q.Adjusted || p.Low != q.Low || p.High != q.High ||
				p.Better != q.Better || p.Worse != q.Worse || p.Equal != q.Equal {
				t.Errorf("%s: %+v, want %+v", first, p, q)
			}
		}
		if q, ok := got.Pair(1, 0); !ok || q.Diff != -got.Pairs[0].Diff {
			t.Errorf("turned round: %+v", q)
		}
	}
	r, err := Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.TestOn(0, nil); err != nil || &got.Pairs[0] != &r.Pairs[0] {
		t.Errorf("%+v, %v", got, err)
	}
	for _, m := range []int{-1, 5} {
		if _, err := r.TestOn(m, nil); err == nil {
			t.Errorf("there is no measure %d", m)
		}
	}
	if _, err := r.TestOn(1, func() bool { return true }); err != ErrCancelled {
		t.Errorf("error %v", err)
	}
}

func TestRelabelGivesTheReportOfTheNewNamesAndBaseline(t *testing.T) {
	for _, in := range []Input{fixture(t), random(t, rand.New(rand.NewSource(6)), 3, 12, 8)} {
		r, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := string(wire.Marshal(r))
		in.Runs = slices.Clone(in.Runs)
		in.Runs[0].Name, in.Runs[2].Name = "<b>new</b>", "<b>new</b>"
		in.Baseline = 2
		c, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Relabel(r)
		want, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if string(wire.Marshal(got)) != string(wire.Marshal(want)) || got.Hash != want.Hash || got.Hash == r.Hash {
			t.Errorf("another report:\n%s\n%s", got.Sentence(say.Plain), want.Sentence(say.Plain))
		}
		if string(wire.Marshal(r)) != before {
			t.Error("the report it was made of changed")
		}
		if got.Systems[0].Label != "<b>new</b>" || got.Systems[2].Label != "<b>new</b> (2)" {
			t.Errorf("%+v", got.Systems)
		}
	}
}
