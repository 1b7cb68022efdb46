package state

import (
	"slices"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
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
