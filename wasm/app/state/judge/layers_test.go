package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/workspace"
)

// drop gives the page files, and answers as the worker does.
func drop(t *testing.T, j *Judge, b *browser, list ...message.LayerRead) {
	t.Helper()
	if !j.TakesFiles() {
		t.Fatal("files are not for Judge")
	}
	j.AddFiles([]message.File{{ID: 1, Name: "f"}})
	j.App.Receive(message.Reply{ID: b.Last(t, message.Layers).ID, Kind: message.Layers,
		Answer: &message.LayersRead{List: list}})
}

func read1(author string, grades ...int) message.LayerRead {
	l := message.LayerRead{File: author + ".qrels", Author: author, Date: "2026-11-20"}
	for i, g := range grades {
		l.Grades = append(l.Grades, message.LayerGrade{Query: "q1", Document: string(rune('a' + i)), Grade: g,
			Graded: true})
	}
	return l
}

// resolved is what the worker was given last.
func resolved(t *testing.T, b *browser) string {
	t.Helper()
	w, err := workspace.Import("x", b.Last(t, message.Adopt).Question.(*message.AskAdopt).Zip, workspace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range w.Resolve(nil) {
		out = append(out, fmt.Sprint(r.Document, r.Grade))
	}
	return strings.Join(out, " ")
}

func named(j *Judge) (out []string) {
	for _, l := range j.Layers() {
		out = append(out, fmt.Sprint(l.Name, " ", l.Grades, " ", l.State))
	}
	return out
}

func TestLayersAreAddedHiddenRemovedAndNothingIsOverwritten(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	other, _ := d.open(t, "b")
	j.Step(1)
	found(t, j, &b.Recorder)
	j.Give(3) // document a
	drop(t, j, b, read1("Ada", 1, 2), read1("llm", 0, 0, 2), message.LayerRead{File: "x.md",
		Problem: "It is no qrels."})
	want := []string{"you 1 ", "Ada 2 ", "llm 3 "}
	for _, x := range []*Judge{j, other} {
		if got := named(x); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := resolved(t, b); got != "a3 b2 c2" {
		t.Errorf("the worker has %s", got)
	}
	if !slices.Contains(j.Said, "x.md: It is no qrels.") || !slices.Contains(j.Said, "Ada: 2 grades added.") {
		t.Errorf("%q", j.Said)
	}
	ada := j.Layers()[1].ID
	j.SetHead(ada, func(h *workspace.Head) { h.State = workspace.Hidden })
	if got := resolved(t, b); got != "a3 b0 c2" {
		t.Errorf("without Ada: %s", got)
	}
	j.SetRule(workspace.Lowest)
	if got := resolved(t, b); got != "a0 b0 c2" {
		t.Errorf("the lowest: %s", got)
	}
	j.App.Undo()
	j.App.Undo()
	j.Remove(ada)
	if got := named(j); len(got) != 2 || resolved(t, b) != "a3 b0 c2" {
		t.Errorf("%q, %s", got, resolved(t, b))
	}
	again, _ := d.open(t, "c") // after a reload
	if got := named(again); len(got) != 2 {
		t.Errorf("after a reload %q", got)
	}
	j.App.Undo()
	if got := named(j); !slices.Equal(got, want) || resolved(t, b) != "a3 b2 c2" {
		t.Errorf("after undo %q, %s", got, resolved(t, b))
	}
	j.SetHead(ada, func(h *workspace.Head) {
		h.Author, h.Date, h.Origin = "Ada Lovelace", "2026-11-01",
			workspace.Model
	})
	if again, _ = d.open(t, "d"); again.Choices().Model != ada {
		t.Errorf("%+v", again.Choices())
	}
	j.App.Undo() // the name
	j.App.Undo() // both layers came at once
	if got := named(j); !slices.Equal(got, want[:1]) {
		t.Errorf("before the files %q", got)
	}
	j.ExportLayer("mine")
	if got := b.Saved[len(b.Saved)-1]; got != "you.qrels" {
		t.Errorf("saved %q", got)
	}
}

// Files that are dropped before the workspace is there, and layers that are read while a grade is being written, are
// not lost.
func TestFilesWaitForTheWorkspace(t *testing.T) {
	d := newDisk()
	j, b := d.opening(t, "a")
	j.AddFiles([]message.File{{ID: 1, Name: "Ada.qrels"}})
	b.slow = true
	j.App.Receive(message.Reply{ID: b.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	j.AddFiles([]message.File{{ID: 2, Name: "Bob.qrels"}})
	asked := func() (n int) {
		for _, m := range b.Sent {
			if m.Kind == message.Layers {
				n += len(m.Question.(*message.AskLayers).Files)
			}
		}
		return n
	}
	if asked() != 0 || !j.Reading || len(j.Said) > 0 {
		t.Fatalf("%d files are read before the workspace is, %q", asked(), j.Said)
	}
	b.waiting[0]()
	if asked() != 2 {
		t.Fatalf("%d files are read, want 2", asked())
	}
	j.Step(1)
	found(t, j, &b.Recorder)
	b.slow = true
	j.Give(2)
	j.App.Receive(message.Reply{ID: b.Last(t, message.Layers).ID, Kind: message.Layers,
		Answer: &message.LayersRead{List: []message.LayerRead{read1("Ada", 1), read1("Bob", 3)}}})
	if len(named(j)) != 0 {
		t.Fatalf("added while a grade is written: %q", named(j))
	}
	b.slow = false
	b.waiting[1]()
	if got, want := named(j), []string{"you 1 ", "Ada 1 ", "Bob 1 "}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAdjudicationIsBlindAndWins(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, read1("Ada", 1, 2, 3), read1("llm", 3, 2, 2))
	want := []workspace.Dispute{{Query: "q1", Document: "a", Spread: 2}, {Query: "q1", Document: "c", Spread: 1}}
	got := j.Disputes()
	if len(got) != 2 || got[0].Document != want[0].Document || got[0].Spread != 2 || got[1].Document != "c" {
		t.Fatalf("%+v", got)
	}
	j.NextDispute()
	found(t, j, &b.Recorder)
	if pool(j) != "ac" || j.App.Settings.Focus.Document != "a" || j.Reveal() != "" {
		t.Fatalf("pool %q, open %q, %q", pool(j), j.App.Settings.Focus.Document, j.Reveal())
	}
	j.Give(0)
	if j.App.Settings.Focus.Document != "a" || j.Reveal() != "Ada 1, llm 3" {
		t.Errorf("open %q, %q", j.App.Settings.Focus.Document, j.Reveal())
	}
	if grades(j) != "" {
		t.Errorf("your layer has %s", grades(j))
	}
	j.NextDispute()
	if j.App.Settings.Focus.Document != "c" || j.Reveal() != "" {
		t.Errorf("open %q, %q", j.App.Settings.Focus.Document, j.Reveal())
	}
	j.ShowGrades()
	if j.Reveal() != "Ada 3, llm 2" {
		t.Errorf("%q", j.Reveal())
	}
	j.NextDispute() // a is decided and c open: nothing else is left
	if j.Adjudicating || j.App.Settings.Spec.QueryID != "" {
		t.Errorf("still at %q", j.App.Settings.Spec.QueryID)
	}
	if got := resolved(t, b); got != "a0 b2 c3" {
		t.Errorf("the worker has %s", got)
	}
	j.SetRule(workspace.Highest)
	if got := resolved(t, b); got != "a0 b2 c3" {
		t.Errorf("by the highest: %s", got)
	}
}

func TestAShareOfAPoolIsJudgedAndOutlastsAReload(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, message.LayerRead{File: "share-01.run", Pool: []message.Pooled{{Query: "q2", Document: "z"},
		{Query: "q2", Document: "a"}}})
	for _, x := range []string{"a", "again"} {
		if x == "again" {
			j, b = d.open(t, "b")
		}
		j.Step(1)
		found(t, j, &b.Recorder)
		if j.App.Settings.Spec.QueryID != "q2" || pool(j) != "za" || j.App.Settings.Focus.Document != "z" {
			t.Fatalf("query %q, pool %q, open %q", j.App.Settings.Spec.QueryID, pool(j), j.App.Settings.Focus.Document)
		}
	}
	j.Give(1)
	if done, all := j.Share(); done != 1 || all != 2 || grades(j) != "q2 0 z 1" {
		t.Errorf("%d of %d, %s", done, all, grades(j))
	}
	j.LeaveShare()
	if _, all := j.Share(); all != 0 || pool(j) != "abcde" {
		t.Errorf("pool %q", pool(j))
	}
	big := make([]message.Pooled, 900)
	for i := range big {
		big[i] = message.Pooled{Query: "q1", Document: strings.Repeat("x", 80)}
	}
	drop(t, j, b, message.LayerRead{File: "big.run", Pool: big})
	if len(j.Said) != 1 || !strings.Contains(j.Said[0], "split the pool further") {
		t.Errorf("%q", j.Said)
	}
}
