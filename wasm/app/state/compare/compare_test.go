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
	if c.App.Settings.Screen != share.Compare || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Fatalf("screen %q, address %v", c.App.Settings.Screen, r.Addresses)
	}
	c.AddFiles([]message.File{{ID: 3, Name: "b.run", Size: 5}})
	got := r.Setting(t)
	if len(got.Files) != 3 || got.Limit != DefaultLimit {
		t.Errorf("%+v", got)
	}
	if !c.Comparing() {
		t.Error("nothing is waited for")
	}
	answer(t, c, r, compared(t, 0))
	if c.Comparing() || c.A != 0 || c.B != 1 || c.Open == "" {
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
	if c.Done != nil || !c.Comparing() {
		t.Error("an older answer was taken")
	}
}

func TestFirstFiguresStayUntilThereAreOthers(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	id := r.Last(t, message.Runs).ID
	first := &message.First{Measures: []string{"AP"}, Runs: []message.FirstRun{{Name: "a", Means: []float64{.5}}}}
	changes, renders := c.App.View.Changes, r.Renders
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Reading b", First: first}})
	c.App.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Measuring", Done: 1, Total: 2}})
	if p := c.Progress; p.First != first || p.What != "Measuring" {
		t.Errorf("%+v", p)
	}
	if c.App.View.Changes != changes || r.Renders != renders+2 {
		t.Error("progress is drawn, and is no change")
	}
	answer(t, c, r, compared(t, 0))
	if c.App.View.Changes == changes {
		t.Error("an answer is a change")
	}
	if c.Progress != nil {
		t.Error("the first figures stay beside the report")
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
		len(c.Setting.Files) != MaxFiles {
		t.Errorf("%+v, %d files", c.App.Notices.Problem, len(c.Setting.Files))
	}
	c.ClearRuns()
	n := len(r.Sent)
	c.AddFiles([]message.File{{ID: 50, Name: "huge.run", Size: 301e6}})
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "300 MB") || !strings.Contains(c.App.Notices.Problem.Where, "huge.run") || len(r.Sent) != n {
		t.Errorf("%+v", c.App.Notices.Problem)
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
	c.ClearRuns()
	c.AddFiles(some)
	c.CancelRuns()
	if len(c.Setting.Files) != 0 || c.Done != nil {
		t.Errorf("%+v", c.Setting)
	}
}

func TestSettingsAreUndoneAndDoneAgain(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.SetPolicy("ties", "docid-asc")
	c.SetPolicy("rel", "2")
	c.SetPolicy("rel", "x")
	if c.Setting.Policy != "ties=docid-asc rel=2" || c.App.Notices.Problem == nil {
		t.Fatalf("%q, %v", c.Setting.Policy, c.App.Notices.Problem)
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
	c.RemoveFile(2)
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
		if c.WriteMeasures(bad); c.DraftErr == "" {
			t.Errorf("%q is no measure", bad)
		}
		c.UseMeasures()
	}
	if len(r.Sent) != n {
		t.Error("a measure that is none was sent")
	}
	c.WriteMeasures("MAP, ndcg_cut.5")
	c.UseMeasures()
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
		for _, q := range c.Rows() {
			s += c.Report().Queries[q].ID + " "
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
	c.SortBy(SortChange)
	check("gains first", "q2 q1 q3 q4")
	c.SortBy(SortChange)
	check("losses first", "q4 q1 q3 q2")
	c.SortBy(SortQuery)
	check("by query", "q1 q2 q3 q4")
	c.SortBy(SortQuery)
	check("by query, from the end", "q4 q3 q2 q1")
	c.SortBy(SortA)
	check("lowest A first", "q2 q3 q1 q4")
	c.SortBy(SortQuery)
	c.SetFilter(FilterB)
	check("B better", "q2")
	c.SetFilter(FilterA)
	check("A better", "q4")
	c.SetOver(1)
	check("A better by more than 1", "")
	c.SetFilter(FilterChanged)
	check("changed", "q2 q4")
	c.SetFilter(FilterAll)
	c.FindQuery("Q3")
	check("found", "q3")
	c.FindQuery("")
	c.SetPair(0, 2)
	if ask := r.Last(t, message.Reasons).Question.(*message.AskReasons); ask.B != 2 || len(ask.Queries) != 4 {
		t.Errorf("%+v", ask)
	}
	c.OpenQuery("q1")
	c.StepQuery(-1)
	if c.Open != "q4" || r.Last(t, message.Query).Question.(*message.AskQuery).Query != "q4" {
		t.Errorf("open %s", c.Open)
	}
	c.SetPair(5, 0)
	c.SetColumn(9)
	if c.A != 0 || c.Column != 0 {
		t.Error("a run or measure that is not there was chosen")
	}
}

func TestALinkIsOpenedAndADamagedOneLeavesTheEmptyScreen(t *testing.T) {
	c, r := start(t, "/compare", "#runs=abc&x=00000000")
	if got := r.Setting(t); got.Link != "runs=abc&x=00000000" || c.App.Settings.Screen != share.Compare {
		t.Fatalf("%+v", got)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs, Problem: &message.Problem{What: "This link could not be opened: it is damaged."}})
	if c.App.Notices.Problem == nil || !c.Empty() || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Errorf("%+v, %v", c.App.Notices.Problem, r.Addresses)
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
	c.App.Sharing.CopyLink()
	if r.Copied != "https://example.org/evaluate#"+d.Link {
		t.Errorf("copied %s", r.Copied)
	}
	d.Link = ""
	c.SetPolicy("gain", "exponential")
	answer(t, c, r, d)
	c.App.Sharing.CopyLink()
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "do not fit into a link") {
		t.Errorf("%+v", c.App.Notices.Problem)
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
	if !c.Empty() || c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "stopped twice") || c.App.Notices.Problem.Where != "t.qrels, a.run" {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
	c.App.Undo() // nothing is lost: the files can be tried again
	if got := r.Setting(t); len(got.Files) != 2 || !c.Comparing() {
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
		c.OpenQuery("q3")
		view := c.View
		c.AddFiles([]message.File{{ID: 3, Name: "bad.run", Size: 5}})
		end(c, r)
		if c.Done != good || len(c.Setting.Files) != 2 || c.App.Notices.Problem == nil ||
			c.App.Notices.Problem.Where != "bad.run" {
			t.Errorf("%s: %+v, %+v", name, c.Setting.Files, c.App.Notices.Problem)
		}
		if c.Comparing() { // the new worker is given what went well
			if got := r.Setting(t); len(got.Files) != 2 {
				t.Errorf("%s: asked for %+v", name, got.Files)
			}
			answer(t, c, r, compared(t, 0))
		}
		if c.View != view {
			t.Errorf("%s: looked at %+v, want %+v", name, c.View, view)
		}
		if c.App.Undo(); len(c.Setting.Files) != 3 || !c.Comparing() {
			t.Errorf("%s: what was tried is gone: %+v", name, c.Setting.Files)
		}
	}
}

func TestAFileThatWasBeingMadeIsMadeByTheNextWorkerAndNotAThirdTime(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.ExportRuns("comparison")
	made := count(r, message.Export)
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 || r.Last(t, message.Export).Question.(*message.AskExport).What.Name != message.Comparison {
		t.Fatal("the file is forgotten")
	}
	c.App.Died("out of memory")
	answer(t, c, r, compared(t, 0))
	if count(r, message.Export) != made+1 || c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "stopped twice (out of memory)") || c.Report() == nil {
		t.Errorf("asked %d times, %+v", count(r, message.Export)-made, c.App.Notices.Problem)
	}
}

