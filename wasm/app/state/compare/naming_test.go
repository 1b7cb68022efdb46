package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestRunsAreNamedAndTheNamesAreUndone(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Naming.Open(7)
	c.Naming.Keep()
	if len(r.Setting(t).Names) != 0 {
		t.Error("a run that is not there got a name")
	}
	c.Naming.Open(2)
	if c.Naming.Run != 3 || c.Naming.Typed != "c" || r.Focused != "name-2" {
		t.Fatalf("%+v, focus %s", c, r.Focused)
	}
	c.Naming.Write("  <b>our\nbest</b> " + strings.Repeat("x", 100))
	c.Naming.Keep()
	want := message.Name{Origin: message.Origin{File: 3, Run: 1},
		Name: "<b>our best</b> " + strings.Repeat("x", MaxName-16)}
	if got := r.Setting(t).Names; len(got) != 1 || got[0] != want || r.Focused != "rename-2" || c.Naming.Run != 0 {
		t.Errorf("%+v, focus %s", got, r.Focused)
	}
	answer(t, c, r, compared(t, 0))
	c.Naming.Open(2)
	c.Naming.Write("another")
	c.Naming.Leave()
	n := len(r.Sent)
	c.Naming.Open(2)
	c.Naming.Keep() // what stands there
	if len(r.Sent) != n {
		t.Error("a name that did not change was sent")
	}
	c.App.Undo()
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("not undone: %+v", got)
	}
	c.App.Redo()
	answer(t, c, r, compared(t, 0))
	c.Runs.Done.Report.Systems[2].Label = want.Name
	c.Naming.Open(2)
	c.Naming.Write(" ")
	c.Naming.Keep()
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("the name of the file does not come back: %+v", got)
	}
	c.App.Undo()
	answer(t, c, r, compared(t, 0))
	c.Runs.RemoveFile(3)
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("the name stays though its file is gone: %+v", got)
	}
}
