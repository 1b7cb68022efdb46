package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestAFileThatWasBeingMadeIsMadeByTheNextWorkerAndNotAThirdTime(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("comparison")
	made := count(r, message.Export)
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 ||
		r.Last(t, message.Export).Question.(*message.AskExport).What.Name != message.Comparison {
		t.Fatal("the file is forgotten")
	}
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 || c.Runs.Report() == nil || c.App.Notices.Problem == nil ||
		!strings.Contains(c.App.Notices.Problem.What, "stopped twice (out of memory)") {
		t.Errorf("asked %d times, %+v", count(r, message.Export)-made, c.App.Notices.Problem)
	}
}

func TestWhatIsExportedIsSavedUnderItsName(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.Make("csv")
	if slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Export }) {
		t.Error("an export without a report was asked for")
	}
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("csv")
	c.App.Receive(message.Reply{ID: r.Last(t, message.Export).ID, Kind: message.Export,
		Answer: &message.Saved{Name: "comparison.csv", Bytes: []byte("x")}})
	if !slices.Equal(r.Saved, []string{"comparison.csv"}) || !strings.Contains(c.App.Notices.Text, "comparison.csv") {
		t.Errorf("%v, %q", r.Saved, c.App.Notices.Text)
	}
	c.Input.Paste(" \n")
	c.Input.Paste("q1 Q0 d 1 1 t")
	if got := r.Setting(t).Files; len(got) != 3 || got[2].Name != "pasted.txt" {
		t.Errorf("%+v", got)
	}
}

func TestAnExportCanBeCancelled(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.Cancel()
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("unjudged")
	asked := r.Last(t, message.Export).ID
	c.App.Receive(message.Reply{ID: asked, Kind: message.Export,
		Progress: &message.Progress{What: "Looking", Done: 1, Total: 2}})
	if !c.Exports.Exporting() || c.Runs.Progress == nil {
		t.Fatal("nobody can see that a file is being made")
	}
	c.Exports.Cancel()
	end := r.Last(t, message.Export)
	if c.Exports.Exporting() || c.Runs.Progress != nil || end.ID == asked ||
		end.Question.(*message.AskExport).What != (message.Wanted{}) ||
		!strings.Contains(c.App.Notices.Text, "Nothing was saved") {
		t.Errorf("%v, %+v, %q", c.Exports.Exporting(), end.Question, c.App.Notices.Text)
	}
	c.App.Receive(message.Reply{ID: asked, Kind: message.Export, Answer: &message.Saved{Name: "unjudged.csv"}})
	c.App.Receive(message.Reply{ID: end.ID, Kind: message.Export})
	if len(r.Saved) > 0 {
		t.Errorf("saved all the same: %v", r.Saved)
	}
}

func TestPicturesAreSavedOrTheProblemIsSaid(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.SavePicture("f.png", "<svg/>", 10, 10)
	if !slices.Equal(r.Saved, []string{"f.png"}) || !strings.Contains(c.App.Notices.Text, "f.png") {
		t.Errorf("%v, %q", r.Saved, c.App.Notices.Text)
	}
	c.Exports.SavePicture("g.png", "", 10, 10)
	if c.App.Notices.Problem == nil || c.App.Notices.Problem.Where != "g.png" {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}
