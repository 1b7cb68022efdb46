package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
)

// report is a comparison of three runs on four queries. P@1 of a: 1 0 0 1; of b: 1 1 0 0; of c: 0 0 0 0.
func report(t *testing.T, baseline int) *message.Compared {
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
	link, _, err := compare.Link(in)
	if err != nil {
		t.Fatal(err)
	}
	return &message.Compared{Report: rep, Measures: rep.Measures, Baseline: baseline, Link: link, Origins: []message.Origin{{File: 2}, {File: 3}, {File: 3, Run: 1}}}
}

var some = []message.File{{ID: 1, Name: "t.qrels", Size: 10}, {ID: 2, Name: "a.run", Size: 20}}

// answer gives the worker's answer to the last request for a comparison.
func answer(t *testing.T, a *App, r *recorder, d *message.Compared) {
	t.Helper()
	a.Receive(message.Reply{ID: r.last(t, message.Runs).ID, Kind: message.Runs, Answer: d})
}

func TestFilesGoToTheWorkerWholeEachTimeAndOpenTheScreen(t *testing.T) {
	a, r := start(t, "/", "")
	a.AddFiles(some)
	if a.Screen != share.Compare || r.address[len(r.address)-1] != "/compare" {
		t.Fatalf("screen %q, address %v", a.Screen, r.address)
	}
	a.AddFiles([]message.File{{ID: 3, Name: "b.run", Size: 5}})
	got := r.setting(t)
	if len(got.Files) != 3 || got.Limit != DefaultLimit {
		t.Errorf("%+v", got)
	}
	if !a.Comparing() {
		t.Error("nothing is waited for")
	}
	answer(t, a, r, report(t, 0))
	if a.Comparing() || a.Compare.A != 0 || a.Compare.B != 1 || a.Compare.Open == "" {
		t.Errorf("%+v", a.Compare)
	}
	if at := r.address[len(r.address)-1]; !strings.HasPrefix(at, "/compare#runs=") {
		t.Errorf("address %s", at)
	}
	for _, measure := range []string{r.last(t, message.Reasons).Question.(*message.AskReasons).Measure, r.last(t, message.Query).Question.(*message.AskQuery).Measure,
		r.last(t, message.Opinions).Question.(*message.AskOpinions).Measure} {
		if measure != "P@1" {
			t.Errorf("asked for %s", measure)
		}
	}
}

func TestAnOlderComparisonIsDropped(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	old := r.last(t, message.Runs)
	a.AddFiles([]message.File{{ID: 3, Name: "b.run"}})
	a.Receive(message.Reply{ID: old.ID, Kind: message.Runs, Answer: report(t, 1)})
	if a.Compare.Done != nil || !a.Comparing() {
		t.Error("an older answer was taken")
	}
}

func TestFirstFiguresStayUntilThereAreOthers(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	id := r.last(t, message.Runs).ID
	first := &message.First{Measures: []string{"AP"}, Runs: []message.FirstRun{{Name: "a", Means: []float64{.5}}}}
	changes, renders := a.Changes, r.renders
	a.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Reading b", First: first}})
	a.Receive(message.Reply{ID: id, Kind: message.Runs, Progress: &message.Progress{What: "Measuring", Done: 1, Total: 2}})
	if p := a.Compare.Progress; p.First != first || p.What != "Measuring" {
		t.Errorf("%+v", p)
	}
	if a.Changes != changes || r.renders != renders+2 {
		t.Error("progress is drawn, and is no change")
	}
	answer(t, a, r, report(t, 0))
	if a.Changes == changes {
		t.Error("an answer is a change")
	}
	if a.Compare.Progress != nil {
		t.Error("the first figures stay beside the report")
	}
}

