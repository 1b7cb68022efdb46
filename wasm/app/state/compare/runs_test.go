package compare

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestSettingsAreUndoneAndDoneAgain(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Runs.SetPolicy("ties", "docid-asc")
	c.Runs.SetPolicy("rel", "2")
	c.Runs.SetPolicy("rel", "x")
	if c.Runs.Setting.Policy != "ties=docid-asc rel=2" || c.App.Notices.Problem == nil {
		t.Fatalf("%q, %v", c.Runs.Setting.Policy, c.App.Notices.Problem)
	}
	answer(t, c, r, &message.Compared{Report: compared(t, 0).Report, Measures: []string{"P@1", "RR"},
		Policy: "ties=docid-asc rel=2"})
	c.App.Undo()
	if got := r.Setting(t); got.Policy != "ties=docid-asc" || !got.Chosen {
		t.Errorf("%+v", got)
	}
	c.App.Undo()
	if got := r.Setting(t); got.Policy != "" {
		t.Errorf("%+v", got)
	}
	c.App.Redo()
	if got := r.Setting(t); got.Policy != "ties=docid-asc" {
		t.Errorf("%+v", got)
	}
	c.Runs.RemoveFile(2)
	c.App.Undo()
	if got := r.Setting(t); len(got.Files) != 2 {
		t.Errorf("a file that was taken out does not come back: %+v", got)
	}
}

func TestTakingAFileOutKeepsBaselineAndPair(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(append(some, message.File{ID: 3, Name: "two.zip"}))
	answer(t, c, r, compared(t, 2))
	c.Runs.SetBaseline(2)
	d := compared(t, 2)
	answer(t, c, r, d)
	c.Runs.RemoveFile(2)
	if got := r.Setting(t); got.Baseline != 1 {
		t.Errorf("baseline %d", got.Baseline)
	}
	c.App.Undo()
	c.Runs.RemoveFile(3)
	if got := r.Setting(t); got.Baseline != 0 {
		t.Errorf("baseline %d", got.Baseline)
	}
}

func TestTakingAFileOutLeavesTheOthersTheirLetters(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(append(some, message.File{ID: 3, Name: "two.zip"}))
	d := compared(t, 0)
	answer(t, c, r, d)
	c.Runs.RemoveFile(d.Origins[0].File)
	got := r.Setting(t)
	if len(got.Letters) == 0 {
		t.Fatal("no letter is kept")
	}
	for _, l := range got.Letters {
		if i := slices.Index(d.Origins, l.Origin); i < 0 || l.Place != i || l.File == d.Origins[0].File {
			t.Errorf("%+v of %+v", l, d.Origins)
		}
	}
	c.App.Undo()
	if got := r.Setting(t); len(got.Letters) != 0 {
		t.Errorf("after undo: %+v", got.Letters)
	}
}
