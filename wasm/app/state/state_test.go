package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

var opened = &message.Opened{Ref: report.Ref{ID: DefaultCollection, Name: "Wire", Hash: strings.Repeat("ab", 32),
	Documents: 3, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"},
		{ID: "q2", Text: "ferry timetable winter"}}, Encoded: []bool{true, true}}

// first are the screens of the first program.
var first = []Part{{Name: "home"}, {Name: "search"}}

func start(t *testing.T, path, fragment string) (*App, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	a := New(r, func(id string) string { return "https://example.org/collections/" + id + "/" }, path, first...)
	a.Begin(path, fragment)
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return a, r
}

func TestSlidersThatStandAtOnePlaceMoveTogetherAndTheReportFollowsOnceTheyRest(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q1")
	r.Sent = nil
	for _, v := range []float64{1, 1.1, 1.2} {
		slide(t, a, "k1", 0, v)
	}
	want := []string{"bm25(k1=1.2)", "bm25(k1=1.2,title=3)", "dense", "rrf(bm25(k1=1.2), dense)"}
	if got := a.Settings.Systems(); !slices.Equal(got, want) {
		t.Errorf("systems %q, want %q", got, want)
	}
	evaluations := 0
	r.Pass()
	for _, m := range r.Sent {
		if m.Kind == message.Evaluate {
			evaluations++
		}
	}
	if evaluations != 1 {
		t.Errorf("%d evaluations for one drag", evaluations)
	}
	slide(t, a, "k1", 0, 0.9)
	if a.Settings.Spec.Systems != nil {
		t.Errorf("the defaults are written into the link: %q", a.Settings.Spec.Systems)
	}
}