func TestTooManyAndTooLargeFilesAreRefusedByName(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.Compare.Limit = 300e6
	var many []message.File
	for i := range MaxFiles + 2 {
		many = append(many, message.File{ID: i + 1, Name: "r" + string(rune('A'+i)), Size: 1})
	}
	a.AddFiles(many)
	if a.Problem == nil || !strings.Contains(a.Problem.Where, "r_, r`") || len(a.Compare.Setting.Files) != MaxFiles {
		t.Errorf("%+v, %d files", a.Problem, len(a.Compare.Setting.Files))
	}
	a.ClearRuns()
	n := len(r.sent)
	a.AddFiles([]message.File{{ID: 50, Name: "huge.run", Size: 301e6}})
	if a.Problem == nil || !strings.Contains(a.Problem.What, "300 MB") || !strings.Contains(a.Problem.Where, "huge.run") || len(r.sent) != n {
		t.Errorf("%+v", a.Problem)
	}
}

func TestCancelGoesBackToWhatWasCompared(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.AddFiles([]message.File{{ID: 3, Name: "big.run"}})
	a.CancelRuns()
	if got := r.setting(t); len(got.Files) != 2 {
		t.Errorf("%+v", got)
	}
	answer(t, a, r, report(t, 0))
	a.ClearRuns()
	a.AddFiles(some)
	a.CancelRuns()
	if len(a.Compare.Setting.Files) != 0 || a.Compare.Done != nil {
		t.Errorf("%+v", a.Compare.Setting)
	}
}

func TestSettingsAreUndoneAndDoneAgain(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.SetPolicy("ties", "docid-asc")
	a.SetPolicy("rel", "2")
	a.SetPolicy("rel", "x")
	if a.Compare.Setting.Policy != "ties=docid-asc rel=2" || a.Problem == nil {
		t.Fatalf("%q, %v", a.Compare.Setting.Policy, a.Problem)
	}
	answer(t, a, r, &message.Compared{Report: report(t, 0).Report, Measures: []string{"P@1", "RR"}, Policy: "ties=docid-asc rel=2"})
	a.Undo()
	if got := r.setting(t); got.Policy != "ties=docid-asc" || !got.Chosen {
		t.Errorf("%+v", got)
	}
	a.Undo()
	if got := r.setting(t); got.Policy != "" {
		t.Errorf("%+v", got)
	}
	a.Redo()
	if got := r.setting(t); got.Policy != "ties=docid-asc" {
		t.Errorf("%+v", got)
	}
	a.RemoveFile(2)
	a.Undo()
	if got := r.setting(t); len(got.Files) != 2 {
		t.Errorf("a file that was taken out does not come back: %+v", got)
	}
}

func TestMeasuresAreCheckedBeforeTheyAreAskedFor(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	n := len(r.sent)
	for _, bad := range []string{"", "nCDG@10", "P@-1"} {
		if a.WriteMeasures(bad); a.Compare.DraftErr == "" {
			t.Errorf("%q is no measure", bad)
		}
		a.UseMeasures()
	}
	if len(r.sent) != n {
		t.Error("a measure that is none was sent")
	}
	a.WriteMeasures("MAP, ndcg_cut.5")
	a.UseMeasures()
	if got := r.setting(t); !slices.Equal(got.Measures, []string{"AP", "nDCG@5"}) {
		t.Errorf("%v", got.Measures)
	}
}

