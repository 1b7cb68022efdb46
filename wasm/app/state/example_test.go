package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// shown is a page that was rendered with q2 as its example.
func shown(t *testing.T, path, fragment string, r *experiment.Results) (*App, *statetest.Recorder) {
	t.Helper()
	fx := &statetest.Recorder{}
	a := New(fx, func(string) string { return "/" }, path, first...)
	a.Engine.Opened = opened
	a.Search.ShowExample("q2", r, path == "/")
	a.Begin(path, fragment)
	a.Receive(message.Reply{ID: fx.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return a, fx
}

func fragmentOf(t *testing.T, s share.Address) string {
	t.Helper()
	f, err := share.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return "#" + f
}

func searches(r *statetest.Recorder) (n int) {
	for _, m := range r.Sent {
		if m.Kind == message.Search {
			n++
		}
	}
	return n
}

func TestHomeShowsItsExampleWithoutASearch(t *testing.T) {
	found := &experiment.Results{Judged: true}
	a, r := shown(t, "/", "", found)
	if a.Search.Shows() != "q2" || a.Search.Results != found || searches(r) != 0 || a.Location.fragment() != "" {
		t.Errorf("shows %q, %d searches, fragment %q", a.Search.Shows(), searches(r), a.Location.fragment())
	}
	a.Search.Type("port")
	if searches(r) != 1 || a.Settings.Spec.QueryID != "" {
		t.Errorf("%d searches for what was typed, query %q", searches(r), a.Settings.Spec.QueryID)
	}
}

// A query that is typed while the page loads is asked for as soon as the collection is there, without the encoder.
func TestHomeAsksForWhatWasTypedBeforeTheCollectionCame(t *testing.T) {
	for typed, id := range map[string]string{"port": "", opened.Queries[0].Text: opened.Queries[0].ID} {
		fx := &statetest.Recorder{}
		a := New(fx, func(string) string { return "/" }, "/", first...)
		a.Engine.Opened = opened
		a.Search.ShowExample("q2", &experiment.Results{Judged: true}, true)
		a.Begin("/", "")
		a.Search.Type(typed)
		a.Receive(message.Reply{ID: fx.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		if searches(fx) != 1 || a.Settings.Spec.QueryID != id {
			t.Errorf("%q: %d searches, query %q", typed, searches(fx), a.Settings.Spec.QueryID)
		}
	}
}

// Search shows more than Home does of the example, so that it asks for it.
func TestSearchAsksForWhatHomeLeavesOut(t *testing.T) {
	a, r := shown(t, "/", "", &experiment.Results{Judged: true})
	a.Go(share.Search)
	if a.Search.Results != nil || searches(r) != 1 || a.Settings.Spec.QueryID != "q2" {
		t.Errorf("%d searches, results %v, query %q", searches(r), a.Search.Results, a.Settings.Spec.QueryID)
	}
}

func TestSearchNeverOpensEmpty(t *testing.T) {
	for _, fragment := range []string{"",
		fragmentOf(t, share.Address{Screen: share.Search, Spec: experiment.Spec{Systems: []string{"bm25"}}})} {
		if a, r := shown(t, "/search", fragment, nil); a.Settings.Spec.QueryID != "q2" ||
			a.Settings.Screen != share.Search || searches(r) != 1 {
			t.Errorf("%q: query %q, %d searches", fragment, a.Settings.Spec.QueryID, searches(r))
		}
	}
	// another collection has no example: its first judged query is shown
	a, r := shown(t, "/search",
		fragmentOf(t, share.Address{Screen: share.Search, Spec: experiment.Spec{Collection: "other"}}), nil)
	other := *opened
	other.Ref.ID = "other"
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: &other})
	if a.Settings.Spec.QueryID != "q1" {
		t.Errorf("another collection opens on %q", a.Settings.Spec.QueryID)
	}
}

func TestAnExampleGivesWayToALink(t *testing.T) {
	a, _ := shown(t, "/search",
		fragmentOf(t, share.Address{Screen: share.Search, Spec: experiment.Spec{QueryID: "q1"}}),
		&experiment.Results{Judged: true})
	if a.Settings.Spec.QueryID != "q1" || a.Search.Results != nil || a.Search.Shows() != "" {
		t.Errorf("query %q, shows %q", a.Settings.Spec.QueryID, a.Search.Shows())
	}
}
