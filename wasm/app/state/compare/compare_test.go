package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// report is a comparison of three runs on four queries. P@1 of a: 1 0 0 1; of b: 1 1 0 0; of c: 0 0 0 0.
func compared(t *testing.T, baseline int) *message.Compared {
	t.Helper()
	q := collection.NewQrels()
	for _, id := range []string{"q1", "q2", "q3", "q4"} {
		q.Add(id, "good", 1)
	}
	in := compare.Input{Qrels: q, Measures: []string{"P@1", "RR"}, Baseline: baseline}
	for _, r := range []struct{ name, best string }{{"a", "1001"}, {"b", "1100"}, {"c", "0000"}} {
		b := collection.NewRunBuilder(r.name)
		for i, hit := range r.best {
			good, bad := 1.0, 2.0
			if hit == '1' {
				good = 3
			}
			id := "q" + string(rune('1'+i))
			if b.Add(id, "good", good) != nil || b.Add(id, "bad", bad) != nil {
				t.Fatal("add")
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: r.name, Run: run})
	}
	rep, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := packed.Link(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &message.Compared{Report: rep, Measures: rep.Measures, Baseline: baseline, Link: link,
		Origins: []message.Origin{{File: 2}, {File: 3}, {File: 3, Run: 1}}}
}

var opened = &message.Opened{Ref: report.Ref{ID: state.DefaultCollection, Name: "Wire", Hash: strings.Repeat("ab", 32),
	Documents: 3, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"},
		{ID: "q2", Text: "ferry timetable winter"}}, Encoded: []bool{true, true}}

// start is a page with this screen on which the collection is open.
func start(t *testing.T, path, fragment string) (*Compare, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var c *Compare
	a := state.New(r, func(id string) string {
		return "https://example.org/collections/" + id + "/"
	}, path, state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "compare", Make: func(a *state.App) state.Screen {
			c = New(a)
			return c
		}})
	a.Begin(path, fragment)
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return c, r
}

var some = []message.File{{ID: 1, Name: "t.qrels", Size: 10}, {ID: 2, Name: "a.run", Size: 20}}

// answer gives the worker's answer to the last request for a comparison.
func answer(t *testing.T, c *Compare, r *statetest.Recorder, d *message.Compared) {
	t.Helper()
	c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs, Answer: d})
}

func TestAnOlderComparisonIsDropped(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	old := r.Last(t, message.Runs)
	c.AddFiles([]message.File{{ID: 3, Name: "b.run"}})
	c.App.Receive(message.Reply{ID: old.ID, Kind: message.Runs, Answer: compared(t, 1)})
	if c.Runs.Done != nil || !c.Runs.Comparing() {
		t.Error("an older answer was taken")
	}
}

func TestFirstFiguresStayUntilThereAreOthers(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	id := r.Last(t, message.Runs).ID
	first := &message.First{Measures: []string{"AP"}, Runs: []message.FirstRun{{Name: "a", Means: []float64{.5}}}}
	changes, renders := c.App.View.Changes, r.Renders
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs,
		Progress: &message.Progress{What: "Reading b", First: first}})
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Measuring", Done: 1,
		Total: 2}})
	if p := c.Runs.Progress; p.First != first || p.What != "Measuring" {
		t.Errorf("%+v", p)
	}
	if c.App.View.Changes != changes || r.Renders != renders+2 {
		t.Error("progress is drawn, and is no change")
	}
	answer(t, c, r, compared(t, 0))
	if c.App.View.Changes == changes {
		t.Error("an answer is a change")
	}
	if c.Runs.Progress != nil {
		t.Error("the first figures stay beside the report")
	}
}

func TestCancelGoesBackToWhatWasCompared(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.AddFiles([]message.File{{ID: 3, Name: "big.run"}})
	c.CancelRuns()
	if got := r.Setting(t); len(got.Files) != 2 {
		t.Errorf("%+v", got)
	}
	answer(t, c, r, compared(t, 0))
	c.Input.Clear()
	c.AddFiles(some)
	c.CancelRuns()
	if len(c.Runs.Setting.Files) != 0 || c.Runs.Done != nil {
		t.Errorf("%+v", c.Runs.Setting)
	}
}

func TestAWorkerThatDiesOverFilesIsGivenThemOnceMore(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	c.App.Died("out of memory")
	if got := r.Setting(t); len(got.Files) != 2 || r.Restarts != 1 {
		t.Fatalf("%+v, %d restarts", got, r.Restarts)
	}
	c.App.Died("out of memory")
	if !c.Runs.Empty() || c.App.Notices.Problem == nil ||
		!strings.Contains(c.App.Notices.Problem.What, "stopped twice") ||
		c.App.Notices.Problem.Where != "t.qrels, a.run" {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
	c.App.Undo() // nothing is lost: the files can be tried again
	if got := r.Setting(t); len(got.Files) != 2 || !c.Runs.Comparing() {
		t.Errorf("%+v", got)
	}
}

func TestAFileThatEndsTheWorkerBringsTheLastGoodComparisonBack(t *testing.T) {
	for name, end := range map[string]func(*Compare, *statetest.Recorder){
		"it dies twice": func(c *Compare, _ *statetest.Recorder) {
			c.App.Died("out of memory")
			c.App.Died("out of memory")
		},
		"it falls silent twice": func(c *Compare, r *statetest.Recorder) {
			for r.Restarts < 1 {
				r.Pass()
			}
			c.App.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
			for r.Restarts < 2 {
				r.Pass()
			}
		},
		"it refuses": func(c *Compare, r *statetest.Recorder) {
			c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs,
				Problem: &message.Problem{What: "No.", Do: "?"}})
		},
	} {
		c, r := start(t, "/compare", "")
		c.AddFiles(some)
		good := compared(t, 0)
		answer(t, c, r, good)
		c.View.OpenQuery("q3")
		view := c.View.View
		c.AddFiles([]message.File{{ID: 3, Name: "bad.run", Size: 5}})
		end(c, r)
		if c.Runs.Done != good || len(c.Runs.Setting.Files) != 2 ||
			c.App.Notices.Problem == nil || c.App.Notices.Problem.Where != "bad.run" {
			t.Errorf("%s: %+v, %+v", name, c.Runs.Setting.Files, c.App.Notices.Problem)
		}
		if c.Runs.Comparing() { // the new worker is given what went well
			if got := r.Setting(t); len(got.Files) != 2 {
				t.Errorf("%s: asked for %+v", name, got.Files)
			}
			answer(t, c, r, compared(t, 0))
		}
		if c.View.View != view {
			t.Errorf("%s: looked at %+v, want %+v", name, c.View.View, view)
		}
		if c.App.Undo(); len(c.Runs.Setting.Files) != 3 || !c.Runs.Comparing() {
			t.Errorf("%s: what was tried is gone: %+v", name, c.Runs.Setting.Files)
		}
	}
}
