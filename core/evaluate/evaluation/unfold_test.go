//go:build !first

package evaluation

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

func ranks(rows []Row) (out []int) {
	for _, r := range rows {
		out = append(out, r.Rank)
	}
	return out
}

// Rows are all up to the cutoff, or the first ten without one, and behind them those that add something.
func TestUnfoldShowsTheRanksThatCount(t *testing.T) {
	grades := []float64{0, 2, measure.Unjudged, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0}
	for _, c := range []struct {
		measure string
		want    []int
	}{
		{"P@3", []int{1, 2, 3}},
		{"nDCG@5", []int{1, 2, 3, 4, 5}},
		{"AP", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13}},
		// without the unjudged document the ranks close up
		{"P(judged_only=True)@3", []int{1, 2, 0, 3}},
	} {
		_, ms := blank(0, c.measure)
		topic := &measure.Topic{Query: "a", Ranked: grades, Judged: []float64{0, 2, 1, 3}}
		u := Unfold(topic, ms[0], ms[0], 4, func(place int) (string, string) {
			return fmt.Sprint("d", place), fmt.Sprint("title of ", place)
		})
		if got := ranks(u.Rows); !slices.Equal(got, c.want) {
			t.Errorf("%s: ranks %v, want %v", c.measure, got, c.want)
		}
		for _, r := range u.Rows {
			if r.ID != fmt.Sprint("d", r.Place-1) || r.Title != fmt.Sprint("title of ", r.Place-1) ||
				r.Grade != float64(grades[r.Place-1]) {
				t.Errorf("%s: %+v", c.measure, r)
			}
		}
		if u.System != 4 || u.Query != "a" || u.Measure != c.measure || u.Value != ms[0].Score(topic) {
			t.Errorf("%s: %+v", c.measure, u)
		}
	}
}

// A removed document has no rank: of those, rows show what stood within the cutoff.
func TestUnfoldLeavesOutRemovedDocumentsBehindTheCutoff(t *testing.T) {
	u := measure.Unjudged
	topic := &measure.Topic{Ranked: []float64{1, float64(int32(u)), float64(int32(u)), float64(int32(u)), 1},
		Judged: []float64{1, 1}}
	_, ms := blank(0, "P(judged_only=True)@3")
	var places []int
	for _, r := range Unfold(topic, ms[0], ms[0], 0, func(int) (string, string) { return "", "" }).Rows {
		places = append(places, r.Place)
	}
	if want := []int{1, 2, 3, 5}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	if report.Window != 10 {
		t.Error("these tests are made for a window of ten")
	}
}
