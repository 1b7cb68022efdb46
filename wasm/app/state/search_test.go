package state

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

func TestTypingAsksTheWorkerAndOnlyTheNewestAnswerCounts(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("po")
	asked := func(m message.Request) *experiment.Spec { return m.Question.(*experiment.Spec) }
	first := r.Last(t, message.Search)
	a.Search.Type("port")
	second := r.Last(t, message.Search)
	if asked(first).Query != "po" || asked(second).Query != "port" || second.ID <= first.ID {
		t.Fatalf("requests %+v, %+v", first, second)
	}
	newest := &experiment.Results{Measures: []string{"newest"}}
	a.Receive(message.Reply{ID: second.ID, Kind: message.Search, Answer: newest})
	a.Receive(message.Reply{ID: first.ID, Kind: message.Search, Answer: &experiment.Results{}})
	if a.Search.Results != newest {
		t.Error("a late answer replaced the newest")
	}
	if !slices.Equal(asked(second).Systems, Defaults) || asked(second).Depth != DefaultDepth ||
		asked(second).Collection != DefaultCollection {
		t.Errorf("the worker gets a Spec with defaults to guess: %+v", asked(second))
	}
}

func TestSteppingGoesRoundTheJudgedQueries(t *testing.T) {
	a, _ := start(t, "/search", "")
	var got []string
	for _, by := range []int{1, 1, 1, -1, -1} {
		a.Search.Step(by)
		got = append(got, a.Settings.Spec.QueryID)
	}
	if want := []string{"q1", "q2", "q1", "q2", "q1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	a.Engine.Opened.Queries = append(a.Engine.Opened.Queries, report.Query{ID: "q3", Text: "a third"})
	got = nil
	for _, by := range []int{1, 1, 1, -1, -2} {
		a.Search.Step(by)
		got = append(got, a.Settings.Spec.QueryID)
	}
	if want := []string{"q2", "q3", "q1", "q3", "q1"}; !slices.Equal(got, want) {
		t.Errorf("of three: %q, want %q", got, want)
	}
}

func TestWhatIsTypedOutIsTheJudgedQuery(t *testing.T) {
	a, r := start(t, "/search", "")
	for _, c := range []struct{ typed, id string }{{"port strik", ""}, {"port strike", "q1"}, {"port strikes", ""}} {
		a.Search.Type(c.typed)
		if asked := r.Last(t, message.Search).Question.(*experiment.Spec); asked.QueryID != c.id ||
			a.Settings.QueryText() != c.typed {
			t.Errorf("%q asks for query %q, the box holds %q", c.typed, asked.QueryID, a.Settings.QueryText())
		}
	}
}
