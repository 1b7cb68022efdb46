package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// standing is the screen of a page whose own report is of the systems that are open in Search, as it was rendered
// beforehand.
func standing(t *testing.T, path string) (*Compare, *statetest.Recorder, *report.Report) {
	t.Helper()
	c, r := start(t, path, "")
	rep := compared(t, 0).Report
	rep.Collection = opened.Ref
	rep.Systems = rep.Systems[:0:0]
	for _, n := range c.App.Settings.Nodes() {
		rep.Systems = append(rep.Systems, report.System{Label: "System " + n.String(), Notation: n.String()})
	}
	for m := range rep.Columns {
		for len(rep.Columns[m].Means) < len(rep.Systems) {
			x := &rep.Columns[m]
			x.Means, x.Values = append(x.Means, x.Means[0]), append(x.Values, x.Values[0])
			x.Low, x.High = append(x.Low, x.Low[0]), append(x.High, x.High[0])
		}
	}
	rep.Baseline = c.App.Settings.Spec.Baseline
	c.App.Figures.Report = rep
	return c, r, rep
}

func TestAnEmptyBoardShowsTheSystemsOpenInSearch(t *testing.T) {
	c, r, rep := standing(t, "/evaluate")
	c.Stand()
	if c.Runs.Report() != rep || !c.Runs.Standing() || c.View.Tab != TabBoard || count(r, message.Runs) != 0 {
		t.Fatalf("standing %v, tab %q, asked %d times", c.Runs.Standing(), c.View.Tab, count(r, message.Runs))
	}
	if f, own := c.Fragment(); f != "" || !own {
		t.Errorf("it is in the address: %q", f)
	}
	c.View.ShowTab(TabStatistics) // only the worker knows more than the board
	s := r.Setting(t)
	if count(r, message.Runs) != 1 || len(s.Matrix.Systems) != len(rep.Systems) ||
		s.Names[0].Name != rep.Systems[0].Label {
		t.Fatalf("%+v", s)
	}
	c.View.ShowTab(TabQueries)
	if count(r, message.Runs) != 1 {
		t.Error("the worker was asked twice")
	}
	done := compared(t, 0)
	answer(t, c, r, done)
	c.Stand()
	if c.Runs.Report() != done.Report || c.View.Tab != TabQueries {
		t.Errorf("tab %q", c.View.Tab)
	}
	c.AddFiles(some)
	if s := r.Setting(t); len(s.Files) != len(some) || !s.Matrix.Empty() || c.Runs.Standing() {
		t.Errorf("files stand beside the systems: %+v", s)
	}
}

func TestTheStandingBoardFollowsSearch(t *testing.T) {
	c, _, rep := standing(t, "/evaluate")
	c.Stand()
	newer := *rep
	c.App.Figures.Report = &newer
	if c.Stand(); c.Runs.Report() != &newer {
		t.Error("the board shows an old report")
	}
	c.App.Settings.Spec.Baseline = 1 // its report is on the way
	if c.Stand(); c.Runs.Report() != &newer {
		t.Error("the board is empty until the next report comes")
	}
	c.App.Engine.Opened = &message.Opened{Ref: report.Ref{ID: "other", Hash: "cd"}}
	if c.Stand(); c.Runs.Report() != nil || !c.Runs.Empty() {
		t.Error("the board is of the collection before")
	}
}

func TestCheckOpensItsTabOnTheStandingBoard(t *testing.T) {
	c, r, _ := standing(t, "/check")
	c.Stand()
	c.Stand()
	c.Stand()
	if c.View.Tab != TabCheck || count(r, message.Runs) != 1 {
		t.Errorf("tab %q, asked %d times", c.View.Tab, count(r, message.Runs))
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs,
		Problem: &message.Problem{What: "no"}})
	if c.Stand(); c.Runs.Report() == nil {
		t.Error("what was there is gone")
	}
}

func TestTheLinkOfTheStandingBoardIsMadeByTheWorker(t *testing.T) {
	c, r, _ := standing(t, "/evaluate")
	c.Stand()
	if !c.CopyLink() || r.Copied != "" || count(r, message.Runs) != 1 {
		t.Fatalf("copied %q", r.Copied)
	}
	answer(t, c, r, compared(t, 0))
	if r.Copied == "" {
		t.Error("nothing was copied")
	}
}
