package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestASystemBeyondTheFirstProgramFetchesTheOther(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	if r.Enriched != 0 {
		t.Fatal("the default systems fetch another program")
	}
	a.Editor.Replace(0, "rrf(ql, bm25)")
	if r.Enriched == 0 || !strings.Contains(a.Notices.Text, "Query likelihood") {
		t.Errorf("asked %d times, notice %q", r.Enriched, a.Notices.Text)
	}
	asked := r.Last(t, message.Search)
	if s := asked.Question.(*experiment.Spec); s.Systems[0] != "rrf(ql, bm25)" {
		t.Errorf("asked for %q", s.Systems)
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Search, Beyond: true})
	if a.Notices.Text == "" {
		t.Error("the notice is gone before the other program has answered")
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Search, Answer: &experiment.Results{}})
	if a.Notices.Text != "" {
		t.Errorf("the other program has answered, and the notice stands: %q", a.Notices.Text)
	}
	link, err := a.Sharing.Link()
	if err != nil {
		t.Fatal(err)
	}
	if _, r := start(t, "/search", link[strings.Index(link, "#"):]); r.Enriched == 0 {
		t.Error("a link with such a system does not fetch the other program")
	}
}

func TestAProgramThatDoesNotComeIsSaidAndTriedAgain(t *testing.T) {
	a, r := start(t, "/", "")
	a.Go(share.Compare)
	a.NotLoaded("no network")
	if a.Notices.Problem == nil || !strings.Contains(a.Notices.Problem.What, "no network") || !a.Programs.Failing() ||
		a.Programs.Fetching != nil || a.Engine.Phase != Ready {
		t.Fatalf("%+v", a.Notices.Problem)
	}
	a.Retry()
	if r.Swaps != 2 || a.Notices.Problem != nil || r.Restarts != 0 {
		t.Errorf("%d swaps, %d restarts", r.Swaps, r.Restarts)
	}
	a.Programs.Stay()
	if a.Programs.Wanted() || a.Programs.Failing() {
		t.Error("the page still goes away")
	}
	a.Go(share.Compare)
	a.Go(share.Search)
	if a.Programs.Wanted() || a.Settings.Screen != share.Search {
		t.Error("who goes elsewhere meanwhile is called back")
	}
}

func TestACollectionBeyondTheWorkerIsOpenedByTheRicherOne(t *testing.T) {
	r := &statetest.Recorder{}
	a := New(r, func(string) string { return "/" }, "/", first...)
	a.Begin("/", "")
	id := r.Last(t, message.Open).ID
	a.Receive(message.Reply{ID: id, Kind: message.Open, Beyond: true})
	if r.Enriched != 1 || a.Notices.Problem != nil || a.Engine.Phase != Opening {
		t.Fatalf("%d, %+v", r.Enriched, a.Notices.Problem)
	}
	// the question is put to the richer worker as it was
	a.Receive(message.Reply{ID: id, Kind: message.Open, Answer: opened})
	if a.Engine.Phase != Ready {
		t.Error("its answer is dropped")
	}
}
