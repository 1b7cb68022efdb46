package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/share/packed"
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
	return &message.Compared{Report: rep, Measures: rep.Measures, Baseline: baseline, Link: link, Origins: []message.Origin{{File: 2}, {File: 3}, {File: 3, Run: 1}}}
}

var opened = &message.Opened{Ref: report.Ref{ID: state.DefaultCollection, Name: "Wire", Hash: strings.Repeat("ab", 32), Documents: 3, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"}, {ID: "q2", Text: "ferry timetable winter"}}, Encoded: []bool{true, true}}

// start is a page with this screen on which the collection is open.
func start(t *testing.T, path, fragment string) (*Compare, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var c *Compare
	a := state.New(r, func(id string) string { return "https://example.org/collections/" + id + "/" }, path, state.Part{Name: "home"}, state.Part{Name: "search"}, state.Part{Name: "compare", Make: func(a *state.App) state.Screen {
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

func TestFilesGoToTheWorkerWholeEachTimeAndOpenTheScreen(t *testing.T) {
	c, r := start(t, "/", "")
	c.AddFiles(some)
	if c.App.Screen != share.Compare || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Fatalf("screen %q, address %v", c.App.Screen, r.Addresses)
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
	for _, measure := range []string{r.Last(t, message.Reasons).Question.(*message.AskReasons).Measure, r.Last(t, message.Query).Question.(*message.AskQuery).Measure,
		r.Last(t, message.Opinions).Question.(*message.AskOpinions).Measure} {
		if measure != "P@1" {
			t.Errorf("asked for %s", measure)
		}
	}
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
	changes, renders := c.App.Changes, r.Renders
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Reading b", First: first}})
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Measuring", Done: 1, Total: 2}})
	if p := c.Runs.Progress; p.First != first || p.What != "Measuring" {
		t.Errorf("%+v", p)
	}
	if c.App.Changes != changes || r.Renders != renders+2 {
		t.Error("progress is drawn, and is no change")
	}
	answer(t, c, r, compared(t, 0))
	if c.App.Changes == changes {
		t.Error("an answer is a change")
	}
	if c.Runs.Progress != nil {
		t.Error("the first figures stay beside the report")
	}
}

func TestTooManyAndTooLargeFilesAreRefusedByName(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.App.Limit = 300e6
	var many []message.File
	for i := range MaxFiles + 2 {
		many = append(many, message.File{ID: i + 1, Name: "r" + string(rune('A'+i)), Size: 1})
	}
	c.AddFiles(many)
	if c.App.Problem == nil || !strings.Contains(c.App.Problem.Where, "r_, r`") ||
		len(c.Runs.Setting.Files) != MaxFiles {
		t.Errorf("%+v, %d files", c.App.Problem, len(c.Runs.Setting.Files))
	}
	c.Input.Clear()
	n := len(r.Sent)
	c.AddFiles([]message.File{{ID: 50, Name: "huge.run", Size: 301e6}})
	if c.App.Problem == nil || !strings.Contains(c.App.Problem.What, "300 MB") || !strings.Contains(c.App.Problem.Where, "huge.run") || len(r.Sent) != n {
		t.Errorf("%+v", c.App.Problem)
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

func TestSettingsAreUndoneAndDoneAgain(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Runs.SetPolicy("ties", "docid-asc")
	c.Runs.SetPolicy("rel", "2")
	c.Runs.SetPolicy("rel", "x")
	if c.Runs.Setting.Policy != "ties=docid-asc rel=2" || c.App.Problem == nil {
		t.Fatalf("%q, %v", c.Runs.Setting.Policy, c.App.Problem)
	}
	answer(t, c, r, &message.Compared{Report: compared(t, 0).Report, Measures: []string{"P@1", "RR"}, Policy: "ties=docid-asc rel=2"})
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

func TestMeasuresAreCheckedBeforeTheyAreAskedFor(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	n := len(r.Sent)
	for _, bad := range []string{"", "nCDG@10", "P@-1"} {
		if c.Measures.Write(bad); c.Measures.Fault == "" {
			t.Errorf("%q is no measure", bad)
		}
		c.Measures.Use()
	}
	if len(r.Sent) != n {
		t.Error("a measure that is none was sent")
	}
	c.Measures.Write("MAP, ndcg_cut.5")
	c.Measures.Use()
	if got := r.Setting(t); !slices.Equal(got.Measures, []string{"AP", "nDCG@5"}) {
		t.Errorf("%v", got.Measures)
	}
}

func TestQueriesAreSortedAndFiltered(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	rows := func() string {
		s := ""
		for _, q := range c.View.Rows() {
			s += c.Runs.Report().Queries[q].ID + " "
		}
		return strings.TrimSpace(s)
	}
	// from a to b: q1 0, q2 +1, q3 0, q4 −1
	check := func(name, want string) {
		t.Helper()
		if got := rows(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("largest change first", "q2 q4 q1 q3")
	c.View.SortBy(SortChange)
	check("gains first", "q2 q1 q3 q4")
	c.View.SortBy(SortChange)
	check("losses first", "q4 q1 q3 q2")
	c.View.SortBy(SortQuery)
	check("by query", "q1 q2 q3 q4")
	c.View.SortBy(SortQuery)
	check("by query, from the end", "q4 q3 q2 q1")
	c.View.SortBy(SortA)
	check("lowest A first", "q2 q3 q1 q4")
	c.View.SortBy(SortQuery)
	c.View.SetFilter(FilterB)
	check("B better", "q2")
	c.View.SetFilter(FilterA)
	check("A better", "q4")
	c.View.SetOver(1)
	check("A better by more than 1", "")
	c.View.SetFilter(FilterChanged)
	check("changed", "q2 q4")
	c.View.SetFilter(FilterAll)
	c.View.FindQuery("Q3")
	check("found", "q3")
	c.View.FindQuery("")
	c.View.SetPair(0, 2)
	if ask := r.Last(t, message.Reasons).Question.(*message.AskReasons); ask.B != 2 || len(ask.Queries) != 4 {
		t.Errorf("%+v", ask)
	}
	c.View.OpenQuery("q1")
	c.View.StepQuery(-1)
	if c.View.Open != "q4" || r.Last(t, message.Query).Question.(*message.AskQuery).Query != "q4" {
		t.Errorf("open %s", c.View.Open)
	}
	c.View.SetPair(5, 0)
	c.View.SetColumn(9)
	if c.View.A != 0 || c.View.Column != 0 {
		t.Error("a run or measure that is not there was chosen")
	}
}

func TestALinkIsOpenedAndADamagedOneLeavesTheEmptyScreen(t *testing.T) {
	c, r := start(t, "/compare", "#runs=abc&x=00000000")
	if got := r.Setting(t); got.Link != "runs=abc&x=00000000" || c.App.Screen != share.Compare {
		t.Fatalf("%+v", got)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs, Problem: &message.Problem{What: "This link could not be opened: it is damaged."}})
	if c.App.Problem == nil || !c.Runs.Empty() || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Errorf("%+v, %v", c.App.Problem, r.Addresses)
	}
	d := compared(t, 0)
	c.App.Moved("/compare", "#"+d.Link, 1)
	answer(t, c, r, d)
	n := len(r.Sent)
	c.App.Go(share.Search)
	c.App.Moved("/compare", "#"+d.Link, 1)
	if r.Sent[len(r.Sent)-1].Kind == message.Runs && len(r.Sent) > n {
		t.Error("going back compares again")
	}
	c.App.CopyLink()
	if r.Copied != "https://example.org/evaluate#"+d.Link {
		t.Errorf("copied %s", r.Copied)
	}
	d.Link = ""
	c.Runs.SetPolicy("gain", "exponential")
	answer(t, c, r, d)
	c.App.CopyLink()
	if c.App.Problem == nil || !strings.Contains(c.App.Problem.What, "do not fit into a link") {
		t.Errorf("%+v", c.App.Problem)
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
	if !c.Runs.Empty() || c.App.Problem == nil || !strings.Contains(c.App.Problem.What, "stopped twice") || c.App.Problem.Where != "t.qrels, a.run" {
		t.Errorf("%+v", c.App.Problem)
	}
	c.App.Undo() // nothing is lost: the files can be tried again
	if got := r.Setting(t); len(got.Files) != 2 || !c.Runs.Comparing() {
		t.Errorf("%+v", got)
	}
}

func TestAFileThatEndsTheWorkerBringsTheLastGoodComparisonBack(t *testing.T) {
	for name, end := range map[string]func(*Compare, *statetest.Recorder){
		"it dies twice": func(c *Compare, _ *statetest.Recorder) { c.App.Died("out of memory"); c.App.Died("out of memory") },
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
			c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs, Problem: &message.Problem{What: "No.", Do: "?"}})
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
			c.App.Problem == nil || c.App.Problem.Where != "bad.run" {
			t.Errorf("%s: %+v, %+v", name, c.Runs.Setting.Files, c.App.Problem)
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

func TestAFileThatWasBeingMadeIsMadeByTheNextWorkerAndNotAThirdTime(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("comparison")
	made := count(r, message.Export)
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 || r.Last(t, message.Export).Question.(*message.AskExport).What.Name != message.Comparison {
		t.Fatal("the file is forgotten")
	}
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 || c.App.Problem == nil || !strings.Contains(c.App.Problem.What, "stopped twice (out of memory)") || c.Runs.Report() == nil {
		t.Errorf("asked %d times, %+v", count(r, message.Export)-made, c.App.Problem)
	}
}

func TestWhatIsExportedIsSavedUnderItsName(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.Make("csv")
	if slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Export }) {
		t.Error("an export without a report was asked for")
	}
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("csv")
	c.App.Receive(message.Reply{ID: r.Last(t, message.Export).ID, Kind: message.Export, Answer: &message.Saved{Name: "comparison.csv", Bytes: []byte("x")}})
	if !slices.Equal(r.Saved, []string{"comparison.csv"}) || !strings.Contains(c.App.Notice, "comparison.csv") {
		t.Errorf("%v, %q", r.Saved, c.App.Notice)
	}
	c.Input.Paste(" \n")
	c.Input.Paste("q1 Q0 d 1 1 t")
	if got := r.Setting(t).Files; len(got) != 3 || got[2].Name != "pasted.txt" {
		t.Errorf("%+v", got)
	}
}

func TestAnExportCanBeCancelled(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.Cancel()
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Exports.Make("unjudged")
	asked := r.Last(t, message.Export).ID
	c.App.Receive(message.Reply{ID: asked, Kind: message.Export, Progress: &message.Progress{What: "Looking", Done: 1, Total: 2}})
	if !c.Exports.Exporting() || c.Runs.Progress == nil {
		t.Fatal("nobody can see that a file is being made")
	}
	c.Exports.Cancel()
	end := r.Last(t, message.Export)
	if c.Exports.Exporting() || c.Runs.Progress != nil || end.ID == asked || end.Question.(*message.AskExport).What != (message.Wanted{}) || !strings.Contains(c.App.Notice, "Nothing was saved") {
		t.Errorf("%v, %+v, %q", c.Exports.Exporting(), end.Question, c.App.Notice)
	}
	c.App.Receive(message.Reply{ID: asked, Kind: message.Export, Answer: &message.Saved{Name: "unjudged.csv"}})
	c.App.Receive(message.Reply{ID: end.ID, Kind: message.Export})
	if len(r.Saved) > 0 {
		t.Errorf("saved all the same: %v", r.Saved)
	}
}

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
	want := message.Name{Origin: message.Origin{File: 3, Run: 1}, Name: "<b>our best</b> " + strings.Repeat("x", MaxName-16)}
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

func TestWhatIsLookedAtIsUndoneToo(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.View.ShowTab(TabQueries)
	first := c.View.View
	pushes := r.Pushes
	for name, x := range map[string]struct {
		do     func()
		pushes int
	}{
		"the measure":       {func() { c.View.SetColumn(1) }, 1},
		"the pair":          {func() { c.View.SetPair(0, 2) }, 1},
		"the order":         {func() { c.View.SortBy(SortQuery) }, 0},
		"the filter":        {func() { c.View.SetFilter(FilterChanged) }, 0},
		"the least change":  {func() { c.View.SetOver(0.5) }, 0},
		"the query":         {func() { c.View.OpenQuery("q3") }, 1},
		"words that narrow": {func() { c.View.FindQuery("q"); c.View.FindQuery("q4") }, 0},
		"queries in a row":  {func() { c.View.StepQuery(1); c.View.StepQuery(1); c.View.StepQuery(1) }, 1},
	} {
		if x.do(); c.View.View == first {
			t.Errorf("%s did not change", name)
		}
		changed := c.View.View
		if r.Pushes-pushes != x.pushes {
			t.Errorf("%s: %d entries of the history, want %d", name, r.Pushes-pushes, x.pushes)
		}
		if c.App.Undo(); c.View.View != first {
			t.Errorf("%s was not undone: %+v", name, c.View.View)
		}
		if c.App.Redo(); c.View.View != changed {
			t.Errorf("%s was not done again: %+v", name, c.View.View)
		}
		c.App.Undo()
		c.View.OpenQuery(first.Open) // ends a row of steps
		pushes = r.Pushes
	}
	// a setting that is undone takes what was looked at along
	c.View.SetColumn(1)
	c.View.OpenQuery("q3")
	c.Runs.SetPolicy("ties", "docid-asc")
	answer(t, c, r, &message.Compared{Report: compared(t, 0).Report, Measures: []string{"P@1", "RR"}, Policy: "ties=docid-asc", Origins: compared(t, 0).Origins})
	if c.View.Open != "q3" || c.View.Column != 1 {
		t.Errorf("a policy changes what is looked at: %+v", c.View.View)
	}
	c.View.OpenQuery("q1")
	c.App.Undo()
	c.App.Undo()
	answer(t, c, r, compared(t, 0))
	if c.View.Open != "q3" || c.View.Column != 1 {
		t.Errorf("%+v", c.View.View)
	}
}

func TestLinksHoldWhatIsLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	answer(t, c, r, d)
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("nobody asked for a link, and the address is %s", at)
	}
	c.View.SetColumn(1)
	c.View.SetPair(2, 1)
	c.View.SortBy(SortQuery)
	c.View.SetFilter(FilterChanged)
	c.View.OpenQuery("q4")
	want := c.View.View
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("what is looked at brings the runs into the address: %s", at)
	}
	c.App.CopyLink()
	link := strings.TrimPrefix(r.Copied, "https://example.org/evaluate")
	if r.Addresses[len(r.Addresses)-1] != "/evaluate"+link || !strings.HasPrefix(link, "#"+d.Link+"&measure=2&pair=3-2&") {
		t.Fatalf("copied %s", r.Copied)
	}
	for _, name := range c.Runs.Done.Report.Systems {
		if !strings.Contains(c.App.Notice, name.Label) {
			t.Errorf("who copies is not told that %s is in the link: %s", name.Label, c.App.Notice)
		}
	}
	// the address holds these runs now, and follows what is looked at; other ones it does not take in
	c.View.SortBy(SortA)
	if at := r.Addresses[len(r.Addresses)-1]; !strings.HasPrefix(at, "/evaluate#"+d.Link) || at == "/evaluate"+link {
		t.Errorf("address %s", at)
	}
	c.App.Undo()
	c.AddFiles([]message.File{{ID: 9, Name: "secret.run"}})
	more := compared(t, 0)
	more.Link += "x"
	answer(t, c, r, more)
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("a file that was added stands in the address: %s", at)
	}
	b, s := start(t, "/compare", link)
	if got := s.Setting(t); got.Link != d.Link {
		t.Errorf("the worker was sent %s", got.Link)
	}
	answer(t, b, s, compared(t, 0))
	if b.View.View != want {
		t.Errorf("%+v, want %+v", b.View.View, want)
	}
	if ask := s.Last(t, message.Tests).Question.(*message.AskTests); ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
	// the address is edited by hand: the same runs are looked at, not compared again
	n := 0
	for _, m := range s.Sent {
		if m.Kind == message.Runs {
			n++
		}
	}
	b.App.Moved("/compare", "#"+d.Link, 9)
	for _, m := range s.Sent {
		if m.Kind == message.Runs {
			n--
		}
	}
	if n != 0 || b.View.Column != 0 || b.View.B != 1 {
		t.Errorf("%d, %+v", n, b.View.View)
	}
	// what a link asks for and the report does not have
	far, _ := packed.WithView(d.Link, packed.View{Column: 7, A: 1, B: 9, Sort: SortA, Page: 4, Open: "q99", Depth: 5000})
	x, y := start(t, "/compare", "#"+far)
	answer(t, x, y, compared(t, 0))
	if v := x.View.View; v.Column != 0 || v.A != 0 || v.B != 1 || v.Sort != SortA || v.Page != 0 ||
		v.Open == "q99" || v.Depth != 50 {
		t.Errorf("%+v", v)
	}
}

func TestASavedComparisonOpensAsItWasLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some[1:])
	d := compared(t, 0)
	v := packed.View{Column: 1, A: 2, B: 0, Sort: SortB, Over: 0.2, Open: "q3", Depth: 50}
	d.View = v.String()
	answer(t, c, r, d)
	if v.Tab = TabQueries; c.View.View != v { // it was saved before there were tabs, with a query open
		t.Errorf("%+v", c.View.View)
	}
	c.View.OpenQuery("q1")
	c.Runs.SetPolicy("gain", "exponential")
	answer(t, c, r, d)
	if c.View.Open != "q1" {
		t.Error("the file's view comes back after it was left")
	}
	c.Exports.Make("comparison")
	if ask := r.Last(t, message.Export).Question.(*message.AskExport); ask.View != c.View.String() || ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
}

func TestBackAndForwardLeadThroughWhatWasCompared(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some) // entry 1
	d := compared(t, 0)
	d.Link = "" // too large for one: nothing of it is in the address
	answer(t, c, r, d)
	c.Runs.SetPolicy("gain", "exponential") // entry 2
	again := *d
	again.Policy = "gain=exponential"
	answer(t, c, r, &again)
	c.View.OpenQuery("q3") // entry 3
	c.App.Go(share.Search) // entry 4
	if r.Pushes != 4 {
		t.Fatalf("%d pushes", r.Pushes)
	}
	c.App.Moved("/compare", "", 3)
	if c.App.Screen != share.Compare || c.View.Open != "q3" || c.Runs.Comparing() {
		t.Errorf("%+v", c.View.View)
	}
	c.App.Moved("/compare", "", 3) // told twice
	c.App.Moved("/compare", "", 2)
	if c.View.Open == "q3" || c.Runs.Comparing() {
		t.Errorf("%+v", c.View.View)
	}
	c.App.Moved("/compare", "", 1)
	if got := r.Setting(t); got.Policy != "" || len(got.Files) != 2 || !c.Runs.Comparing() {
		t.Errorf("%+v", got)
	}
	answer(t, c, r, d)
	c.App.Moved("/compare", "", 0)
	if !c.Runs.Empty() || c.Runs.Done != nil {
		t.Errorf("%+v", c.Runs.Setting)
	}
	c.App.Moved("/compare", "", 3) // three forward at once
	answer(t, c, r, &again)
	if c.Runs.Setting.Policy != "gain=exponential" || c.View.Open != "q3" {
		t.Errorf("%+v, %+v", c.Runs.Setting, c.View.View)
	}
	c.View.OpenQuery("q1")
	if r.Pushes != 5 {
		t.Errorf("%d pushes", r.Pushes)
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

// A link holds the letters behind its checksum, and they are those of the link's own runs.
func TestLettersOfALink(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	d.Link = packed.LinkPrefix + "x"
	d.Report.Letters = []int{0, 2, 3}
	answer(t, c, r, d)
	link, whole := c.Links.link()
	if !whole || !strings.Contains(link, "letters=1.3.4") {
		t.Errorf("%s, %v", link, whole)
	}
}

func TestFurtherMeasuresAreTestedWhenTheyAreLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	answer(t, c, r, d)
	if x := c.Statistics.Tested(); x == nil || len(x.Pairs) != 3 || x.Column != 0 {
		t.Fatalf("%+v", x)
	}
	c.View.SetColumn(1)
	if c.Statistics.Tested() != nil {
		t.Error("the tests on another measure are shown")
	}
	x, err := d.Report.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Tests).ID, Kind: message.Tests, Answer: x})
	if c.Statistics.Tested() != x {
		t.Error("the tests do not arrive")
	}
	c.View.SetColumn(0)
	if x := c.Statistics.Tested(); x == nil || x.Column != 0 {
		t.Errorf("%+v", x)
	}
}

func TestPicturesAreSavedOrTheProblemIsSaid(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Exports.SavePicture("f.png", "<svg/>", 10, 10)
	if !slices.Equal(r.Saved, []string{"f.png"}) || !strings.Contains(c.App.Notice, "f.png") {
		t.Errorf("%v, %q", r.Saved, c.App.Notice)
	}
	c.Exports.SavePicture("g.png", "", 10, 10)
	if c.App.Problem == nil || c.App.Problem.Where != "g.png" {
		t.Errorf("%+v", c.App.Problem)
	}
}
