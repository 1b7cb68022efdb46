package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
)

// A figure that is looked into is part of the view: links hold it, the history goes back from it, undo takes it back.
func TestAClaimIsPartOfTheLink(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if f := c.Claim.Form(); f.Number != "" || f.Run != 0 || f.Measure != c.Runs.Report().Measures[0] {
		t.Errorf("the form begins with %+v", f)
	}
	pushes := r.Pushes
	c.Claim.Edit(func(f *Claimed) { f.Number = " 0.5 " })
	c.Claim.Edit(func(f *Claimed) { f.Run = 1 })
	c.Claim.Edit(func(f *Claimed) { f.Measure = "RR" })
	if c.View.Claim != "" || r.Pushes != pushes || count(r, message.Analyse) != 0 {
		t.Errorf("typing looks into %q", c.View.Claim)
	}
	c.Claim.Check()
	want := c.Runs.Report().Letter(1) + " RR 0.5"
	ask := r.Last(t, message.Analyse).Question.(*message.AskAnalyse)
	if ask.Claim != want || c.View.Claim != want || r.Pushes != pushes+1 {
		t.Errorf("asked for %q, want %q; %d entries of the history", ask.Claim, want, r.Pushes-pushes)
	}
	if f := c.Claim.Form(); f != (Claimed{Number: "0.5", Run: 1, Measure: "RR"}) {
		t.Errorf("the form has %+v", f)
	}
	v, err := packed.ReadView(c.View.String())
	if err != nil || v.Claim != want {
		t.Errorf("%+v, %v", v, err)
	}
	if c.App.Undo(); c.View.Claim != "" {
		t.Errorf("undo leaves %q", c.View.Claim)
	}
	c.Claim.Investigate("bm25 nDCG@10 0.665")
	if f := c.Claim.Form(); f.Number != "bm25 nDCG@10 0.665" {
		t.Errorf("a figure that says more is shown as %+v", f)
	}
}

// /check opens the tab once there is something to check.
func TestTheAddressOfTheTab(t *testing.T) {
	c, r := start(t, "/check", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if c.View.Tab != TabCheck {
		t.Errorf("tab %q", c.View.Tab)
	}
	c.View.ShowTab(TabBoard)
	c.AddFiles([]message.File{{ID: 3, Name: "b.run"}})
	answer(t, c, r, compared(t, 1))
	if c.View.Tab != TabBoard {
		t.Errorf("the next comparison opens %q", c.View.Tab)
	}
}

// Grades are files of their own: a run and its judgments. Judgments and words are not grades.
func TestGradesArePasted(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.Input.Paste("3 2 0 1 | relevant 5\n")
	names := func() (out []string) {
		for _, f := range c.Runs.Setting.Files {
			out = append(out, f.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"grades-1.qrels", "grades-1.run"}) {
		t.Fatalf("%q", got)
	}
	answer(t, c, r, compared(t, 0))
	if c.View.Tab != TabCheck {
		t.Errorf("tab %q", c.View.Tab)
	}
	for _, text := range []string{"1 0 2 1\n1 0 3 0\n", "q1 0 d1 1"} {
		c.Input.Paste(text)
		if got := names(); !strings.HasPrefix(got[len(got)-1], "pasted") {
			t.Errorf("%q is taken for grades: %q", text, got)
		}
	}
}

// What a printed number can show needs no files: it is checked as it is typed, once it is asked for.
func TestAPrintedNumberNeedsNoFiles(t *testing.T) {
	c, _ := start(t, "/check", "")
	c.Claim.Printed.Queries, c.Claim.Printed.Mean, c.Claim.Printed.Baseline = " 200 ", "0.713", ""
	if c.Claim.Printed.Asked != "" {
		t.Errorf("typing asks %q", c.Claim.Printed.Asked)
	}
	if c.Claim.CheckPrinted(); c.Claim.Printed.Asked != "200 0.713" {
		t.Errorf("asked %q", c.Claim.Printed.Asked)
	}
}
