package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func unsureOf(document, layer string, grade int) message.Unsure {
	return message.Unsure{Line: fmt.Sprintf(
		`{"query":"q1","document":%q,"layer":%q,"grade":%d,"quote":"It opened\nlater.",`+
			`"candidate_start":0,"candidate_end":2,"candidate":"it","kept":0.5,"reason":"more changed"}`, document,
		layer, grade),
		Before: "a\tb", After: "c", IDs: []string{document + "#1", document + "#2"}}
}

// Each press is on the device at once: another tab, as after a reload, has the same list and the same grades.
func TestUnsureLabelsAreDecidedOneByOne(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, read1("Ada", 1))
	drop(t, j, b, message.LayerRead{File: "u.jsonl", Unsure: []message.Unsure{unsureOf("a", "Ada", 2), unsureOf("b",
		"you", 1),
		unsureOf("c", "Bo", 0)}, Unknown: 1})
	said := j.Layers.Said[len(j.Layers.Said)-1]
	if got := said; got != "u.jsonl: 3 labels to look at. 1 label is of other queries or documents, or would "+
		"grade nothing here." {
		t.Errorf("%q", got)
	}
	state := func(want string) {
		t.Helper()
		again, _ := d.open(t, "b")
		for _, x := range []*Judge{j, again} {
			var list []string
			for _, q := range x.Unsure.Questions() {
				list = append(list, q.Document)
			}
			for _, h := range x.Journal.w.Layers() {
				for _, g := range x.Journal.w.Layer(h.ID).Judgments() {
					if g.Graded {
						list = append(list, fmt.Sprint(h.Called(), " ", g.Document, "=", g.Grade))
					}
				}
			}
			if got := strings.Join(list, ", "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
	state("a, b, c, Ada a=1")
	if q := j.Unsure.Question(); q.Before != "a b" || q.After != "c" || q.Quote != "It opened\nlater." ||
		len(q.IDs) != 2 {
		t.Errorf("%+v", q)
	}
	j.Unsure.Accept()
	state("b, c, Ada a=1, Ada a#1=2, Ada a#2=2")
	note := ""
	for _, g := range j.Journal.w.Layer(j.Journal.w.Layers()[0].ID).Judgments() {
		if g.Document == "a#1" {
			note = g.Note
		}
	}
	if !strings.HasPrefix(note, "Found again by hand after the document changed. It was: It opened") {
		t.Errorf("note %q", note)
	}
	j.Unsure.MoveOn(1)
	if j.Unsure.Question().Document != "c" {
		t.Errorf("%+v", j.Unsure.Question())
	}
	j.Unsure.Drop()
	state("b, Ada a=1, Ada a#1=2, Ada a#2=2")
	j.App.Undo()
	state("b, c, Ada a=1, Ada a#1=2, Ada a#2=2")
	j.Unsure.MoveOn(-1)
	j.Unsure.Accept()
	state("c, you b#1=1, you b#2=1, Ada a=1, Ada a#1=2, Ada a#2=2")
	j.Unsure.Accept() // of a layer that is new
	state("you b#1=1, you b#2=1, Ada a=1, Ada a#1=2, Ada a#2=2, Bo c#1=0, Bo c#2=0")
	if j.Unsure.Question() != nil {
		t.Error("the list is not empty")
	}
	j.App.Undo()
	j.App.Undo()
	j.App.Undo()
	state("a, b, c, Ada a=1")
}

// The page is drawn while the workspace is on its way. What that finds does not hide the labels of a folded one.
func TestLabelsOfAFoldedWorkspaceAreListedOnceItIsRead(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, message.LayerRead{File: "u.jsonl", Unsure: []message.Unsure{unsureOf("a", "Ada", 2)}})
	fold, err := j.Journal.w.ExportWithClicks()
	if err != nil {
		t.Fatal(err)
	}
	d.folds[j.Journal.name], d.journals[j.Journal.name] = fold, nil
	again, c := d.opening(t, "b")
	c.slow = true
	again.App.Receive(message.Reply{ID: c.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	if n := len(again.Unsure.Questions()); n != 0 {
		t.Fatalf("%d labels before the workspace is read", n)
	}
	c.waiting[0]()
	if n := len(again.Unsure.Questions()); n != 1 {
		t.Errorf("%d labels are listed, want 1", n)
	}
}
