package state

import (
	"testing"
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
