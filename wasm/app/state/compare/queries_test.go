package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestQueriesAreSortedAndFiltered(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	rows := func() string {
		s := ""
		for _, q := range c.View.Rows() {
			s += c.Runs.Report().Queries[q].ID + " "
		}
		return strings.TrimSpace(s)
	}
	// from a to b: q1 0, q2 +1, q3 0, q4 −1
	check := func(name, want string) {
		t.Helper()
		if got := rows(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("largest change first", "q2 q4 q1 q3")
	c.View.SortBy(SortChange)
	check("gains first", "q2 q1 q3 q4")
	c.View.SortBy(SortChange)
	check("losses first", "q4 q1 q3 q2")
	c.View.SortBy(SortQuery)
	check("by query", "q1 q2 q3 q4")
	c.View.SortBy(SortQuery)
	check("by query, from the end", "q4 q3 q2 q1")
	c.View.SortBy(SortA)
	check("lowest A first", "q2 q3 q1 q4")
	c.View.SortBy(SortQuery)
	c.View.SetFilter(FilterB)
	check("B better", "q2")
	c.View.SetFilter(FilterA)
	check("A better", "q4")
	c.View.SetOver(1)
	check("A better by more than 1", "")
	c.View.SetFilter(FilterChanged)
	check("changed", "q2 q4")
	c.View.SetFilter(FilterAll)
	c.View.FindQuery("Q3")
	check("found", "q3")
	c.View.FindQuery("")
	c.View.SetPair(0, 2)
	if ask := r.Last(t, message.Reasons).Question.(*message.AskReasons); ask.B != 2 || len(ask.Queries) != 4 {
		t.Errorf("%+v", ask)
	}
	c.View.OpenQuery("q1")
	c.View.StepQuery(-1)
	if c.View.Open != "q4" || r.Last(t, message.Query).Question.(*message.AskQuery).Query != "q4" {
		t.Errorf("open %s", c.View.Open)
	}
	c.View.SetPair(5, 0)
	c.View.SetColumn(9)
	if c.View.A != 0 || c.View.Column != 0 {
		t.Error("a run or measure that is not there was chosen")
	}
}
