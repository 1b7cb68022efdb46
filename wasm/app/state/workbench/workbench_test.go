package workbench

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func bench(t *testing.T) (*Workbench, *state.App, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var w *Workbench
	a := state.New(r, func(string) string {
		return "/"
	}, "/search", state.Part{Name: "home"}, state.Part{Name: "search", Make: func(a *state.App) state.Screen {
		w = New(a)
		return w
	}})
	a.Begin("/search", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	if On(a) != w {
		t.Fatal("the page does not know its workbench")
	}
	return w, a, r
}

func TestTuningGoesOnUntilItIsOverOrGivenUp(t *testing.T) {
	w, a, r := bench(t)
	a.Editor.Edit(0)
	w.Start("wsum(bm25, dense)")
	ask := r.Last(t, message.Tune)
	if q := ask.Question.(*message.AskTune); q.System != "wsum(bm25, dense)" || q.Measure == "" || !w.Tuning {
		t.Fatalf("%+v", q)
	}
	answer := func(x *message.Tuned) message.Request {
		t.Helper()
		a.Receive(message.Reply{ID: r.Last(t, message.Tune).ID, Kind: message.Tune, Answer: x})
		return r.Last(t, message.Tune)
	}
	next := answer(&message.Tuned{Done: 3, Of: 21})
	if next.ID == ask.ID || !w.Tuning || w.Tuned.Done != 3 {
		t.Fatalf("not asked again: %+v", w)
	}
	if last := answer(&message.Tuned{Done: 21, Of: 21, Finding: []string{"f"}}); last.ID != next.ID || w.Tuning ||
		w.Tuned.Finding == nil {
		t.Errorf("over, and asked again: %+v", w)
	}
	w.Start("rrf(bm25, dense)")
	w.Stop()
	if last := answer(&message.Tuned{Done: 1, Of: 12}); w.Tuning || w.Tuned != nil ||
		last.Question.(*message.AskTune).System != "rrf(bm25, dense)" {
		t.Errorf("given up, and it goes on: %+v", w)
	}
	w.Start("rrf(bm25, dense)")
	sent := len(r.Sent)
	w.Again() // a new worker begins anew
	if len(r.Sent) != sent+1 {
		t.Error("the new worker was not asked")
	}
	if answer(&message.Tuned{Problem: "too few queries"}); w.Tuning || w.Tuned.Problem == "" {
		t.Errorf("%+v", w)
	}
}

func TestFilesAreRunsWhileAnEditorIsOpen(t *testing.T) {
	w, a, r := bench(t)
	if w.TakesFiles() {
		t.Error("files are taken though no editor is open")
	}
	a.Editor.Edit(4)
	if !w.TakesFiles() {
		t.Fatal("files are not taken")
	}
	a.AddFiles([]message.File{{ID: 7, Name: "x.run", Size: 3}})
	ask := r.Last(t, message.Stored)
	if q := ask.Question.(*message.AskStored); len(q.Files) != 1 || q.Files[0].ID != 7 || w.Reading == nil {
		t.Fatalf("%+v", q)
	}
	a.Receive(message.Reply{ID: ask.ID, Kind: message.Stored, Answer: &message.StoredRun{Name: "x", Said: "x answers",
		Names: []string{"x"}}})
	if w.Reading != nil || w.Run == nil || a.Editor.Draft != "run(x)" || a.Editor.DraftErr != "" {
		t.Errorf("%+v, draft %q %q", w, a.Editor.Draft, a.Editor.DraftErr)
	}
	a.Editor.Write("bm25(k1=1.2)")
	a.AddFiles([]message.File{{ID: 8, Name: "y.run"}})
	a.Receive(message.Reply{ID: r.Last(t, message.Stored).ID, Kind: message.Stored,
		Problem: &message.Problem{What: "no run"}})
	if w.Reading != nil || a.Editor.Draft != "bm25(k1=1.2)" || a.Notices.Problem == nil {
		t.Errorf("%+v, draft %q", w, a.Editor.Draft)
	}
	w.Died("")
	if w.Run != nil {
		t.Error("the worker died, and its runs are still offered")
	}
}

// Runs that were read are given to the next worker; one that was being read when a worker ended is named and not read
// again.
func TestRunsOutliveAWorker(t *testing.T) {
	w, a, r := bench(t)
	a.Editor.Edit(0)
	good, bad := message.File{ID: 1, Name: "good.run"}, message.File{ID: 2, Name: "bad.run"}
	a.AddFiles([]message.File{good})
	a.Receive(message.Reply{ID: r.Last(t, message.Stored).ID, Kind: message.Stored,
		Answer: &message.StoredRun{Name: "good"}})
	a.AddFiles([]message.File{bad})
	a.Died("out of memory")
	if p := a.Notices.Problem; p == nil || p.Where != "bad.run" || w.Reading != nil {
		t.Errorf("%+v, reading %v", p, w.Reading)
	}
	for range 2 { // the worker after that one too
		again := r.Last(t, message.Stored)
		if q := again.Question.(*message.AskStored); len(q.Files) != 1 || q.Files[0] != good {
			t.Fatalf("the new worker was given %+v", q.Files)
		}
		a.Receive(message.Reply{ID: again.ID, Kind: message.Stored, Answer: &message.StoredRun{Name: "good"}})
		a.Engine.Worked()
		sent := len(r.Sent)
		a.Died("killed")
		if len(r.Sent) == sent || r.Last(t, message.Stored).ID == again.ID {
			t.Fatal("the new worker was not given the run")
		}
	}
}
