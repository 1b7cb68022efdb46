package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

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
	answer(t, c, r, &message.Compared{Report: compared(t, 0).Report, Measures: []string{"P@1", "RR"},
		Policy: "ties=docid-asc", Origins: compared(t, 0).Origins})
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
	ask := r.Last(t, message.Export).Question.(*message.AskExport)
	if ask.View != c.View.String() || ask.Measure != "RR" {
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
	if c.App.Settings.Screen != share.Compare || c.View.Open != "q3" || c.Runs.Comparing() {
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
