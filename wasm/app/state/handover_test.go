package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// every are the screens of the richer program.
var every = []Part{{Name: "home"}, {Name: "search"}, {Name: "compare"}}

// takeOver is the page of the richer program after it has taken over from a.
func takeOver(t *testing.T, a *App) (*App, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	b := New(r, a.Base, "/", every...)
	if err := b.Resume(a.Handover()); err != nil {
		t.Fatal(err)
	}
	return b, r
}

func TestAScreenOfAnotherProgramWaitsForThatAndLosesNothing(t *testing.T) {
	a, r := start(t, "/", "")
	a.Type("port")
	slide(t, a, "k1", 0, 1.2)
	a.Report = &report.Report{Hash: "made"}
	a.Edit(1)
	a.Write("dense(")
	asked := r.Last(t, message.Search)
	a.Go(share.Compare)
	if r.Swaps != 1 || a.Screen != "" || !a.Wanted() || a.Fetching == nil {
		t.Fatalf("%d swaps, screen %q, %+v", r.Swaps, a.Screen, a.Fetching)
	}
	a.Loading(10, 100)
	b, s := takeOver(t, a)
	if b.QueryText() != "port" || b.Report.Hash != "made" || b.Draft != "dense(" || b.DraftErr == "" || b.Phase != Ready || b.Opened == nil || b.Fetching.Done != 10 {
		t.Errorf("%+v", b)
	}
	// an answer that was owed to the first program is for the second
	b.Receive(message.Reply{ID: asked.ID, Kind: message.Search, Answer: &experiment.Results{Measures: []string{"owed"}}})
	if b.Results == nil || b.Results.Measures[0] != "owed" {
		t.Error("the answer that was waited for is dropped")
	}
	b.Arrive()
	if b.Screen != share.Compare || b.Wanted() || b.Fetching != nil || !strings.HasPrefix(s.Addresses[len(s.Addresses)-1], "/evaluate") || s.Pushes != 1 {
		t.Errorf("screen %q, addresses %v", b.Screen, s.Addresses)
	}
	b.Undo()
	b.Undo()
	if k1 := knob(t, b, "k1").Handles[0].Value; k1 != 0.9 || b.QueryText() != "port" {
		t.Errorf("k1 %v, query %q", k1, b.QueryText())
	}
	b.Undo()
	if b.QueryText() != "" || b.CanUndo() {
		t.Errorf("query %q", b.QueryText())
	}
	s.Pass()
	s.Last(t, message.Evaluate) // the report was waiting for the slider to rest
}

func TestFilesAndAddressesWaitForTheirProgramToo(t *testing.T) {
	a, _ := start(t, "/", "")
	a.AddFiles([]message.File{{ID: 7, Name: "a.run", Size: 3}})
	a.AddFiles([]message.File{{ID: 8, Name: "b.run", Size: 3}})
	b, _ := takeOver(t, a)
	if ids := b.away.Files; len(ids) != 2 || ids[1].ID != 8 {
		t.Errorf("%+v", b.away)
	}
	a, r := start(t, "/", "")
	a.Moved("/", "#runs=abc&x=00000000", 4)
	if r.Swaps != 1 || a.Problem != nil {
		t.Fatalf("%d, %+v", r.Swaps, a.Problem)
	}
	b, _ = takeOver(t, a)
	if b.Arrive(); b.Screen != share.Compare {
		t.Errorf("screen %q", b.Screen)
	}
}

func TestAProgramThatDoesNotComeIsSaidAndTriedAgain(t *testing.T) {
	a, r := start(t, "/", "")
	a.Go(share.Compare)
	a.NotLoaded("no network")
	if a.Problem == nil || !strings.Contains(a.Problem.What, "no network") || !a.Failing() || a.Fetching != nil || a.Phase != Ready {
		t.Fatalf("%+v", a.Problem)
	}
	a.Retry()
	if r.Swaps != 2 || a.Problem != nil || r.Restarts != 0 {
		t.Errorf("%d swaps, %d restarts", r.Swaps, r.Restarts)
	}
	a.Stay()
	if a.Wanted() || a.Failing() {
		t.Error("the page still goes away")
	}
	a.Go(share.Compare)
	a.Go(share.Search)
	if a.Wanted() || a.Screen != share.Search {
		t.Error("who goes elsewhere meanwhile is called back")
	}
}

func TestACollectionBeyondTheWorkerIsOpenedByTheRicherOne(t *testing.T) {
	r := &statetest.Recorder{}
	a := New(r, func(string) string { return "/" }, "/", first...)
	a.Begin("/", "")
	id := r.Last(t, message.Open).ID
	a.Receive(message.Reply{ID: id, Kind: message.Open, Beyond: true})
	if r.Enriched != 1 || a.Problem != nil || a.Phase != Opening {
		t.Fatalf("%d, %+v", r.Enriched, a.Problem)
	}
	a.Receive(message.Reply{ID: id, Kind: message.Open, Answer: opened}) // the question is put to the richer worker as it was
	if a.Phase != Ready {
		t.Error("its answer is dropped")
	}
}

func TestADamagedHandoverIsRefused(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Type("port")
	b := a.Handover()
	for i := range b {
		x := New(&statetest.Recorder{}, a.Base, "/", every...)
		if x.Resume(slices.Clone(b[:i])) == nil {
			t.Fatalf("%d of %d bytes are taken", i, len(b))
		}
	}
}