func TestQueriesAreSortedAndFiltered(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	rows := func() string {
		s := ""
		for _, q := range a.Compare.Rows() {
			s += a.Compare.Report().Queries[q].ID + " "
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
	a.SortBy(SortChange)
	check("gains first", "q2 q1 q3 q4")
	a.SortBy(SortChange)
	check("losses first", "q4 q1 q3 q2")
	a.SortBy(SortQuery)
	check("by query", "q1 q2 q3 q4")
	a.SortBy(SortQuery)
	check("by query, from the end", "q4 q3 q2 q1")
	a.SortBy(SortA)
	check("lowest A first", "q2 q3 q1 q4")
	a.SortBy(SortQuery)
	a.SetFilter(FilterB)
	check("B better", "q2")
	a.SetFilter(FilterA)
	check("A better", "q4")
	a.SetOver(1)
	check("A better by more than 1", "")
	a.SetFilter(FilterChanged)
	check("changed", "q2 q4")
	a.SetFilter(FilterAll)
	a.FindQuery("Q3")
	check("found", "q3")
	a.FindQuery("")
	a.SetPair(0, 2)
	if ask := r.last(t, message.Reasons).Question.(*message.AskReasons); ask.B != 2 || len(ask.Queries) != 4 {
		t.Errorf("%+v", ask)
	}
	a.OpenQuery("q1")
	a.StepQuery(-1)
	if a.Compare.Open != "q4" || r.last(t, message.Query).Question.(*message.AskQuery).Query != "q4" {
		t.Errorf("open %s", a.Compare.Open)
	}
	a.SetPair(5, 0)
	a.SetColumn(9)
	if a.Compare.A != 0 || a.Compare.Column != 0 {
		t.Error("a run or measure that is not there was chosen")
	}
}

func TestALinkIsOpenedAndADamagedOneLeavesTheEmptyScreen(t *testing.T) {
	a, r := start(t, "/compare", "#runs=abc&x=00000000")
	if got := r.setting(t); got.Link != "runs=abc&x=00000000" || a.Screen != share.Compare {
		t.Fatalf("%+v", got)
	}
	a.Receive(message.Reply{ID: r.last(t, message.Runs).ID, Kind: message.Runs, Problem: &message.Problem{What: "This link could not be opened: it is damaged."}})
	if a.Problem == nil || !a.Compare.Empty() || r.address[len(r.address)-1] != "/compare" {
		t.Errorf("%+v, %v", a.Problem, r.address)
	}
	d := report(t, 0)
	a.Moved("/compare", "#"+d.Link, 1)
	answer(t, a, r, d)
	n := len(r.sent)
	a.Go(share.Search)
	a.Moved("/compare", "#"+d.Link, 1)
	if r.sent[len(r.sent)-1].Kind == message.Runs && len(r.sent) > n {
		t.Error("going back compares again")
	}
	a.CopyLink()
	if r.copied != "https://example.org/compare#"+d.Link {
		t.Errorf("copied %s", r.copied)
	}
	d.Link = ""
	a.SetPolicy("gain", "exponential")
	answer(t, a, r, d)
	a.CopyLink()
	if a.Problem == nil || !strings.Contains(a.Problem.What, "too large for a link") {
		t.Errorf("%+v", a.Problem)
	}
}

func TestAWorkerThatDiesOverFilesIsGivenThemOnceMore(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	a.Died("out of memory")
	if got := r.setting(t); len(got.Files) != 2 || r.restarts != 1 {
		t.Fatalf("%+v, %d restarts", got, r.restarts)
	}
	a.Died("out of memory")
	if !a.Compare.Empty() || a.Problem == nil || !strings.Contains(a.Problem.What, "stopped twice") {
		t.Errorf("%+v", a.Problem)
	}
}

func TestWhatIsExportedIsSavedUnderItsName(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.ExportRuns("csv")
	if slices.ContainsFunc(r.sent, func(m message.Request) bool { return m.Kind == message.Export }) {
		t.Error("an export without a report was asked for")
	}
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.ExportRuns("csv")
	a.Receive(message.Reply{ID: r.last(t, message.Export).ID, Kind: message.Export, Answer: &message.Saved{Name: "comparison.csv", Bytes: []byte("x")}})
	if !slices.Equal(r.saved, []string{"comparison.csv"}) || !strings.Contains(a.Notice, "comparison.csv") {
		t.Errorf("%v, %q", r.saved, a.Notice)
	}
	a.Paste(" \n")
	a.Paste("q1 Q0 d 1 1 t")
	if got := r.setting(t).Files; len(got) != 3 || got[2].Name != "pasted.txt" {
		t.Errorf("%+v", got)
	}
}

func TestAnExportCanBeCancelled(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.CancelExport()
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.ExportRuns("unjudged")
	asked := r.last(t, message.Export).ID
	a.Receive(message.Reply{ID: asked, Kind: message.Export, Progress: &message.Progress{What: "Looking", Done: 1, Total: 2}})
	if !a.Exporting() || a.Compare.Progress == nil {
		t.Fatal("nobody can see that a file is being made")
	}
	a.CancelExport()
	end := r.last(t, message.Export)
	if a.Exporting() || a.Compare.Progress != nil || end.ID == asked || end.Question.(*message.AskExport).What != "" || !strings.Contains(a.Notice, "Nothing was saved") {
		t.Errorf("%v, %+v, %q", a.Exporting(), end.Question, a.Notice)
	}
	a.Receive(message.Reply{ID: asked, Kind: message.Export, Answer: &message.Saved{Name: "unjudged.csv"}})
	a.Receive(message.Reply{ID: end.ID, Kind: message.Export})
	if len(r.saved) > 0 {
		t.Errorf("saved all the same: %v", r.saved)
	}
}

func TestRunsAreNamedAndTheNamesAreUndone(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.Name(7)
	a.KeepName()
	if len(r.setting(t).Names) != 0 {
		t.Error("a run that is not there got a name")
	}
	a.Name(2)
	if a.Compare.Naming != 3 || a.Compare.NewName != "c" || r.focus != "name-2" {
		t.Fatalf("%+v, focus %s", a.Compare, r.focus)
	}
	a.WriteName("  <b>our\nbest</b> " + strings.Repeat("x", 100))
	a.KeepName()
	want := message.Name{Origin: message.Origin{File: 3, Run: 1}, Name: "<b>our best</b> " + strings.Repeat("x", MaxName-16)}
	if got := r.setting(t).Names; len(got) != 1 || got[0] != want || r.focus != "rename-2" || a.Compare.Naming != 0 {
		t.Errorf("%+v, focus %s", got, r.focus)
	}
	answer(t, a, r, report(t, 0))
	a.Name(2)
	a.WriteName("another")
	a.LeaveName()
	n := len(r.sent)
	a.Name(2)
	a.KeepName() // what stands there
	if len(r.sent) != n {
		t.Error("a name that did not change was sent")
	}
	a.Undo()
	if got := r.setting(t).Names; len(got) != 0 {
		t.Errorf("not undone: %+v", got)
	}
	a.Redo()
	answer(t, a, r, report(t, 0))
	a.Compare.Done.Report.Systems[2].Label = want.Name
	a.Name(2)
	a.WriteName(" ")
	a.KeepName()
	if got := r.setting(t).Names; len(got) != 0 {
		t.Errorf("the name of the file does not come back: %+v", got)
	}
	a.Undo()
	answer(t, a, r, report(t, 0))
	a.RemoveFile(3)
	if got := r.setting(t).Names; len(got) != 0 {
		t.Errorf("the name stays though its file is gone: %+v", got)
	}
}

func TestWhatIsLookedAtIsUndoneToo(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	first := a.Compare.View
	pushes := r.pushes
	for name, c := range map[string]struct {
		do     func()
		pushes int
	}{
		"the measure":       {func() { a.SetColumn(1) }, 1},
		"the pair":          {func() { a.SetPair(0, 2) }, 1},
		"the order":         {func() { a.SortBy(SortQuery) }, 0},
		"the filter":        {func() { a.SetFilter(FilterChanged) }, 0},
		"the least change":  {func() { a.SetOver(0.5) }, 0},
		"the query":         {func() { a.OpenQuery("q3") }, 1},
		"words that narrow": {func() { a.FindQuery("q"); a.FindQuery("q4") }, 0},
		"queries in a row":  {func() { a.StepQuery(1); a.StepQuery(1); a.StepQuery(1) }, 1},
	} {
		if c.do(); a.Compare.View == first {
			t.Errorf("%s did not change", name)
		}
		changed := a.Compare.View
		if r.pushes-pushes != c.pushes {
			t.Errorf("%s: %d entries of the history, want %d", name, r.pushes-pushes, c.pushes)
		}
		if a.Undo(); a.Compare.View != first {
			t.Errorf("%s was not undone: %+v", name, a.Compare.View)
		}
		if a.Redo(); a.Compare.View != changed {
			t.Errorf("%s was not done again: %+v", name, a.Compare.View)
		}
		a.Undo()
		a.OpenQuery(first.Open) // ends a row of steps
		pushes = r.pushes
	}
	// a setting that is undone takes what was looked at along
	a.SetColumn(1)
	a.OpenQuery("q3")
	a.SetPolicy("ties", "docid-asc")
	answer(t, a, r, &message.Compared{Report: report(t, 0).Report, Measures: []string{"P@1", "RR"}, Policy: "ties=docid-asc", Origins: report(t, 0).Origins})
	if a.Compare.Open != "q3" || a.Compare.Column != 1 {
		t.Errorf("a policy changes what is looked at: %+v", a.Compare.View)
	}
	a.OpenQuery("q1")
	a.Undo()
	a.Undo()
	answer(t, a, r, report(t, 0))
	if a.Compare.Open != "q3" || a.Compare.Column != 1 {
		t.Errorf("%+v", a.Compare.View)
	}
}

func TestLinksHoldWhatIsLookedAt(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	d := report(t, 0)
	answer(t, a, r, d)
	if at := r.address[len(r.address)-1]; at != "/compare#"+d.Link {
		t.Errorf("nothing was chosen, and the address is %s", at)
	}
	a.SetColumn(1)
	a.SetPair(2, 1)
	a.SortBy(SortQuery)
	a.SetFilter(FilterChanged)
	a.OpenQuery("q4")
	want := a.Compare.View
	a.CopyLink()
	link := strings.TrimPrefix(r.copied, "https://example.org/compare")
	if r.address[len(r.address)-1] != "/compare"+link || !strings.HasPrefix(link, "#"+d.Link+"&measure=2&pair=3-2&") {
		t.Fatalf("copied %s", r.copied)
	}
	b, s := start(t, "/compare", link)
	if got := s.setting(t); got.Link != d.Link {
		t.Errorf("the worker was sent %s", got.Link)
	}
	answer(t, b, s, report(t, 0))
	if b.Compare.View != want {
		t.Errorf("%+v, want %+v", b.Compare.View, want)
	}
	if ask := s.last(t, message.Tests).Question.(*message.AskTests); ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
	// the address is edited by hand: the same runs are looked at, not compared again
	n := 0
	for _, m := range s.sent {
		if m.Kind == message.Runs {
			n++
		}
	}
	b.Moved("/compare", "#"+d.Link, 9)
	for _, m := range s.sent {
		if m.Kind == message.Runs {
			n--
		}
	}
	if n != 0 || b.Compare.Column != 0 || b.Compare.B != 1 {
		t.Errorf("%d, %+v", n, b.Compare.View)
	}
	// what a link asks for and the report does not have
	far, _ := compare.WithView(d.Link, compare.View{Column: 7, A: 1, B: 9, Sort: SortA, Page: 4, Open: "q99", Depth: 5000})
	x, y := start(t, "/compare", "#"+far)
	answer(t, x, y, report(t, 0))
	if v := x.Compare.View; v.Column != 0 || v.A != 0 || v.B != 1 || v.Sort != SortA || v.Page != 0 || v.Open == "q99" || v.Depth != 50 {
		t.Errorf("%+v", v)
	}
}

func TestASavedComparisonOpensAsItWasLookedAt(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some[1:])
	d := report(t, 0)
	v := compare.View{Column: 1, A: 2, B: 0, Sort: SortB, Over: 0.2, Open: "q3", Depth: 50}
	d.View = v.String()
	answer(t, a, r, d)
	if a.Compare.View != v {
		t.Errorf("%+v", a.Compare.View)
	}
	a.OpenQuery("q1")
	a.SetPolicy("gain", "exponential")
	answer(t, a, r, d)
	if a.Compare.Open != "q1" {
		t.Error("the file's view comes back after it was left")
	}
	a.ExportRuns("comparison")
	if ask := r.last(t, message.Export).Question.(*message.AskExport); ask.View != a.Compare.View.String() || ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
}

func TestBackAndForwardLeadThroughWhatWasCompared(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some) // entry 1
	d := report(t, 0)
	d.Link = "" // too large for one: nothing of it is in the address
	answer(t, a, r, d)
	a.SetPolicy("gain", "exponential") // entry 2
	again := *d
	again.Policy = "gain=exponential"
	answer(t, a, r, &again)
	a.OpenQuery("q3")  // entry 3
	a.Go(share.Search) // entry 4
	if a.entry != 4 || r.pushes != 4 {
		t.Fatalf("entry %d, %d pushes", a.entry, r.pushes)
	}
	a.Moved("/compare", "", 3)
	if a.Screen != share.Compare || a.Compare.Open != "q3" || a.Comparing() {
		t.Errorf("%+v", a.Compare.View)
	}
	a.Moved("/compare", "", 3) // told twice
	a.Moved("/compare", "", 2)
	if a.Compare.Open == "q3" || a.Comparing() {
		t.Errorf("%+v", a.Compare.View)
	}
	a.Moved("/compare", "", 1)
	if got := r.setting(t); got.Policy != "" || len(got.Files) != 2 || !a.Comparing() {
		t.Errorf("%+v", got)
	}
	answer(t, a, r, d)
	a.Moved("/compare", "", 0)
	if !a.Compare.Empty() || a.Compare.Done != nil {
		t.Errorf("%+v", a.Compare.Setting)
	}
	a.Moved("/compare", "", 3) // three forward at once
	answer(t, a, r, &again)
	if a.Compare.Setting.Policy != "gain=exponential" || a.Compare.Open != "q3" {
		t.Errorf("%+v, %+v", a.Compare.Setting, a.Compare.View)
	}
	a.OpenQuery("q1")
	if a.entry != 5 {
		t.Errorf("entry %d", a.entry)
	}
}

