package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// every are the screens of the richer program.
var every = []Part{{Name: "home"}, {Name: "search"}, {Name: "compare"}}

// takeOver is the page of the richer program after it has taken over from a.
func takeOver(t *testing.T, a *App) (*App, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	b := New(r, a.Engine.Base, "/", every...)
	if err := b.Resume(a.Handover()); err != nil {
		t.Fatal(err)
	}
	return b, r
}

func TestAScreenOfAnotherProgramWaitsForThatAndLosesNothing(t *testing.T) {
	a, r := start(t, "/", "")
	a.Search.Type("port")
	slide(t, a, "k1", 0, 1.2)
	a.Figures.Report = &report.Report{Hash: "made"}
	a.Editor.Edit(1)
	a.Editor.Write("dense(")
	asked := r.Last(t, message.Search)
	a.Go(share.Compare)
	if r.Swaps != 1 || a.Settings.Screen != "" || !a.Programs.Wanted() || a.Programs.Fetching == nil {
		t.Fatalf("%d swaps, screen %q, %+v", r.Swaps, a.Settings.Screen, a.Programs.Fetching)
	}
	a.Programs.Loading(10, 100)
	b, s := takeOver(t, a)
	if b.Settings.QueryText() != "port" || b.Figures.Report.Hash != "made" || b.Editor.Draft != "dense(" ||
		b.Editor.DraftErr == "" || b.Engine.Phase != Ready || b.Engine.Opened == nil || b.Programs.Fetching.Done != 10 {
		t.Errorf("%+v", b)
	}
	// an answer that was owed to the first program is for the second
	b.Receive(message.Reply{ID: asked.ID, Kind: message.Search,
		Answer: &experiment.Results{Measures: []string{"owed"}}})
	if b.Search.Results == nil || b.Search.Results.Measures[0] != "owed" {
		t.Error("the answer that was waited for is dropped")
	}
	b.Arrive()
	if b.Settings.Screen != share.Compare || b.Programs.Wanted() || b.Programs.Fetching != nil ||
		!strings.HasPrefix(s.Addresses[len(s.Addresses)-1], "/evaluate") || s.Pushes != 1 {
		t.Errorf("screen %q, addresses %v", b.Settings.Screen, s.Addresses)
	}
	b.Undo()
	b.Undo()
	if k1 := knob(t, b, "k1").Handles[0].Value; k1 != 0.9 || b.Settings.QueryText() != "port" {
		t.Errorf("k1 %v, query %q", k1, b.Settings.QueryText())
	}
	b.Undo()
	if b.Settings.QueryText() != "" || b.History.CanUndo() {
		t.Errorf("query %q", b.Settings.QueryText())
	}
	s.Pass()
	s.Last(t, message.Evaluate) // the report was waiting for the slider to rest
}

func TestFilesAndAddressesWaitForTheirProgramToo(t *testing.T) {
	a, _ := start(t, "/", "")
	a.AddFiles([]message.File{{ID: 7, Name: "a.run", Size: 3}})
	a.AddFiles([]message.File{{ID: 8, Name: "b.run", Size: 3}})
	b, _ := takeOver(t, a)
	if ids := b.Programs.away.Files; len(ids) != 2 || ids[1].ID != 8 || b.Programs.away.Entry != -1 {
		t.Errorf("%+v", b.Programs.away)
	}
	a, r := start(t, "/", "")
	a.Moved("/", "#runs=abc&x=00000000", 4)
	if r.Swaps != 1 || a.Notices.Problem != nil {
		t.Fatalf("%d, %+v", r.Swaps, a.Notices.Problem)
	}
	b, _ = takeOver(t, a)
	if b.Arrive(); b.Settings.Screen != share.Compare {
		t.Errorf("screen %q", b.Settings.Screen)
	}
}

// The very first entry of the history is one too: who went there with "back" makes no new one.
func TestBackToTheFirstEntryMakesNoNewOne(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Go(share.Search)
	a.Programs.away = away{Path: "/", Entry: 0}
	b, s := takeOver(t, a)
	if b.Arrive(); b.Settings.Screen != "" || s.Pushes != 0 {
		t.Errorf("screen %q, %d entries", b.Settings.Screen, s.Pushes)
	}
}

// The richer program reads the draft again, of the first system too, and takes the notice away in its time.
func TestTheDraftIsReadAgainAndTheNoticeEnds(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Editor.Edit(0)
	a.Editor.Write("dense(")
	a.Notices.Say("Copied.")
	b, s := takeOver(t, a)
	b.Editor.DraftErr = ""
	if b.Arrive(); b.Editor.DraftErr == "" || b.Notices.Text != "Copied." {
		t.Errorf("%q, notice %q", b.Editor.DraftErr, b.Notices.Text)
	}
	if s.Pass(); b.Notices.Text != "" {
		t.Errorf("the notice stands: %q", b.Notices.Text)
	}
}

func TestADamagedHandoverIsRefused(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Search.Type("port")
	b := a.Handover()
	for i := range b {
		x := New(&statetest.Recorder{}, a.Engine.Base, "/", every...)
		if x.Resume(slices.Clone(b[:i])) == nil {
			t.Fatalf("%d of %d bytes are taken", i, len(b))
		}
	}
}
