package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
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
		l.Grades = append(l.Grades, message.LayerGrade{Query: "q1", Document: string(rune('a' + i)), Grade: float64(g),
			Graded: true})
	}
	return l
}

// resolved is what the worker was given: a whole workspace, and the edits that came after it.
func resolved(t *testing.T, b *browser) string {
	t.Helper()
	var w *workspace.Workspace
	for _, r := range b.Sent {
		ask, ok := r.Question.(*message.AskAdopt)
		if !ok {
			continue
		}
		if len(ask.Zip) > 0 {
			var err error
			if w, err = workspace.Import("x", ask.Zip, workspace.Limits{}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		edits, lost := workspace.ReadJournal(ask.Records)
		if len(lost) > 0 || w == nil {
			t.Fatalf("%v", lost)
		}
		for _, e := range edits {
			if _, err := w.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out []string
	for _, r := range w.Resolve(nil) {
		out = append(out, fmt.Sprint(r.Document, r.Grade))
	}
	return strings.Join(out, " ")
}

func named(j *Judge) (out []string) {
	for _, l := range j.Layers.List() {
		out = append(out, fmt.Sprint(l.Name, " ", l.Grades, " ", l.State))
	}
	return out
}

func TestLayersAreAddedHiddenRemovedAndNothingIsOverwritten(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	other, _ := d.open(t, "b")
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(3) // document a
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
	if !slices.Contains(j.Layers.Said, "x.md: It is no qrels.") ||
		!slices.Contains(j.Layers.Said, "Ada: 2 grades added.") {
		t.Errorf("%q", j.Layers.Said)
	}
	ada := j.Layers.List()[1].ID
	j.Layers.SetHead(ada, func(h *workspace.Head) { h.State = workspace.Hidden })
	if got := resolved(t, b); got != "a3 b0 c2" {
		t.Errorf("without Ada: %s", got)
	}
	j.Layers.SetRule(workspace.Lowest)
	if got := resolved(t, b); got != "a0 b0 c2" {
		t.Errorf("the lowest: %s", got)
	}
	j.App.Undo()
	j.App.Undo()
	j.Layers.Remove(ada)
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
	j.Layers.SetHead(ada, func(h *workspace.Head) {
		h.Author, h.Date, h.Origin = "Ada Lovelace", "2026-11-01",
			workspace.Model
	})
	if again, _ = d.open(t, "d"); again.Comparison.Choices().Model != ada {
		t.Errorf("%+v", again.Comparison.Choices())
	}
	j.App.Undo() // the name
	j.App.Undo() // both layers came at once
	if got := named(j); !slices.Equal(got, want[:1]) {
		t.Errorf("before the files %q", got)
	}
	j.Layers.Export("mine")
	if got := b.Saved[len(b.Saved)-1]; got != "you.qrels" {
		t.Errorf("saved %q", got)
	}
}
