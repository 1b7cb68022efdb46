package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/clicks"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// searched is a page on Search with the documents of q1: a b d e in the first list, b c in the second.
func searched(t *testing.T, d *disk) (*Judge, *browser) {
	t.Helper()
	j, b := d.open(t, "a")
	j.App.Change(true, func(s *share.Address) { s.Screen, s.QueryID = share.Search, "q1" })
	found(t, j, &b.Recorder)
	return j, b
}

func TestTheClickLogIsOffUntilItIsTurnedOn(t *testing.T) {
	d := newDisk()
	j, b := searched(t, d)
	j.App.Search.Select(0, "b")
	j.App.Search.Close()
	if j.Log.On() || len(j.Log.Entries()) != 0 || len(d.journals) != 0 {
		t.Fatalf("%d entries are kept", len(j.Log.Entries()))
	}
	j.Log.Turn(true)
	adopts := len(b.Sent)
	j.App.Search.Select(0, "e")
	time.Sleep(3 * time.Millisecond)
	j.App.Search.Select(1, "c")
	j.App.Change(true, func(s *share.Address) { s.Screen = "judge" })
	j.App.Change(true, func(s *share.Address) { s.Screen = share.Search })
	list := j.Log.Entries()
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	c, e := list[0], list[1] // the last first
	if c.Document != "c" || c.Position != 2 || strings.Join(c.Ranking, "") != "bc" ||
		c.System != j.App.Settings.Systems()[1] {
		t.Errorf("%+v", c)
	}
	if e.Document != "e" || e.Position != 4 || strings.Join(e.Ranking, "") != "abde" || e.QueryID != "q1" ||
		e.Query != "port strike" || e.Dwell < 3 || e.Dwell > 10_000 || e.Collection != j.Journal.name ||
		time.Since(time.UnixMilli(e.Time)) > time.Minute {
		t.Errorf("%+v", e)
	}
	for _, m := range b.Sent[adopts:] {
		if m.Kind == message.Adopt || m.Kind == message.Evaluate {
			t.Errorf("an entry has %v asked for", m.Kind)
		}
	}
	j.Log.Turn(false)
	j.App.Search.Select(0, "a")
	if len(j.Log.Entries()) != 2 {
		t.Error("it was turned off, and goes on")
	}
	again, _ := d.open(t, "b") // after a reload
	if got := again.Log.Entries(); len(got) != 2 || got[0].Line() != c.Line() {
		t.Errorf("after a reload %+v", got)
	}
	j.Log.Save()
	if name := b.Saved[len(b.Saved)-1]; name != j.Journal.name+"-clicks.jsonl" {
		t.Errorf("saved %s", name)
	}
	j.HandOn("workspace")
	pack := func() []byte { return b.Last(t, message.Pack).Question.(*message.AskPack).Zip }
	if w, err := workspace.Import("x", pack(), workspace.Limits{}); err != nil || len(w.Clicks()) != 0 {
		t.Errorf("the workspace that is shared has %v, %v", w.Clicks(), err)
	}
	j.HandOn("clicks")
	if w, err := workspace.Import("x", pack(), workspace.Limits{}); err != nil || len(w.Clicks()) != 2 {
		t.Errorf("the workspace with the log has %v, %v", w.Clicks(), err)
	}
	j.Log.Delete(e.ID)
	if got := j.Log.Entries(); len(got) != 1 || got[0].ID != c.ID {
		t.Errorf("after one was deleted %+v", got)
	}
	j.Log.Delete()
	again, _ = d.open(t, "c")
	saved := string(d.journals[j.Journal.name]) + string(d.folds[j.Journal.name])
	if len(again.Log.Entries()) != 0 || strings.Contains(saved, "port strike") {
		t.Errorf("after all were deleted: %+v, and on the device\n%s", again.Log.Entries(), saved)
	}
}

func TestAnEntryOfADocumentThatIsInNoListIsNotKept(t *testing.T) {
	j, _ := searched(t, newDisk())
	j.Log.Turn(true)
	j.App.Search.Visit(experiment.Focus{Document: "z"})
	if len(j.Log.Entries()) != 0 {
		t.Errorf("%+v", j.Log.Entries())
	}
	if _, err := clicks.Read(nil); err != nil {
		t.Error(err)
	}
}
