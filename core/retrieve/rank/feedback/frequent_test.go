package feedback_test

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/feedback"
	"github.com/rankbox/rankbox/core/text"
)

// By hand: of the first two documents crane occurs three times, winch twice, quay once; port is the query's, x too
// short; of forty documents each is in at most four, a tenth. The query counts port twice.
func TestFrequent(t *testing.T) {
	an, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(an)
	b.Add("", "port crane crane winch x")
	b.Add("", "port crane winch quay x")
	b.Add("", "buoy buoy buoy buoy")
	for range 37 {
		b.Add("", "sea")
	}
	x := b.Build()
	id := func(term string) uint32 {
		id, ok := x.ID(term)
		if !ok {
			t.Fatal(term)
		}
		return id
	}
	hits := []rank.Hit{{Doc: 0, Score: 3}, {Doc: 1, Score: 2}, {Doc: 2, Score: 1}}
	got := feedback.Frequent(x, []feedback.Word{{ID: id("port"), Known: true, Count: 2}, {Count: 1}}, hits, 2, 2, 0.25)
	want := []feedback.Term{{ID: id("port"), Weight: 2, Query: 2}, {ID: id("crane"), Weight: 0.25, Feedback: 0.25},
		{ID: id("winch"), Weight: 0.25, Feedback: 0.25}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
