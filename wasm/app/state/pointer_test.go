package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// The document that the pointer is on is drawn at once, and the first list can be swept back to.
func TestThePointerAndSweepsAreFollowed(t *testing.T) {
	a, r := start(t, "/search", "")
	before := r.Renders
	if a.View.Point("d1"); a.View.Hover != "d1" || r.Renders == before {
		t.Errorf("on %q, drawn %d times", a.View.Hover, r.Renders-before)
	}
	if a.View.Point(""); a.View.Hover != "" {
		t.Errorf("still on %q", a.View.Hover)
	}
	a.View.Swiped(1)
	if a.View.Swiped(0); a.View.Shown != 0 {
		t.Errorf("list %d", a.View.Shown)
	}
	before = r.Renders
	if a.View.Swiped(0); r.Renders != before {
		t.Error("the list that is shown is drawn again")
	}
}

// A collection without vectors, or with those of the lexical encoder alone, is opened with lexical systems.
func TestACollectionWithoutVectorsHasLexicalSystems(t *testing.T) {
	for _, c := range []struct {
		o    *message.Opened
		want []string
	}{
		{nil, Defaults}, {&message.Opened{Models: []string{"minilm"}}, Defaults}, {&message.Opened{}, Defaults[:2]},
		{&message.Opened{Models: []string{"static"}, Lexical: true}, Defaults[:2]},
	} {
		if got := DefaultsOf(c.o); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c.o, got)
		}
	}
}

// The program that takes over has the workspace read that the device remembers, once the collection is open.
func TestAProgramThatTakesOverReadsTheWorkspace(t *testing.T) {
	for _, phase := range []Phase{Ready, Opening} {
		a, _ := start(t, "/", "")
		a.Engine.Phase = phase
		r := &statetest.Recorder{}
		r.Remember(OwnKey(DefaultCollection), "1")
		b := New(r, a.Engine.Base, "/", every...)
		if err := b.Resume(a.Handover()); err != nil {
			t.Fatal(err)
		}
		if b.Arrive(); b.Workspace.awaited != (phase == Ready) {
			t.Errorf("phase %d: the workspace is awaited: %v", phase, b.Workspace.awaited)
		}
	}
}

// The editor is closed when a system is taken out, also the one that is edited.
func TestTakingASystemOutClosesTheEditor(t *testing.T) {
	a, _ := start(t, "/search", "")
	for _, editing := range []int{0, 1, 2} {
		a.Editor.Edit(editing)
		if a.Editor.Remove(0); a.Editor.Editing != -1 {
			t.Errorf("system %d is edited", a.Editor.Editing)
		}
	}
}

// The editor is closed when the browser goes to another address.
func TestAnotherAddressClosesTheEditor(t *testing.T) {
	a, _ := start(t, "/search", "")
	a.Editor.Edit(1)
	if a.Moved("/", "", 3); a.Editor.Editing != -1 {
		t.Errorf("system %d is edited", a.Editor.Editing)
	}
}

// A baseline that there is not is the last system.
func TestABaselineBeyondTheSystemsIsTheLast(t *testing.T) {
	a, _ := with(t, "bm25", "bm25(k1=2)", "bm25(k1=3)")
	a.Settings.Spec.Baseline = 9
	if base, other := a.Settings.Pair(); base != 2 || other != 0 {
		t.Errorf("%d and %d", base, other)
	}
}

// How much of a program has arrived is told under its name, if somebody asked for a screen.
func TestAProgramArrivesUnderItsName(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Programs.Loading(1, 4)
	if p := a.Programs.Fetching; p == nil || p.Done != 1 || p.Total != 4 || !strings.Contains(p.What, "search engine") {
		t.Errorf("%+v", p)
	}
	a, _ = start(t, "/", "")
	a.Go(share.Compare)
	name := a.Programs.Fetching.What
	if a.Programs.Loading(2, 4); a.Programs.Fetching.What != name || a.Programs.Fetching.Done != 2 ||
		strings.Contains(name, "search engine") {
		t.Errorf("%+v, want %s", a.Programs.Fetching, name)
	}
}
