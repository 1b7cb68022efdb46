package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestTheMonthThatWasNotChangedFollows(t *testing.T) {
	a, _ := start(t, "/search", "")
	for _, c := range []struct{ from, to, first, last string }{
		{"2024-01", "2024-02", "2024-01-01", "2024-02-29"}, // 2024 is a leap year
		{"2024-01", "2023-02", "2023-02-01", "2023-02-28"}, // the last month was changed
		{"2024-04", "2023-02", "2024-04-01", "2024-04-30"}, // the first was
		{"", "1900-02", "", "1900-02-28"},                  // 1900 was none
		{"", "2000-02", "", "2000-02-29"},
		{"", "", "", ""},
	} {
		a.Filters.Dates(c.from, c.to)
		if f := a.Settings.Spec.Filter; f.From != c.first || f.To != c.last {
			t.Errorf("%s to %s: from %q to %q, want %q and %q", c.from, c.to, f.From, f.To, c.first, c.last)
		}
	}
}

func TestCountsAreThoseOfTheQueryOnceTheyAreThere(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q1")
	if a.Filters.Tune(true); a.Filters.Narrowed() || a.Filters.Facets() != &opened.Facets {
		t.Error("the counts of the collection are not shown while those of the query are awaited")
	}
	ask := r.Last(t, message.Narrow)
	of := &message.Facets{}
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: of})
	if !a.Filters.Narrowed() || a.Filters.Facets() != of {
		t.Error("the counts of the query are not shown")
	}
	a.Search.Pick("q2")
	if a.Filters.Narrowed() {
		t.Error("the counts of another query are shown")
	}
	if a.Filters.Category("sport"); !a.Settings.Filtered() {
		t.Error("a category does not filter")
	}
	if a.Filters.Unfilter(); a.Settings.Filtered() {
		t.Error("a filter stays on")
	}
}
