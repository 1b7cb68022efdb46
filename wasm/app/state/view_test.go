package state

import "testing"

func TestAPhoneShowsOneOfTheListsThereAre(t *testing.T) {
	a, r := start(t, "/search", "")
	last := len(a.Settings.Systems()) - 1
	a.View.Swiped(last)
	if a.View.Swiped(last + 1); a.View.Shown != last {
		t.Errorf("list %d of %d", a.View.Shown, last+1)
	}
	if a.View.Swiped(-1); a.View.Shown != last {
		t.Errorf("list %d", a.View.Shown)
	}
	if a.View.Turn(0); a.View.Shown != 0 || r.Focused != "system-0" {
		t.Errorf("list %d, focus on %q", a.View.Shown, r.Focused)
	}
}

func TestOnlyAChangeIsDrawn(t *testing.T) {
	a, r := start(t, "/search", "")
	a.View.Point("d1")
	renders, changes := r.Renders, a.View.Changes
	if a.View.Point("d1"); r.Renders != renders || a.View.Changes != changes {
		t.Error("the pointer rests and the page is drawn")
	}
	if a.View.ToggleHelp(); !a.View.Help || r.Focused != "help" || a.View.Changes != changes+1 {
		t.Errorf("help %v, focus on %q", a.View.Help, r.Focused)
	}
	if a.View.Pull(); !a.View.Tall {
		t.Error("the explanation stays low")
	}
}
