package judge

import (
	"testing"

	"github.com/rankbox/rankbox/core/project/workspace"
)

func TestAdjudicationIsBlindAndWins(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, read1("Ada", 1, 2, 3), read1("llm", 3, 2, 2))
	want := []workspace.Dispute{{Query: "q1", Document: "a", Spread: 2}, {Query: "q1", Document: "c", Spread: 1}}
	got := j.Adjudication.Disputes()
	if len(got) != 2 || got[0].Document != want[0].Document || got[0].Spread != 2 || got[1].Document != "c" {
		t.Fatalf("%+v", got)
	}
	j.Adjudication.Next()
	found(t, j, &b.Recorder)
	if pool(j) != "ac" || j.App.Settings.Focus.Document != "a" || j.Adjudication.Reveal() != "" {
		t.Fatalf("pool %q, open %q, %q", pool(j), j.App.Settings.Focus.Document, j.Adjudication.Reveal())
	}
	j.Grading.Give(0)
	if j.App.Settings.Focus.Document != "a" || j.Adjudication.Reveal() != "Ada 1, llm 3" {
		t.Errorf("open %q, %q", j.App.Settings.Focus.Document, j.Adjudication.Reveal())
	}
	if grades(j) != "" {
		t.Errorf("your layer has %s", grades(j))
	}
	j.Adjudication.Next()
	if j.App.Settings.Focus.Document != "c" || j.Adjudication.Reveal() != "" {
		t.Errorf("open %q, %q", j.App.Settings.Focus.Document, j.Adjudication.Reveal())
	}
	j.Adjudication.ShowGrades()
	if j.Adjudication.Reveal() != "Ada 3, llm 2" {
		t.Errorf("%q", j.Adjudication.Reveal())
	}
	j.Adjudication.Next() // a is decided and c open: nothing else is left
	if j.Adjudication.On || j.App.Settings.Spec.QueryID != "" {
		t.Errorf("still at %q", j.App.Settings.Spec.QueryID)
	}
	if got := resolved(t, b); got != "a0 b2 c3" {
		t.Errorf("the worker has %s", got)
	}
	j.Layers.SetRule(workspace.Highest)
	if got := resolved(t, b); got != "a0 b2 c3" {
		t.Errorf("by the highest: %s", got)
	}
}
