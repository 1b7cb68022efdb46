package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/message"
)

func TestAPartShowsItsOwnSections(t *testing.T) {
	c := &Analyses{part: part{Compare: pairOf(&message.PairTests{}).Compare}, ID: "luck"}
	if c.On() || c.Label() != "Look into the luck" || len(c.Sections()) != 0 || c.Waiting() || c.Asks() {
		t.Error("it is open before anybody looked")
	}
	c.Compare.Looking = []string{analysis.Luck}
	if !c.On() || c.Label() != "Hide" || !c.Waiting() || !c.Asks() {
		t.Error("it does not wait")
	}
	c.Compare.Analysed = &message.Analysed{Parts: []string{analysis.Luck}, Problem: "no figure", Sections: []analysis.Section{{Name: "slices", Part: analysis.Slice}, {Name: "places", Part: analysis.Luck,
		Tables: []analysis.Table{{Columns: []string{"Run", "Place"}, Rows: [][]analysis.Cell{{analysis.Words("a"), analysis.Whole(1)}}}}}}}
	s := c.Sections()
	if len(s) != 1 || s[0].Name != "places" || c.Waiting() || c.Problem() != "" {
		t.Errorf("%+v", s)
	}
	if x := &s[0].Tables[0]; c.HeadClass(x, 0) != "words" || c.HeadClass(x, 1) != "" || c.Class(c.Rest(x.Rows[0])[0]) != "" {
		t.Error("numbers do not stand to the right")
	}
	if c.Compare.Claim = "x"; c.Problem() != "no figure" {
		t.Error("the problem is not said")
	}
}
