package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
)

func TestAWordTypedIsOneStepOfUndoAndOneEntryOfTheHistory(t *testing.T) {
	a, r := start(t, "/search", "")
	for _, s := range []string{"p", "po", "por", "port"} {
		a.Search.Type(s)
	}
	slide(t, a, "k1", 0, 1.0)
	slide(t, a, "k1", 0, 1.2)
	if r.Pushes != 2 {
		t.Errorf("%d entries of the history, want 2", r.Pushes)
	}
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 1.2 {
		t.Errorf("k1 is %v", k1)
	}
	a.Undo()
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 0.9 || a.Settings.Spec.Query != "port" {
		t.Errorf("after one undo: k1 %v, query %q", k1, a.Settings.Spec.Query)
	}
	a.Undo()
	if a.Settings.Spec.Query != "" || a.History.CanUndo() {
		t.Errorf("after two: query %q", a.Settings.Spec.Query)
	}
	a.Redo()
	a.Redo()
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 1.2 || a.Settings.Spec.Query != "port" {
		t.Errorf("after two redos: k1 %v, query %q", k1, a.Settings.Spec.Query)
	}
}

// What was asked about a deleted collection comes back neither by undo nor by Back, and what is open is no longer it.
func TestADeletedCollectionIsForgotten(t *testing.T) {
	const id = "upload-0123456789abcdef"
	a, r := start(t, "/search", "")
	a.Change(true, func(at *share.Address) {
		*at = share.Address{Screen: "search", Spec: experiment.Spec{Collection: id}}
	})
	a.Search.Type("secret ferry")
	a.Go("judge")
	a.Forget(id)
	holds := func(s Step) bool { return s.address.Collection == id }
	if a.Settings.Collection() == id || slices.ContainsFunc(a.History.undo, holds) ||
		slices.ContainsFunc(a.History.redo, holds) {
		t.Errorf("open is %q, undo has %d steps", a.Settings.Collection(), len(a.History.undo))
	}
	for entry, s := range a.Location.visited {
		if holds(s) {
			t.Errorf("entry %d of the history leads to it", entry)
		}
	}
	if last := r.Addresses[len(r.Addresses)-1]; strings.Contains(last, id) {
		t.Errorf("the address is %s", last)
	}
}