func TestWhatIsExportedIsSavedUnderItsName(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.ExportRuns("csv")
	if slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Export }) {
		t.Error("an export without a report was asked for")
	}
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.ExportRuns("csv")
	c.App.Receive(message.Reply{ID: r.Last(t, message.Export).ID, Kind: message.Export, Answer: &message.Saved{Name: "comparison.csv", Bytes: []byte("x")}})
	if !slices.Equal(r.Saved, []string{"comparison.csv"}) || !strings.Contains(c.App.Notices.Text, "comparison.csv") {
		t.Errorf("%v, %q", r.Saved, c.App.Notices.Text)
	}
	c.Paste(" \n")
	c.Paste("q1 Q0 d 1 1 t")
	if got := r.Setting(t).Files; len(got) != 3 || got[2].Name != "pasted.txt" {
		t.Errorf("%+v", got)
	}
}

func TestAnExportCanBeCancelled(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.CancelExport()
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.ExportRuns("unjudged")
	asked := r.Last(t, message.Export).ID
	c.App.Receive(message.Reply{ID: asked, Kind: message.Export, Progress: &message.Progress{What: "Looking", Done: 1, Total: 2}})
	if !c.Exporting() || c.Progress == nil {
		t.Fatal("nobody can see that a file is being made")
	}
	c.CancelExport()
	end := r.Last(t, message.Export)
	if c.Exporting() || c.Progress != nil || end.ID == asked || end.Question.(*message.AskExport).What != (message.Wanted{}) || !strings.Contains(c.App.Notices.Text, "Nothing was saved") {
		t.Errorf("%v, %+v, %q", c.Exporting(), end.Question, c.App.Notices.Text)
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
	c.Name(7)
	c.KeepName()
	if len(r.Setting(t).Names) != 0 {
		t.Error("a run that is not there got a name")
	}
	c.Name(2)
	if c.Naming != 3 || c.NewName != "c" || r.Focused != "name-2" {
		t.Fatalf("%+v, focus %s", c, r.Focused)
	}
	c.WriteName("  <b>our\nbest</b> " + strings.Repeat("x", 100))
	c.KeepName()
	want := message.Name{Origin: message.Origin{File: 3, Run: 1}, Name: "<b>our best</b> " + strings.Repeat("x", MaxName-16)}
	if got := r.Setting(t).Names; len(got) != 1 || got[0] != want || r.Focused != "rename-2" || c.Naming != 0 {
		t.Errorf("%+v, focus %s", got, r.Focused)
	}
	answer(t, c, r, compared(t, 0))
	c.Name(2)
	c.WriteName("another")
	c.LeaveName()
	n := len(r.Sent)
	c.Name(2)
	c.KeepName() // what stands there
	if len(r.Sent) != n {
		t.Error("a name that did not change was sent")
	}
	c.App.Undo()
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("not undone: %+v", got)
	}
	c.App.Redo()
	answer(t, c, r, compared(t, 0))
	c.Done.Report.Systems[2].Label = want.Name
	c.Name(2)
	c.WriteName(" ")
	c.KeepName()
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("the name of the file does not come back: %+v", got)
	}
	c.App.Undo()
	answer(t, c, r, compared(t, 0))
	c.RemoveFile(3)
	if got := r.Setting(t).Names; len(got) != 0 {
		t.Errorf("the name stays though its file is gone: %+v", got)
	}
}

