package state

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// The oracle is package time: the day before the first of the next month.
func TestMonthsEndOnTheirLastDay(t *testing.T) {
	for year := 1895; year < 2105; year++ {
		for month := time.January; month <= time.December; month++ {
			first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
			if got, want := lastDay(first.Format("2006-01")), first.AddDate(0, 1, -1).Format("02"); got != want {
				t.Errorf("%s ends on %s, want %s", first.Format("2006-01"), got, want)
			}
		}
	}
	for _, typed := range []string{"", "2024", "2024-2", "24-02-01"} {
		if got := lastDay(typed); got != "31" {
			t.Errorf("%q ends on %s", typed, got)
		}
	}
}

// A report fits while its collection, systems and baseline are those of the settings.
func TestAReportFitsTheSettingsItIsOf(t *testing.T) {
	made := func() *report.Report {
		return &report.Report{Systems: []report.System{{Notation: "bm25"}, {Notation: "dense"}}, Collection: opened.Ref,
			Columns: []report.Column{{Means: []float64{.25, .5}}}}
	}
	for name, x := range map[string]struct {
		change func(a *App, r *report.Report)
		stale  bool
	}{
		"as it is":           {func(a *App, r *report.Report) {}, false},
		"another collection": {func(a *App, r *report.Report) { r.Collection.Hash = "other" }, true},
		"a system more":      {func(a *App, r *report.Report) { r.Systems = append(r.Systems, report.System{}) }, true},
		"a system less":      {func(a *App, r *report.Report) { r.Systems = r.Systems[:1] }, true},
		"another system":     {func(a *App, r *report.Report) { r.Systems[1].Notation = "bm25(k1=1)" }, true},
		"another baseline":   {func(a *App, r *report.Report) { r.Baseline = 1 }, true},
		"no report":          {func(a *App, r *report.Report) { a.Figures.Report = nil }, true},
		"no collection yet":  {func(a *App, r *report.Report) { a.Engine.Opened, r.Baseline = nil, 1 }, false},
	} {
		a, _ := with(t, "bm25", "dense")
		r := made()
		a.Figures.Report = r
		x.change(a, r)
		if a.Figures.Stale() != x.stale {
			t.Errorf("%s: stale is %v", name, !x.stale)
		}
		if m, ok := a.Sliders.Mean(1); ok == x.stale || ok && m != .5 {
			t.Errorf("%s: the mean is %v, %v", name, m, ok)
		}
		if _, ok := a.Sliders.Mean(2); ok && name != "a system more" {
			t.Errorf("%s: a third system has a mean", name)
		}
	}
}

// What backends cost is spent once, when somebody asks for it. A list that was missing may be there afterwards.
func TestMeasuringAllSpendsOnce(t *testing.T) {
	a, last := with(t, "bm25", "dense")
	a.Search.Pick("q1")
	a.Search.Results = &experiment.Results{}
	spend := func() int { return last(message.Evaluate).Question.(*experiment.Spec).Spend }
	if spend() != 0 {
		t.Errorf("the first evaluation may spend %d", spend())
	}
	a.Figures.MeasureAll()
	paid := last(message.Evaluate)
	if spend() != -1 {
		t.Errorf("all are measured for %d", spend())
	}
	before := last(message.Search).ID
	a.Receive(message.Reply{ID: paid.ID, Kind: message.Evaluate, Answer: &report.Report{}})
	after := last(message.Search).ID
	if after == before {
		t.Error("the lists are not asked for again")
	}
	a.Figures.ask()
	free := last(message.Evaluate)
	a.Receive(message.Reply{ID: free.ID, Kind: message.Evaluate, Answer: &report.Report{}})
	if spend() != 0 || last(message.Search).ID != after {
		t.Errorf("the next evaluation may spend %d", spend())
	}
}

func TestKnobsKnowTheirDefaults(t *testing.T) {
	a, _ := with(t, "bm25(k1=2)", "bm25", "dense")
	k := knob(t, a, "k1")
	for system, want := range []bool{false, true, true} {
		if a.Sliders.Untouched(k, system) != want {
			t.Errorf("system %d is untouched: %v", system, !want)
		}
	}
	if len(k.Handles) != 2 || k.Handles[0].Value != 2 || a.Sliders.Together(k) {
		t.Errorf("%+v", k.Handles)
	}
	if _, ok := setting(nil, "bm25", "k1"); ok {
		t.Error("a system that cannot be read has a k1")
	}
	before := a.Settings.Systems()
	a.Sliders.Slide(k, 2, 1) // it has no such handle
	a.Sliders.Slide(k, 0, 2) // where it stands
	if got := a.Settings.Systems(); !slices.Equal(got, before) || a.Sliders.Held != nil {
		t.Errorf("%q", got)
	}
}

