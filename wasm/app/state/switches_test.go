package state

import (
	"slices"
	"testing"
)

// A stage that is switched off leaves the pipeline and comes back to its place; what is written by hand meanwhile
// stands.
func TestSwitch(t *testing.T) {
	a, _ := start(t, "/search", "")
	a.Search.Type("port")
	a.Editor.Replace(0, "bm25 >> rm3 >> dedupe >> cut(20)")
	a.Editor.Switch(0, 2)
	if got := a.Settings.Systems()[0]; got != "bm25 >> rm3 >> cut(20)" {
		t.Fatalf("without dedupe: %s", got)
	}
	a.Editor.Switch(0, 1)
	if got := a.Settings.Systems()[0]; got != "bm25 >> cut(20)" {
		t.Fatalf("without rm3 too: %s", got)
	}
	whole, off := a.Editor.Whole(0)
	if whole.String() != "bm25 >> rm3 >> dedupe >> cut(20)" || !slices.Equal(off, []int{2, 1}) {
		t.Fatalf("the whole is %s without %v", whole, off)
	}
	a.Undo()
	if got := a.Settings.Systems()[0]; got != "bm25 >> rm3 >> cut(20)" {
		t.Fatalf("undone: %s", got)
	}
	a.Editor.Switch(0, 2)
	a.Editor.Replace(0, "bm25 >> mmr")
	if whole, off = a.Editor.Whole(0); whole.String() != "bm25 >> mmr" || off != nil {
		t.Fatalf("after it was written anew: %s without %v", whole, off)
	}
	a.Editor.Side([]string{"ql", "bm25"})
	if !slices.Equal(a.Settings.Systems(), []string{"ql", "bm25"}) {
		t.Fatalf("side by side: %v", a.Settings.Systems())
	}
}
