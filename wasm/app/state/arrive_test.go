package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// listening is a screen that counts how often it hears that the query was answered.
type listening struct {
	plain
	found int
}

func (x *listening) Found() { x.found++ }

// A page that goes nowhere is handed over where it is by then, not where it was when the other program was asked for.
func TestAPageThatStaysIsHandedOverWhereItIs(t *testing.T) {
	for _, c := range []struct {
		screen   share.Screen
		stays    bool
		path     string
		fragment string
	}{
		{share.Compare, true, "/evaluate/page", "#own"},
		{share.Compare, false, "/asked", ""},
		{share.Home, true, "/asked", ""}, // the page keeps nothing there
	} {
		a, _, _ := capable(t)
		a.Go(c.screen)
		a.Programs.away = away{Path: "/asked", Entry: 7, Stays: c.stays}
		entry := 7
		if c.path != "/asked" {
			entry = a.Location.entry
		}
		b, _ := takeOver(t, a)
		got := b.Programs.away
		if got.Path != c.path || got.Fragment != c.fragment || got.Entry != entry {
			t.Errorf("%s, stays %v: %+v", c.screen, c.stays, got)
		}
	}
}

// A ranking that was to be taken apart is, once the program that does it has arrived.
func TestOnlyWhatWasUnfoldedIsTakenApartOnArrival(t *testing.T) {
	for unfolded, want := range map[int]int{0: 0, 1: 1, 2: 1} {
		a, _ := start(t, "/", "")
		a.Search.Unfolded = unfolded
		a.Programs.away = away{Path: "/evaluate", Entry: -1}
		x, r := &listening{plain: plain{share.Compare}}, &statetest.Recorder{}
		b := New(r, a.Engine.Base, "/", Part{Name: "home"}, Part{Name: "search"},
			Part{Name: "compare", Make: func(*App) Screen { return x }})
		if err := b.Resume(a.Handover()); err != nil {
			t.Fatal(err)
		}
		b.Arrive()
		if b.Settings.Screen != share.Compare || x.found != want {
			t.Errorf("system %d: told %d times on %q, want %d", unfolded, x.found, b.Settings.Screen, want)
		}
	}
	if _, ok := any(&listening{}).(ResultsListener); !ok {
		t.Error("the screen does not listen")
	}
}
