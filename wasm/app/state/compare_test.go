package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
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
	return &message.Compared{Report: rep, Measures: rep.Measures, Baseline: baseline, Link: link}
}

var some = []message.File{{ID: 1, Name: "t.qrels", Size: 10}, {ID: 2, Name: "a.run", Size: 20}}

// answer gives the worker's answer to the last request for a comparison.
func answer(t *testing.T, a *App, r *recorder, d *message.Compared) {
	t.Helper()
	a.Receive(message.Reply{ID: r.last(t, message.Runs).ID, Kind: message.Runs, Compared: d})
}

func TestFilesGoToTheWorkerWholeEachTimeAndOpenTheScreen(t *testing.T) {
	a, r := start(t, "/", "")
	a.AddFiles(some)
	if a.Spec.Screen != experiment.Compare || r.address[len(r.address)-1] != "/compare" {
		t.Fatalf("screen %q, address %v", a.Spec.Screen, r.address)
	}
	a.AddFiles([]message.File{{ID: 3, Name: "b.run", Size: 5}})
	got := r.last(t, message.Runs)
	if len(got.Setting.Files) != 3 || got.Setting.Limit != DefaultLimit {
		t.Errorf("%+v", got.Setting)
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
	for _, kind := range []message.Kind{message.Reasons, message.Query, message.Opinions} {
		if x := r.last(t, kind); x.Ask == nil || x.Ask.Measure != "P@1" {
			t.Errorf("kind %d: %+v", kind, x.Ask)
		}
	}
}

func TestAnOlderComparisonIsDropped(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	old := r.last(t, message.Runs)
	a.AddFiles([]message.File{{ID: 3, Name: "b.run"}})
	a.Receive(message.Reply{ID: old.ID, Kind: message.Runs, Compared: report(t, 1)})
	if a.Compare.Done != nil || !a.Comparing() {
		t.Error("an older answer was taken")
	}
}

func TestTooManyAndTooLargeFilesAreRefusedByName(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.Compare.Limit = 300e6
	var many []message.File
	for i := range 22 {
		many = append(many, message.File{ID: i + 1, Name: "r" + string(rune('a'+i)), Size: 1})
	}
	a.AddFiles(many)
	if a.Problem == nil || !strings.Contains(a.Problem.Where, "ru, rv") || len(a.Compare.Setting.Files) != MaxFiles {
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
	if got := r.last(t, message.Runs); len(got.Setting.Files) != 2 {
		t.Errorf("%+v", got.Setting)
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
	if got := r.last(t, message.Runs).Setting; got.Policy != "ties=docid-asc" || !got.Chosen {
		t.Errorf("%+v", got)
	}
	a.Undo()
	if got := r.last(t, message.Runs).Setting; got.Policy != "" {
		t.Errorf("%+v", got)
	}
	a.Redo()
	if got := r.last(t, message.Runs).Setting; got.Policy != "ties=docid-asc" {
		t.Errorf("%+v", got)
	}
	a.RemoveFile(2)
	a.Undo()
	if got := r.last(t, message.Runs).Setting; len(got.Files) != 2 {
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
	if got := r.last(t, message.Runs).Setting; !slices.Equal(got.Measures, []string{"AP", "nDCG@5"}) {
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
	if ask := r.last(t, message.Reasons).Ask; ask.B != 2 || len(ask.Queries) != 4 {
		t.Errorf("%+v", ask)
	}
	a.OpenQuery("q1")
	a.StepQuery(-1)
	if a.Compare.Open != "q4" || r.last(t, message.Query).Ask.Queries[0] != "q4" {
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
	if got := r.last(t, message.Runs).Setting; got.Link != "runs=abc&x=00000000" || a.Spec.Screen != experiment.Compare {
		t.Fatalf("%+v", got)
	}
	a.Receive(message.Reply{ID: r.last(t, message.Runs).ID, Kind: message.Runs, Problem: &message.Problem{What: "This link could not be opened: it is damaged."}})
	if a.Problem == nil || !a.Compare.Empty() || r.address[len(r.address)-1] != "/compare" {
		t.Errorf("%+v, %v", a.Problem, r.address)
	}
	d := report(t, 0)
	a.Address("/compare", "#"+d.Link)
	answer(t, a, r, d)
	n := len(r.sent)
	a.Go(experiment.Search)
	a.Address("/compare", "#"+d.Link)
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
	if got := r.last(t, message.Runs).Setting; len(got.Files) != 2 || r.restarts != 1 {
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
	a.Receive(message.Reply{ID: r.last(t, message.Export).ID, Kind: message.Export, Answer: &message.Answer{Name: "comparison.csv", Bytes: []byte("x")}})
	if !slices.Equal(r.saved, []string{"comparison.csv"}) || !strings.Contains(a.Notice, "comparison.csv") {
		t.Errorf("%v, %q", r.saved, a.Notice)
	}
	a.Paste(" \n")
	a.Paste("q1 Q0 d 1 1 t")
	if got := r.last(t, message.Runs).Setting.Files; len(got) != 3 || got[2].Name != "pasted.txt" {
		t.Errorf("%+v", got)
	}
}

func TestSizesAreWrittenForPeople(t *testing.T) {
	for n, want := range map[int]string{12: "12 bytes", 2500: "2 kB", 300e6: "300 MB", 1 << 30: "1 GiB", 1_234_567: "1.23 MB", 5e9: "5.0 GB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
