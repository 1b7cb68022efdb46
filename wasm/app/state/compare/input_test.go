package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

func TestFilesGoToTheWorkerWholeEachTimeAndOpenTheScreen(t *testing.T) {
	c, r := start(t, "/", "")
	c.AddFiles(some)
	if c.App.Settings.Screen != share.Compare || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Fatalf("screen %q, address %v", c.App.Settings.Screen, r.Addresses)
	}
	c.AddFiles([]message.File{{ID: 3, Name: "b.run", Size: 5}})
	got := r.Setting(t)
	if len(got.Files) != 3 || got.Limit != DefaultLimit {
		t.Errorf("%+v", got)
	}
	if !c.Runs.Comparing() {
		t.Error("nothing is waited for")
	}
	answer(t, c, r, compared(t, 0))
	if c.Runs.Comparing() || c.View.A != 0 || c.View.B != 1 || c.View.Open == "" {
		t.Errorf("%+v", c)
	}
	for _, at := range r.Addresses {
		if strings.Contains(at, "runs=") {
			t.Errorf("the runs stand in the address, and nobody asked for that: %s", at)
		}
	}
	for _, measure := range []string{r.Last(t, message.Reasons).Question.(*message.AskReasons).Measure,
		r.Last(t, message.Query).Question.(*message.AskQuery).Measure,
		r.Last(t, message.Opinions).Question.(*message.AskOpinions).Measure} {
		if measure != "P@1" {
			t.Errorf("asked for %s", measure)
		}
	}
}

func TestTooManyAndTooLargeFilesAreRefusedByName(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.App.Engine.Limit = 300e6
	var many []message.File
	for i := range MaxFiles + 2 {
		many = append(many, message.File{ID: i + 1, Name: "r" + string(rune('A'+i)), Size: 1})
	}
	c.AddFiles(many)
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.Where, "r_, r`") ||
		len(c.Runs.Setting.Files) != MaxFiles {
		t.Errorf("%+v, %d files", c.App.Notices.Problem, len(c.Runs.Setting.Files))
	}
	c.Input.Clear()
	n := len(r.Sent)
	c.AddFiles([]message.File{{ID: 50, Name: "huge.run", Size: 301e6}})
	if c.App.Notices.Problem == nil || len(r.Sent) != n || !strings.Contains(c.App.Notices.Problem.What, "300 MB") ||
		!strings.Contains(c.App.Notices.Problem.Where, "huge.run") {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}

func TestPresetsHaveUniqueNames(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Input.UsePresets(Presets...)
	s := r.Setting(t)
	if len(s.Matrix.Systems) != 3 || len(s.Names) != 3 || s.Names[0].Name != "Simple" ||
		s.Names[2].Name != "Hybrid" || s.Matrix.Baseline != s.Matrix.Systems[0] {
		t.Errorf("%+v", s)
	}
	c.Input.UsePresets("hybrid")
	if s := r.Setting(t); len(s.Matrix.Systems) != 2 || s.Names[0].Name != "BM25" || s.Names[1].Name != "Hybrid" {
		t.Errorf("%+v", s)
	}
	c.Input.UsePresets("unknown")
	if s := r.Setting(t); s.Names[1].Name != "Hybrid" {
		t.Errorf("an unknown one was compared: %+v", s)
	}
	c.Input.UseOpen()
	if s := r.Setting(t); len(s.Matrix.Systems) < 2 || len(s.Names) != 0 {
		t.Errorf("%+v", s)
	}
}
