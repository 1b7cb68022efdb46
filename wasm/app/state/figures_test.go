package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// The comparison over all judged queries says how far it is; cancelled, it is not asked for again before something
// changes.
func TestMeasuringIsCancelled(t *testing.T) {
	a, r := start(t, "/search", "")
	asked := r.Last(t, message.Evaluate)
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Evaluate,
		Progress: &message.Progress{Done: 3, Total: 160, Unit: "rankings"}})
	if a.Figures.Measuring.Done != 3 || a.Engine.Progress.Total == 160 {
		t.Errorf("%+v, %+v", a.Figures.Measuring, a.Engine.Progress)
	}
	a.Figures.Cancel()
	stop := r.Last(t, message.Evaluate)
	if stop.ID == asked.ID || len(stop.Question.(*experiment.Spec).Systems) != 0 || a.Figures.Measuring.Total != 0 ||
		!a.Figures.Unmeasured || !a.Figures.Stale() {
		t.Errorf("%+v, %+v, %v", stop, a.Figures.Measuring, a.Figures.Unmeasured)
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Evaluate,
		Progress: &message.Progress{Done: 9, Total: 160, Unit: "rankings"}})
	a.Receive(message.Reply{ID: stop.ID, Kind: message.Evaluate})
	if a.Figures.Measuring.Total != 0 || a.Notices.Problem != nil || r.Last(t, message.Evaluate).ID != stop.ID {
		t.Errorf("after the answer: %+v, %+v", a.Figures.Measuring, a.Notices.Problem)
	}
	a.Editor.Remove(0)
	r.Pass()
	if again := r.Last(t, message.Evaluate); again.ID == stop.ID ||
		len(again.Question.(*experiment.Spec).Systems) != 3 || a.Figures.Unmeasured {
		t.Errorf("%+v, %v", again, a.Figures.Unmeasured)
	}
}

// A system that answered nothing has no mean, and says why.
func TestASystemThatAnsweredNothingHasNoMean(t *testing.T) {
	a, _ := with(t, "bm25", "bm25 >> rerank(backend=ce)")
	a.Figures.Report = &report.Report{Queries: []report.Query{{ID: "q"}},
		Columns: []report.Column{{Means: []float64{1, 0}}},
		Systems: []report.System{{}, {Missing: 1, Why: "Not asked yet."}}}
	a.Engine.Opened = nil // the report is the one that the page came with
	if _, ok := a.Sliders.Mean(0); !ok || a.Figures.Doubt(0) != "" {
		t.Error("bm25 has no mean")
	}
	if v, ok := a.Sliders.Mean(1); ok || a.Figures.Doubt(1) != "Not asked yet." {
		t.Errorf("%v, %q", v, a.Figures.Doubt(1))
	}
}
