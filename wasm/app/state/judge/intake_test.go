package judge

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

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
	if asked() != 0 || !j.Intake.Reading || len(j.Layers.Said) > 0 {
		t.Fatalf("%d files are read before the workspace is, %q", asked(), j.Layers.Said)
	}
	b.waiting[0]()
	if asked() != 2 {
		t.Fatalf("%d files are read, want 2", asked())
	}
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	b.slow = true
	j.Grading.Give(2)
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
