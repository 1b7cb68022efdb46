package report

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
)

// concluded returns a report of systems with values around the given levels, one measure.
func concluded(t *testing.T, measure string, levels ...float64) *Report {
	t.Helper()
	r := &Report{Measures: []string{measure}, Columns: []Column{{Measure: measure}}}
	r.Collection.Name = "Test"
	for q := range 40 {
		r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
	}
	for s, level := range levels {
		r.Systems = append(r.Systems, System{Label: "S" + strconv.Itoa(s)})
		var v []float64
		for q := range r.Queries {
			v = append(v, level+float64((q*7+s*3)%11)/256)
		}
		r.Columns[0].Values = append(r.Columns[0].Values, v)
	}
	if err := r.Conclude(Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// Best, letters, Better and the finding take their direction from the measure.
func TestDirection(t *testing.T) {
	for _, c := range []struct {
		measure string
		levels  []float64
		best    int
		letters string
		better  int // of the pair 0, 1
		finding string
	}{
		{"nDCG@10", []float64{0.5, 0.7, 0.2}, 1, "[b a c]", 40,
			"On Test (40 queries), S1 beats S0 by 0.200 and S2 by 0.500 nDCG@10."},
		{"nDCG@10", []float64{0.5, 0.3, 0.2}, 0, "[a b c]", 0,
			"On Test (40 queries), S0 beats S1 by 0.200 and S2 by 0.300 nDCG@10."},
		{"nDCG@10", []float64{0.5, 0.7, 0.7}, 1, "[b a a]", 40,
			"On Test (40 queries), S1 beats S0 by 0.200 nDCG@10. S2 is not significantly different."},
		{"unj@10", []float64{0.5, 0.7, 0.2}, 2, "[b c a]", 0,
			"On Test (40 queries), S2 beats S0 by 0.300 and S1 by 0.500 unj@10."},
		{"unj@10", []float64{0.5, 0.7, 0.8}, 0, "[a b c]", 0,
			"On Test (40 queries), S0 beats S1 by 0.200 and S2 by 0.300 unj@10."},
		{"unj@10", []float64{0.5, 0.2, 0.2}, 2, "[b a a]", 40,
			"On Test (40 queries), S2 beats S0 by 0.300 unj@10. S1 is not significantly different."},
	} {
		r := concluded(t, c.measure, c.levels...)
		col := r.Columns[0]
		if got := fmt.Sprint(col.Groups); got != c.letters || col.Best != col.Means[c.best] {
			t.Errorf("%s of %v: letters %s, want %s; best %v of %v", c.measure, c.levels, got, c.letters, col.Best,
				col.Means)
		}
		if p := r.Pairs[0]; p.Better != c.better || p.Better+p.Worse != 40 {
			t.Errorf("%s of %v: better on %d, worse on %d", c.measure, c.levels, p.Better, p.Worse)
		}
		if r.Sentence(say.Plain) != c.finding {
			t.Errorf("%s of %v: %s, want %s", c.measure, c.levels, r.Sentence(say.Plain), c.finding)
		}
	}
}

func TestStanding(t *testing.T) {
	r := concluded(t, "AP", 0.5, 0.5, 0.2)
	copy(r.Columns[0].Values[1], r.Columns[0].Values[0]) // the first two are the same
	r.Columns[0].Means, r.Pairs = nil, nil
	if err := r.Conclude(Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	s := r.Conclusion()
	if s.Leader != 0 || s.Other != 1 || fmt.Sprint(s.Same, s.Beaten) != "[1] [2]" ||
		r.Sentence(say.Plain) != "On Test (40 queries), S0 beats S2 by 0.300 AP. S1 is not significantly different." {
		t.Errorf("%+v: %s", s, r.Sentence(say.Plain))
	}
	if Smaller("no measure") || Smaller("nDCG@10") || !Smaller("unj@10") {
		t.Error("Smaller")
	}
	for _, lower := range []bool{false, true} { // as a snapshot in JSON may have it, in which null stands for no number
		r := &Report{Systems: make([]System, 5),
			Columns: []Column{{Lower: lower, Means: []float64{0.5, math.NaN(), 0.7, math.NaN(), 0.6}}}}
		if got, want := fmt.Sprint(r.Ranking()),
			map[bool]string{false: "[2 4 0 1 3]", true: "[0 4 2 1 3]"}[lower]; got != want {
			t.Errorf("a mean that is no number: %s, want %s", got, want)
		}
	}
	r = &Report{Systems: make([]System, 4),
		Columns: []Column{{Measure: "unj@10", Lower: true, Means: []float64{0.5, 0.2, 0.5, 0.1}}}}
	if got := r.Ranking(); fmt.Sprint(got) != "[3 1 0 2]" {
		t.Error(got)
	}
}

// By hand: up to 100 systems what is drawn is what it was, 12,000,000 for all values and 10,000 at most; beyond,
// 50,000,000 for all pairs and 1,000 at least.
func TestResamples(t *testing.T) {
	for _, c := range []struct{ systems, queries, want int }{
		{1, 1, 10_000}, {20, 50, 10_000}, {20, 100, 6000}, {100, 2, 10_000}, {100, 100, 1200}, {200, 2, 2512},
		{1000, 2, 1000}, {1000, 1000, 1000},
	} {
		if got := Resamples(c.systems, c.queries); got != c.want {
			t.Errorf("%d systems, %d queries: %d, want %d", c.systems, c.queries, got, c.want)
		}
	}
}

// A system that answered no query has no part in the conclusion: with one other there is nothing to compare, that one is
// named, and of two others the better one is held against the second. Where less is better, nothing is not the best.
func TestAnUnansweredSystemIsInNoConclusion(t *testing.T) {
	silent := func(measure string, levels []float64, of ...int) *Report {
		r := concluded(t, measure, levels...)
		for _, s := range of {
			r.Systems[s].Missing = len(r.Queries)
			clear(r.Columns[0].Values[s])
		}
		if err := r.Conclude(Protocol{}, nil); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, measure := range []string{"nDCG@10", "unj@10"} {
		r := silent(measure, []float64{0.3, 0.5}, 0)
		if got, want := r.Sentence(say.Plain), "On Test (40 queries), S1 reaches 0.520 "+measure+
			". S0 answered no query."; got != want || r.Conclusion().Kind != OneSystem {
			t.Errorf("%s, want %s", got, want)
		}
		r = silent(measure, []float64{0.2, 0.5, 0.45}, 0)
		x := r.Conclusion()
		if x.Leader == 0 || x.Other == 0 || len(x.Gains) != 1 || r.Best(0)[0] == 0 || r.Ranking()[2] != 0 ||
			r.Columns[0].Groups[0] != "" || x.Ranks()[0] != (Rank{}) {
			t.Errorf("%s: %+v, letters %q, ranks %v", measure, x, r.Columns[0].Groups, x.Ranks())
		}
		for _, p := range r.Pairs {
			if told := p.P == p.P || p.Diff == p.Diff; told != (p.A != 0 && p.B != 0) || told && p.Adjusted != p.P {
				t.Errorf("%s: %+v", measure, p)
			}
		}
		r = silent(measure, []float64{0.2, 0.5}, 0, 1)
		if got := r.Sentence(say.Plain); got != "No system answered any of 40 queries." || r.Note(say.Plain) != "" {
			t.Errorf("%s, %s", got, r.Note(say.Plain))
		}
	}
}