func TestExplanationsOpenAndClose(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	at := experiment.Focus{Document: "d1", System: 1}
	for _, want := range []experiment.Focus{at, {}, at} {
		if a.Search.Select(1, "d1"); a.Settings.Focus != want {
			t.Errorf("%+v, want %+v", a.Settings.Focus, want)
		}
	}
	if a.Search.Select(0, "d1"); a.Settings.Focus.System != 0 || a.Settings.Focus.Document != "d1" {
		t.Errorf("%+v", a.Settings.Focus)
	}
	if a.Search.Close(); a.Settings.Focus != (experiment.Focus{}) {
		t.Errorf("%+v", a.Settings.Focus)
	}
	for _, want := range []int{1, 0} {
		if a.Search.Unfold(0); a.Search.Unfolded != want {
			t.Errorf("system %d is unfolded, want %d", a.Search.Unfolded, want)
		}
	}
	a.Search.Unfold(1)
	if a.Search.Close(); a.Search.Unfolded != 0 {
		t.Errorf("system %d stays unfolded", a.Search.Unfolded)
	}
	a.Search.SetDepth(20)
	if a.Settings.Spec.Depth != 20 || a.Settings.Depth() != 20 {
		t.Errorf("depth %d", a.Settings.Depth())
	}
	if a.Search.SetDepth(DefaultDepth); a.Settings.Spec.Depth != 0 || a.Settings.Depth() != DefaultDepth {
		t.Errorf("depth %d", a.Settings.Spec.Depth)
	}
	a.Search.Visit(at)
	if a.Settings.Focus != at || a.Settings.Screen != share.Search {
		t.Errorf("%+v", a.Settings.Address)
	}
}

func TestSteppingBackFromNoQueryGoesToTheLast(t *testing.T) {
	a, _ := start(t, "/search", "")
	if a.Search.Step(-1); a.Settings.Spec.QueryID != "q2" {
		t.Errorf("%q", a.Settings.Spec.QueryID)
	}
	a.Search.Pick("")
	if a.Search.Step(1); a.Settings.Spec.QueryID != "q1" {
		t.Errorf("%q", a.Settings.Spec.QueryID)
	}
	a.Engine.Opened = &message.Opened{}
	if a.Search.Step(1); a.Settings.Spec.QueryID != "q1" {
		t.Errorf("%q of no queries", a.Settings.Spec.QueryID)
	}
}

// A program that cannot be fetched fails the worker only if it is the worker that needs it.
func TestAMissingProgramFailsOnlyWhoNeedsIt(t *testing.T) {
	for name, x := range map[string]struct {
		before func(a *App)
		failed bool
	}{
		"the worker needs it": {func(a *App) {}, true},
		"the editor needs it": {func(a *App) { a.Editor.Edit(0) }, false},
		"a screen needs it":   {func(a *App) { a.Go(share.Compare) }, false},
	} {
		a, _ := start(t, "/search", "")
		x.before(a)
		a.NotLoaded("offline")
		if (a.Engine.Phase == Failed) != x.failed || a.Notices.Problem == nil || a.Programs.Fetching != nil {
			t.Errorf("%s: phase %d, %+v", name, a.Engine.Phase, a.Notices.Problem)
		}
	}
}

// A report of the page that it came with may hold fewer systems than the settings.
func TestASystemThatAReportLacksHasNoFigure(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	a.Figures.Report = &report.Report{Systems: []report.System{{Why: "not asked"}},
		Columns: []report.Column{{Means: []float64{1}}}}
	a.Engine.Opened = nil
	if _, ok := a.Sliders.Mean(1); ok || a.Figures.Doubt(1) != "" || a.Figures.Doubt(0) != "not asked" {
		t.Errorf("%v, %q", ok, a.Figures.Doubt(1))
	}
	a.Figures.Report.Columns = nil
	if _, ok := a.Sliders.Mean(0); ok {
		t.Error("a report without a measure has a mean")
	}
}

// A link to another version of the collection says so.
func TestALinkToAnotherVersionSaysSo(t *testing.T) {
	for hash, says := range map[string]bool{"": false, opened.Ref.Hash[:8]: false, "cdcdcdcd": true} {
		a, _ := start(t, "/search", "")
		a.Settings.Spec.Hash, a.Notices.Text = hash, ""
		if a.opened(opened); strings.Contains(a.Notices.Text, "another version of Wire (cdcdcdcd)") != says {
			t.Errorf("%q: %q", hash, a.Notices.Text)
		}
	}
}