func TestWhatIsLookedAtIsUndoneToo(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.ShowTab(TabQueries)
	first := c.View
	pushes := r.Pushes
	for name, x := range map[string]struct {
		do     func()
		pushes int
	}{
		"the measure":       {func() { c.SetColumn(1) }, 1},
		"the pair":          {func() { c.SetPair(0, 2) }, 1},
		"the order":         {func() { c.SortBy(SortQuery) }, 0},
		"the filter":        {func() { c.SetFilter(FilterChanged) }, 0},
		"the least change":  {func() { c.SetOver(0.5) }, 0},
		"the query":         {func() { c.OpenQuery("q3") }, 1},
		"words that narrow": {func() { c.FindQuery("q"); c.FindQuery("q4") }, 0},
		"queries in a row":  {func() { c.StepQuery(1); c.StepQuery(1); c.StepQuery(1) }, 1},
	} {
		if x.do(); c.View == first {
			t.Errorf("%s did not change", name)
		}
		changed := c.View
		if r.Pushes-pushes != x.pushes {
			t.Errorf("%s: %d entries of the history, want %d", name, r.Pushes-pushes, x.pushes)
		}
		if c.App.Undo(); c.View != first {
			t.Errorf("%s was not undone: %+v", name, c.View)
		}
		if c.App.Redo(); c.View != changed {
			t.Errorf("%s was not done again: %+v", name, c.View)
		}
		c.App.Undo()
		c.OpenQuery(first.Open) // ends a row of steps
		pushes = r.Pushes
	}
	// a setting that is undone takes what was looked at along
	c.SetColumn(1)
	c.OpenQuery("q3")
	c.SetPolicy("ties", "docid-asc")
	answer(t, c, r, &message.Compared{Report: compared(t, 0).Report, Measures: []string{"P@1", "RR"}, Policy: "ties=docid-asc", Origins: compared(t, 0).Origins})
	if c.Open != "q3" || c.Column != 1 {
		t.Errorf("a policy changes what is looked at: %+v", c.View)
	}
	c.OpenQuery("q1")
	c.App.Undo()
	c.App.Undo()
	answer(t, c, r, compared(t, 0))
	if c.Open != "q3" || c.Column != 1 {
		t.Errorf("%+v", c.View)
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
	c.SetColumn(1)
	c.SetPair(2, 1)
	c.SortBy(SortQuery)
	c.SetFilter(FilterChanged)
	c.OpenQuery("q4")
	want := c.View
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("what is looked at brings the runs into the address: %s", at)
	}
	c.App.Sharing.CopyLink()
	link := strings.TrimPrefix(r.Copied, "https://example.org/evaluate")
	if r.Addresses[len(r.Addresses)-1] != "/evaluate"+link || !strings.HasPrefix(link, "#"+d.Link+"&measure=2&pair=3-2&") {
		t.Fatalf("copied %s", r.Copied)
	}
	for _, name := range c.Done.Report.Systems {
		if !strings.Contains(c.App.Notices.Text, name.Label) {
			t.Errorf("who copies is not told that %s is in the link: %s", name.Label, c.App.Notices.Text)
		}
	}
	// the address holds these runs now, and follows what is looked at; other ones it does not take in
	c.SortBy(SortA)
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
	if b.View != want {
		t.Errorf("%+v, want %+v", b.View, want)
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
	if n != 0 || b.Column != 0 || b.B != 1 {
		t.Errorf("%d, %+v", n, b.View)
	}
	// what a link asks for and the report does not have
	far, _ := packed.WithView(d.Link, packed.View{Column: 7, A: 1, B: 9, Sort: SortA, Page: 4, Open: "q99", Depth: 5000})
	x, y := start(t, "/compare", "#"+far)
	answer(t, x, y, compared(t, 0))
	if v := x.View; v.Column != 0 || v.A != 0 || v.B != 1 || v.Sort != SortA || v.Page != 0 || v.Open == "q99" || v.Depth != 50 {
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
	if v.Tab = TabQueries; c.View != v { // it was saved before there were tabs, with a query open
		t.Errorf("%+v", c.View)
	}
	c.OpenQuery("q1")
	c.SetPolicy("gain", "exponential")
	answer(t, c, r, d)
	if c.Open != "q1" {
		t.Error("the file's view comes back after it was left")
	}
	c.ExportRuns("comparison")
	if ask := r.Last(t, message.Export).Question.(*message.AskExport); ask.View != c.View.String() ||
		ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
}

func TestBackAndForwardLeadThroughWhatWasCompared(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some) // entry 1
	d := compared(t, 0)
	d.Link = "" // too large for one: nothing of it is in the address
	answer(t, c, r, d)
	c.SetPolicy("gain", "exponential") // entry 2
	again := *d
	again.Policy = "gain=exponential"
	answer(t, c, r, &again)
	c.OpenQuery("q3")      // entry 3
	c.App.Go(share.Search) // entry 4
	if r.Pushes != 4 {
		t.Fatalf("%d pushes", r.Pushes)
	}
	c.App.Moved("/compare", "", 3)
	if c.App.Settings.Screen != share.Compare || c.Open != "q3" || c.Comparing() {
		t.Errorf("%+v", c.View)
	}
	c.App.Moved("/compare", "", 3) // told twice
	c.App.Moved("/compare", "", 2)
	if c.Open == "q3" || c.Comparing() {
		t.Errorf("%+v", c.View)
	}
	c.App.Moved("/compare", "", 1)
	if got := r.Setting(t); got.Policy != "" || len(got.Files) != 2 || !c.Comparing() {
		t.Errorf("%+v", got)
	}
	answer(t, c, r, d)
	c.App.Moved("/compare", "", 0)
	if !c.Empty() || c.Done != nil {
		t.Errorf("%+v", c.Setting)
	}
	c.App.Moved("/compare", "", 3) // three forward at once
	answer(t, c, r, &again)
	if c.Setting.Policy != "gain=exponential" || c.Open != "q3" {
		t.Errorf("%+v, %+v", c.Setting, c.View)
	}
	c.OpenQuery("q1")
	if r.Pushes != 5 {
		t.Errorf("%d pushes", r.Pushes)
	}
}

func TestTakingAFileOutKeepsBaselineAndPair(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(append(some, message.File{ID: 3, Name: "two.zip"}))
	answer(t, c, r, compared(t, 2))
	c.SetRunBaseline(2)
	d := compared(t, 2)
	answer(t, c, r, d)
	c.RemoveFile(2)
	if got := r.Setting(t); got.Baseline != 1 {
		t.Errorf("baseline %d", got.Baseline)
	}
	c.App.Undo()
	c.RemoveFile(3)
	if got := r.Setting(t); got.Baseline != 0 {
		t.Errorf("baseline %d", got.Baseline)
	}
}

func TestTakingAFileOutLeavesTheOthersTheirLetters(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(append(some, message.File{ID: 3, Name: "two.zip"}))
	d := compared(t, 0)
	answer(t, c, r, d)
	c.RemoveFile(d.Origins[0].File)
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
	link, whole := c.link()
	if !whole || !strings.Contains(link, "letters=1.3.4") {
		t.Errorf("%s, %v", link, whole)
	}
}

func TestFurtherMeasuresAreTestedWhenTheyAreLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	answer(t, c, r, d)
	if x := c.Tested(); x == nil || len(x.Pairs) != 3 || x.Column != 0 {
		t.Fatalf("%+v", x)
	}
	c.SetColumn(1)
	if c.Tested() != nil {
		t.Error("the tests on another measure are shown")
	}
	x, err := d.Report.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Tests).ID, Kind: message.Tests, Answer: x})
	if c.Tested() != x {
		t.Error("the tests do not arrive")
	}
	c.SetColumn(0)
	if x := c.Tested(); x == nil || x.Column != 0 {
		t.Errorf("%+v", x)
	}
}

func TestPicturesAreSavedOrTheProblemIsSaid(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.SavePicture("f.png", "<svg/>", 10, 10)
	if !slices.Equal(r.Saved, []string{"f.png"}) || !strings.Contains(c.App.Notices.Text, "f.png") {
		t.Errorf("%v, %q", r.Saved, c.App.Notices.Text)
	}
	c.SavePicture("g.png", "", 10, 10)
	if c.App.Notices.Problem == nil || c.App.Notices.Problem.Where != "g.png" {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}
