package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/clicks"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
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
	if j.Logging() || len(j.Clicks()) != 0 || len(d.journals) != 0 {
		t.Fatalf("%d entries are kept", len(j.Clicks()))
	}
	j.SetLogging(true)
	adopts := len(b.Sent)
	j.App.Search.Select(0, "e")
	time.Sleep(3 * time.Millisecond)
	j.App.Search.Select(1, "c")
	j.App.Change(true, func(s *share.Address) { s.Screen = "judge" })
	j.App.Change(true, func(s *share.Address) { s.Screen = share.Search })
	list := j.Clicks()
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	c, e := list[0], list[1] // the last first
	if c.Document != "c" || c.Position != 2 || strings.Join(c.Ranking, "") != "bc" ||
		c.System != j.App.Settings.Systems()[1] {
		t.Errorf("%+v", c)
	}
	if e.Document != "e" || e.Position != 4 || strings.Join(e.Ranking, "") != "abde" || e.QueryID != "q1" ||
		e.Query != "port strike" || e.Dwell < 3 || e.Dwell > 10_000 || e.Collection != j.name ||
		time.Since(time.UnixMilli(e.Time)) > time.Minute {
		t.Errorf("%+v", e)
	}
	for _, m := range b.Sent[adopts:] {
		if m.Kind == message.Adopt || m.Kind == message.Evaluate {
			t.Errorf("an entry has %v asked for", m.Kind)
		}
	}
	j.SetLogging(false)
	j.App.Search.Select(0, "a")
	if len(j.Clicks()) != 2 {
		t.Error("it was turned off, and goes on")
	}
	again, _ := d.open(t, "b") // after a reload
	if got := again.Clicks(); len(got) != 2 || got[0].Line() != c.Line() {
		t.Errorf("after a reload %+v", got)
	}
	j.SaveClicks()
	if name := b.Saved[len(b.Saved)-1]; name != j.name+"-clicks.jsonl" {
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
	j.DeleteClicks(e.ID)
	if got := j.Clicks(); len(got) != 1 || got[0].ID != c.ID {
		t.Errorf("after one was deleted %+v", got)
	}
	j.DeleteClicks()
	again, _ = d.open(t, "c")
	if len(again.Clicks()) != 0 || strings.Contains(string(d.journals[j.name])+string(d.folds[j.name]), "port strike") {
		t.Errorf("after all were deleted: %+v, and on the device\n%s%s", again.Clicks(),
			d.journals[j.name], d.folds[j.name])
	}
}

func TestAnEntryOfADocumentThatIsInNoListIsNotKept(t *testing.T) {
	j, _ := searched(t, newDisk())
	j.SetLogging(true)
	j.App.Search.Visit(experiment.Focus{Document: "z"})
	if len(j.Clicks()) != 0 {
		t.Errorf("%+v", j.Clicks())
	}
	if _, err := clicks.Read(nil); err != nil {
		t.Error(err)
	}
}