// Pushed entries count from 1. Hearing the same address twice changes nothing; hearing another clears the problem.
func TestAnEntryOfTheHistoryComesBack(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q1")
	a.Search.Pick("q2")
	at := r.Addresses[len(r.Addresses)-1]
	a.Moved("/search", "", 1)
	if a.Settings.Spec.QueryID != "q1" {
		t.Fatalf("the first entry has query %q", a.Settings.Spec.QueryID)
	}
	stands := &message.Problem{What: "something"}
	a.Notices.Problem = stands
	if a.Moved("/search", "", 1); a.Notices.Problem != stands {
		t.Error("the same address told twice takes the problem away")
	}
	if a.Moved("/", "", 1); a.Notices.Problem != nil {
		t.Error("the same entry by another path leaves the problem")
	}
	a.Notices.Problem = stands
	if a.Moved("/search", "", 2); a.Notices.Problem != nil || a.Settings.Spec.QueryID != "q2" {
		t.Errorf("the second entry: %v, query %q", a.Notices.Problem, a.Settings.Spec.QueryID)
	}
	_, fragment, _ := strings.Cut(at, "#")
	before := len(r.Addresses)
	if a.Moved("/search", "#"+fragment, 7); len(r.Addresses) != before || a.Settings.Spec.QueryID != "q2" {
		t.Errorf("a good address is written again: %q", r.Addresses[before:])
	}
	if a.Moved("/search", "#v=1&nothing=1&x=00000000", 8); len(r.Addresses) != before+1 || a.Notices.Problem == nil {
		t.Errorf("a bad one is not replaced: %q", r.Addresses[before:])
	}
}

// Another baseline compares anew, another query does not. Undo closes the editor.
func TestUndoComparesAnewWhereTheBaselineChanges(t *testing.T) {
	a, r := start(t, "/search", "")
	asked := func() (n int) {
		r.Pass()
		for _, m := range r.Sent {
			if m.Kind == message.Evaluate {
				n++
			}
		}
		return n
	}
	before := asked()
	if a.Search.Pick("q1"); asked() != before {
		t.Error("a query compares anew")
	}
	if a.Editor.SetBaseline(1); asked() != before+1 {
		t.Error("a baseline does not")
	}
	a.Editor.Edit(0)
	if a.Undo(); asked() != before+2 || a.Settings.Spec.Baseline != 0 || a.Editor.Editing != -1 {
		t.Errorf("%d, baseline %d, editing %d", asked()-before, a.Settings.Spec.Baseline, a.Editor.Editing)
	}
}

// What was being fetched is forgotten once a collection is open, unless the page waits to go elsewhere.
func TestAnOpenCollectionEndsTheFetching(t *testing.T) {
	for _, waits := range []bool{false, true} {
		a, r := start(t, "/search", "")
		a.Programs.Fetching = &message.Progress{What: "Loading"}
		if waits {
			a.Programs.away.Path = "/evaluate"
		}
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		if (a.Programs.Fetching != nil) != waits {
			t.Errorf("waits %v: %+v", waits, a.Programs.Fetching)
		}
	}
}

// Queries that were added have no vectors: once the encoder is there, their lists and figures are asked for.
func TestTheEncoderAnswersQueriesWithoutVectors(t *testing.T) {
	for name, c := range map[string]struct {
		encoded            []bool
		models             []string
		searches, measures int
	}{
		"all have vectors":             {[]bool{true, true}, []string{"minilm"}, 0, 0},
		"one has none":                 {[]bool{true, false}, []string{"minilm"}, 1, 1},
		"one has none, nor a document": {[]bool{true, false}, nil, 1, 0},
	} {
		a, r := start(t, "/search", "")
		a.Search.Pick("q1")
		r.Pass()
		o := *opened
		o.Encoded, o.Models = c.encoded, c.models
		a.Engine.Opened = &o
		r.Sent = nil
		a.Encoder.encoded(true, nil)
		r.Pass()
		count := map[message.Kind]int{}
		for _, m := range r.Sent {
			count[m.Kind]++
		}
		if count[message.Search] != c.searches || count[message.Evaluate] != c.measures {
			t.Errorf("%s: %v", name, count)
		}
	}
}

// Only an upload without vectors needs the program that can encode documents.
func TestAnUploadWithoutVectorsIsReadByTheProgramThatEncodes(t *testing.T) {
	for _, c := range []struct {
		id     string
		models []string
		swaps  int
	}{{"upload-0123456789abcdef", nil, 1}, {"upload-0123456789abcdef", []string{"minilm"}, 0},
		{DefaultCollection, nil, 0}} {
		a, r := start(t, "/search", "")
		o := *opened
		o.Ref.ID, o.Models = c.id, c.models
		if a.Workspace.open(&o); r.Swaps != c.swaps {
			t.Errorf("%+v: %d", c, r.Swaps)
		}
	}
}
