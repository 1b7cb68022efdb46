package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/message"
)

func TestAPartShowsItsOwnSections(t *testing.T) {
	c := &Analyses{part: part{Compare: pairOf(&message.PairTests{}).Compare}, ID: "luck"}
	if c.On() || c.Label() != "Analyse robustness" || len(c.Sections()) != 0 || c.Waiting() {
		t.Error("it is open before anybody looked")
	}
	c.Compare.Analyses.Parts = []string{analysis.Luck}
	if !c.On() || c.Label() != "Hide" || !c.Waiting() {
		t.Error("it does not wait")
	}
	c.Compare.Analyses.Done = &message.Analysed{Parts: []string{analysis.Luck}, Problem: "no figure",
		Sections: []analysis.Section{{Name: "slices", Part: analysis.Slice}, {Name: "places", Part: analysis.Luck,
			Tables: []analysis.Table{{Columns: []string{"Run", "Place"},
				Rows: [][]analysis.Cell{{analysis.Words("a"), analysis.Whole(1)}}}}},
			{Name: "detective", Part: analysis.Luck}}}
	s := c.Sections()
	claim := &Claim{part: c.part}
	if len(s) != 1 || s[0].Name != "places" || c.Waiting() || claim.Problem() != "" || claim.Section() != nil {
		t.Errorf("%+v", s)
	}
	if x, f := &s[0].Tables[0], (&Found{S: s[0], ID: "luck"}); f.HeadClass(x, 0) != "words" ||
		f.HeadClass(x, 1) != "" || f.Class(f.Rest(x.Rows[0])[0]) != "" || f.Key() != "luck-places" {
		t.Error("numbers do not stand to the right")
	}
	if c.Compare.View.Claim = "x"; claim.Problem() != "no figure" || claim.Section() == nil ||
		claim.Section().Name != "detective" {
		t.Error("the problem or the answer of a claim is not shown")
	}
}

// The tools that print the figure are marked; Rankbox has no difference to itself.
func TestTheToolThatPrintsTheFigureIsMarked(t *testing.T) {
	c := &Claim{part: part{Compare: pairOf(&message.PairTests{}).Compare}}
	if c.X() != nil || c.Waiting() {
		t.Error("an answer without a question")
	}
	c.Compare.View.Claim = "A AP 0.5"
	ours := analysis.ToolFigure{Tool: "Rankbox", As: "P@1", Value: 0.25}
	theirs := analysis.ToolFigure{Tool: "Haystack 2", Version: "2", As: "x", Value: 0.5, Difference: 0.25, Fits: true}
	c.Compare.Analyses.Done = &message.Analysed{Checked: &analysis.Checked{Tools: []analysis.ToolFigure{ours, theirs},
		Changed: []analysis.ChangedQuery{{Query: "q"}, {Query: "r"}}}}
	if c.X() == nil || c.Row(ours) != "" || c.Row(theirs) != "picked" || c.Value(theirs) != "best" ||
		c.Value(ours) != "" {
		t.Error("the row is not marked")
	}
	if c.Difference(ours) != "" || c.Difference(theirs) != "+0.2500" || c.DifferenceClass(ours) != "muted" ||
		c.DifferenceClass(theirs) != "" {
		t.Errorf("%q, %q", c.Difference(ours), c.Difference(theirs))
	}
	if c.To(ours) != "/measures#P" || c.To(theirs) != "/measures#as-Haystack-2" {
		t.Errorf("%s, %s", c.To(ours), c.To(theirs))
	}
	if c.ShowLabel() != "Show the 2 queries" || c.Expanded() != "false" {
		t.Error(c.ShowLabel())
	}
	if c.Compare.Claim.Changed = true; c.ShowLabel() != "Hide the 2 queries" || c.Expanded() != "true" {
		t.Error(c.ShowLabel())
	}
	if m := c.Measures(); len(m) != len(c.Compare.Runs.Report().Measures) {
		t.Errorf("%q", m)
	}
	r := c.Compare.Runs.Report()
	r.Letters = []int{0, 1}
	c.Compare.View.Claim = r.Letter(1) + " nDCG@77 0.5"
	if m := c.Measures(); m[len(m)-1] != "nDCG@77" {
		t.Errorf("%q: the measure of a link is missing", m)
	}
}
