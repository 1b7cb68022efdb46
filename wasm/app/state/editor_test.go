package state

import (
	"slices"
	"strings"
	"testing"
)

func TestTheEditorSaysWhatIsWrongAndKeepsTheSystem(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Editor.Edit(1)
	if r.Focused != "notation-1" || a.Editor.Draft != "bm25(title=3)" {
		t.Errorf("focus %q, draft %q", r.Focused, a.Editor.Draft)
	}
	a.Editor.Write("bm25(k2=1)")
	a.Editor.Accept()
	if a.Editor.DraftErr == "" || a.Editor.Editing != 1 || !slices.Equal(a.Settings.Systems(), Defaults) {
		t.Errorf("error %q, editing %d, systems %q", a.Editor.DraftErr, a.Editor.Editing, a.Settings.Systems())
	}
	if a.Editor.DraftAt != 5 || strings.Contains(a.Editor.DraftErr, "byte") {
		t.Errorf("%q at %d: the place is to be shown, not counted", a.Editor.DraftErr, a.Editor.DraftAt)
	}
	a.Editor.Write("bm25( b=0.75 , k1=1.20 )")
	a.Editor.Accept()
	if a.Settings.Systems()[1] != "bm25(k1=1.2,b=0.75)" || a.Editor.Editing != -1 {
		t.Errorf("systems %q", a.Settings.Systems())
	}
	a.Editor.Edit(4)
	a.Editor.Write("bm25(variant=okapi)")
	if a.Editor.Remove(0); len(a.Settings.Systems()) != 3 || a.Settings.Systems()[0] != "bm25(k1=1.2,b=0.75)" {
		t.Errorf("systems %q", a.Settings.Systems())
	}
}

// A system keeps its letter when another leaves, in the link and after undo too; a new one takes a letter that is free.
func TestASystemKeepsItsLetter(t *testing.T) {
	a, _ := start(t, "/search", "")
	letters := func() (s string) {
		for i := range a.Settings.Systems() {
			s += a.Settings.Letter(i)
		}
		return s
	}
	all := letters()
	a.Editor.Remove(1)
	if want := all[:1] + all[2:]; letters() != want {
		t.Fatalf("%s of %s, want %s", letters(), all, want)
	}
	link, err := a.Sharing.Link()
	if err != nil {
		t.Fatal(err)
	}
	_, fragment, _ := strings.Cut(link, "#")
	b, _ := start(t, "/search", fragment)
	if b.Settings.Letter(1) != "C" || b.Settings.Place(1) != 2 ||
		!slices.Equal(a.Settings.Systems(), b.Settings.Systems()) {
		t.Errorf("the link opens %q, the second as %s", b.Settings.Systems(), b.Settings.Letter(1))
	}
	a.Editor.Edit(len(a.Settings.Systems()))
	if a.Settings.Letter(len(a.Settings.Systems())) != "B" {
		t.Errorf("a new one is to be %s", a.Settings.Letter(len(a.Settings.Systems())))
	}
	a.Editor.Write("bm25(variant=okapi)")
	a.Editor.Accept()
	if want := all[:1] + all[2:] + "B"; letters() != want {
		t.Errorf("%s, want %s", letters(), want)
	}
	a.Undo()
	a.Undo()
	if letters() != all {
		t.Errorf("undone: %s, want %s", letters(), all)
	}
	a.Editor.Remove(0)
	if a.Editor.Reset(); letters() != all {
		t.Errorf("as they were: %s, want %s", letters(), all)
	}
}

func TestTheBaselineMovesWithItsSystem(t *testing.T) {
	a, _ := start(t, "/", "")
	last := len(a.Settings.Systems()) - 1
	name := a.Settings.Systems()[last]
	a.Editor.SetBaseline(last)
	if a.Editor.Remove(0); a.Settings.Spec.Baseline != last-1 || a.Settings.Systems()[last-1] != name {
		t.Errorf("the last system was the baseline, now it is %d of %q", a.Settings.Spec.Baseline, a.Settings.Systems())
	}
	a.Undo()
	a.Editor.SetBaseline(2)
	a.Editor.Remove(0)
	if a.Settings.Spec.Baseline != 1 || a.Settings.Systems()[1] != "dense" {
		t.Errorf("baseline %d of %q", a.Settings.Spec.Baseline, a.Settings.Systems())
	}
	a.Editor.Remove(1)
	if a.Settings.Spec.Baseline != 0 {
		t.Errorf("baseline %d of %q", a.Settings.Spec.Baseline, a.Settings.Systems())
	}
}