func TestTakingAFileOutKeepsBaselineAndPair(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(append(some, message.File{ID: 3, Name: "two.zip"}))
	answer(t, a, r, report(t, 2))
	a.SetRunBaseline(2)
	d := report(t, 2)
	answer(t, a, r, d)
	a.RemoveFile(2)
	if got := r.setting(t); got.Baseline != 1 {
		t.Errorf("baseline %d", got.Baseline)
	}
	a.Undo()
	a.RemoveFile(3)
	if got := r.setting(t); got.Baseline != 0 {
		t.Errorf("baseline %d", got.Baseline)
	}
}

func TestFurtherMeasuresAreTestedWhenTheyAreLookedAt(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	d := report(t, 0)
	answer(t, a, r, d)
	if x := a.Compare.Tested(); x == nil || len(x.Pairs) != 3 || x.Column != 0 {
		t.Fatalf("%+v", x)
	}
	a.SetColumn(1)
	if a.Compare.Tested() != nil {
		t.Error("the tests on another measure are shown")
	}
	x, err := d.Report.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Receive(message.Reply{ID: r.last(t, message.Tests).ID, Kind: message.Tests, Answer: x})
	if a.Compare.Tested() != x {
		t.Error("the tests do not arrive")
	}
	a.SetColumn(0)
	if x := a.Compare.Tested(); x == nil || x.Column != 0 {
		t.Errorf("%+v", x)
	}
}

func TestPicturesAreSavedOrTheProblemIsSaid(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.SavePicture("f.png", "<svg/>", 10, 10)
	if !slices.Equal(r.saved, []string{"f.png"}) || !strings.Contains(a.Notice, "f.png") {
		t.Errorf("%v, %q", r.saved, a.Notice)
	}
	a.SavePicture("g.png", "", 10, 10)
	if a.Problem == nil || a.Problem.Where != "g.png" {
		t.Errorf("%+v", a.Problem)
	}
}
