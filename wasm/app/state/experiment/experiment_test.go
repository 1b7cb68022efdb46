package experiment

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func screen(t *testing.T) (*state.App, *Experiment, *statetest.Recorder) {
	t.Helper()
	fx := &statetest.Recorder{}
	var x *Experiment
	a := state.New(fx, func(string) string {
		return "/c/"
	}, "/experiment", state.Part{Name: string(ID), Make: func(a *state.App) state.Screen {
		x = New(a, Written{Systems: "bm25\ndense", Measures: "nDCG@10"})
		return x
	}})
	a.Engine.Opened, a.Engine.Phase = &message.Opened{Ref: report.Ref{ID: "c"}}, state.Ready
	return a, x, fx
}

func last(fx *statetest.Recorder) *message.AskExperiment {
	for i := len(fx.Sent) - 1; i >= 0; i-- {
		if q, ok := fx.Sent[i].Question.(*message.AskExperiment); ok {
			return q
		}
	}
	return nil
}

func answer(a *state.App, fx *statetest.Recorder, d message.Experimented) {
	r := fx.Sent[len(fx.Sent)-1]
	a.Receive(message.Reply{ID: r.ID, Kind: r.Kind, Answer: &d})
}

func TestItRunsAMomentAtATimeUntilItIsOver(t *testing.T) {
	a, x, fx := screen(t)
	x.Start()
	if q := last(fx); q == nil || !q.Go || len(q.Matrix.Systems) != 2 {
		t.Fatalf("%+v", q)
	}
	n := len(fx.Sent)
	answer(a, fx, message.Experimented{Runs: []message.ExperimentRun{{State: "running"}}})
	if len(fx.Sent) != n+1 || !x.Running {
		t.Fatal("it does not go on")
	}
	x.Again() // a new worker
	if len(fx.Sent) != n+2 || !last(fx).Go {
		t.Error("a new worker is not asked")
	}
	answer(a, fx, message.Experimented{Over: true, Runs: []message.ExperimentRun{{State: "completed"}}})
	if x.Running || len(fx.Sent) != n+2 || !x.CanCompare() {
		t.Error("it is over and does not end")
	}
}

func TestStoppedItAsksForNothingMore(t *testing.T) {
	a, x, fx := screen(t)
	x.Start()
	x.Stop()
	n := len(fx.Sent)
	answer(a, fx, message.Experimented{Runs: []message.ExperimentRun{{State: "cancelled"}}})
	if len(fx.Sent) != n || x.Running || x.Done == nil {
		t.Error("it goes on")
	}
	x.Start()
	x.Write(Written{Systems: "ql"})
	if x.Running {
		t.Error("it runs what is no longer written")
	}
	fx.Pass()
	if q := last(fx); q.Go || q.Matrix.Systems[0] != "ql" {
		t.Errorf("the plan of what is typed is not asked for: %+v", q)
	}
	a.Undo()
	if x.Systems != "bm25\ndense" {
		t.Errorf("undone: %q", x.Systems)
	}
}

func TestItsLinkComesBack(t *testing.T) {
	for _, w := range []Written{
		{"bm25(k1=0.6..1.8/0.2, b=0|0.4) >> rm3?\ndense", "nDCG@10 AP", "bm25", ""},
		{"bm25 >> rerank(backend=ce)", "", "", strings.Repeat("0a", 32)},
		{`{"systems": ["bm25"], "baseline": "ß & % #"}`, "", "", ""},
		{"", "", "", ""},
	} {
		_, x, _ := screen(t)
		x.Written = w
		f := x.link()
		_, y, _ := screen(t)
		if y.ReadLink(f); y.Written != w {
			t.Errorf("%q came back as %q from %s", w, y.Written, f)
		}
	}
	a, x, _ := screen(t)
	if x.ReadLink("experiment=%4"); a.Notices.Problem == nil || x.Systems != "bm25\ndense" {
		t.Error("a damaged link is taken")
	}
	if x.ReadLink("experiment=bm25&a=../../etc"); x.Answers != "" {
		t.Errorf("%q is taken for the hash of answers", x.Answers)
	}
}

// What the edge keeps of backends' answers is in the link from then on, and no longer once something else is written.
func TestAnswersGoIntoTheLink(t *testing.T) {
	_, x, r := screen(t)
	hash := strings.Repeat("0a", 32)
	x.KeepAnswers()
	if q, ok := r.Sent[len(r.Sent)-1].Question.(*message.AskExperiment); !ok || !q.Keep || q.Go {
		t.Fatalf("%+v", r.Sent[len(r.Sent)-1])
	}
	x.Receive(message.Reply{Kind: message.Experiment, Answer: &message.Experimented{Over: true, Remote: true,
		Answers: hash}})
	if !strings.HasSuffix(x.link(), "&a="+hash) || x.Matrix().Answers != hash {
		t.Errorf("%s", x.link())
	}
	w := x.Written
	w.Measures = "AP"
	if x.Write(w); x.Answers != "" {
		t.Error("answers of another experiment are in the link")
	}
}

// Run again asks for backends as they are now, once, and the link no longer names the answers of the earlier
// ones.
func TestRunAgainAsksForBackendsAsTheyAreNow(t *testing.T) {
	a, x, fx := screen(t)
	x.Answers = strings.Repeat("a", 64)
	x.Start()
	done := []message.ExperimentRun{{State: "completed"}}
	answer(a, fx, message.Experimented{Over: true, Remote: true, Changed: "The backend ce is another one.",
		Runs: done})
	x.Renew()
	if q := last(fx); !q.Renew || !q.Go || q.Matrix.Answers != "" || !x.Running {
		t.Errorf("%+v", q)
	}
	answer(a, fx, message.Experimented{Runs: []message.ExperimentRun{{State: "running"}}})
	if q := last(fx); q.Renew || !q.Go {
		t.Errorf("it is renewed twice: %+v", q)
	}
}

func TestABaselineThatNobodyChoseGivesWayToTheFirstRun(t *testing.T) {
	a, x, fx := screen(t)
	// as a start writes it: both at once
	x.Write(Written{Systems: "dense\nlate", Measures: "nDCG@10", Baseline: "bm25"})
	x.Start()
	missing := message.Experimented{Problem: "The baseline is none of the runs.", Member: "baseline"}
	answer(a, fx, missing)
	if q := last(fx); x.Baseline != "" || q.Matrix.Baseline != "" || !q.Go {
		t.Fatalf("still asked for: %q, %+v", x.Baseline, q)
	}
	w := x.Written
	w.Baseline = "bm25"
	x.Write(w) // typed
	x.Start()
	n := len(fx.Sent)
	answer(a, fx, missing)
	if x.Baseline != "bm25" || len(fx.Sent) != n || x.Done == nil || x.Done.Problem == "" {
		t.Error("what was typed is not kept, or its problem is not said")
	}
}

// Over documents that are elsewhere it begins with the systems of Search, since what it begins with otherwise needs
// documents; what somebody typed stays.
func TestItBeginsWithTheSystemsOfSearchIfDocumentsAreElsewhere(t *testing.T) {
	for typed, want := range map[string]string{"": "search(backend=wire)", "bm25": "bm25"} {
		a, x, _ := screen(t)
		a.Engine.Opened.Ref.Elsewhere = true
		a.Settings.Spec.Systems = []string{"search(backend=wire)"}
		if typed != "" {
			x.Write(Written{Systems: typed})
		}
		if x.Look(); x.Systems != want {
			t.Errorf("%q, want %q", x.Systems, want)
		}
	}
}
