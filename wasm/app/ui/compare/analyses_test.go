package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/message"
)

func TestAPartShowsItsOwnSections(t *testing.T) {
	c := &Analyses{part: part{Compare: pairOf(&message.PairTests{}).Compare}, ID: "luck"}
	if c.On() || c.Label() != "Analyse robustness" || len(c.Sections()) != 0 || c.Waiting() {
		t.Error("it is open before anybody looked")
	}
	c.Compare.Looking = []string{analysis.Luck}
	if !c.On() || c.Label() != "Hide" || !c.Waiting() {
		t.Error("it does not wait")
	}
	c.Compare.Analysed = &message.Analysed{Parts: []string{analysis.Luck}, Problem: "no figure", Sections: []analysis.Section{{Name: "slices", Part: analysis.Slice}, {Name: "places", Part: analysis.Luck,
		Tables: []analysis.Table{{Columns: []string{"Run", "Place"}, Rows: [][]analysis.Cell{{analysis.Words("a"), analysis.Whole(1)}}}}}, {Name: "detective", Part: analysis.Luck}}}
	s := c.Sections()
	claim := &Claim{part: c.part}
	if len(s) != 1 || s[0].Name != "places" || c.Waiting() || claim.Problem() != "" || claim.Section() != nil {
		t.Errorf("%+v", s)
	}
	if x, f := &s[0].Tables[0], (&Found{S: s[0], ID: "luck"}); f.HeadClass(x, 0) != "words" || f.HeadClass(x, 1) != "" || f.Class(f.Rest(x.Rows[0])[0]) != "" || f.Key() != "luck-places" {
		t.Error("numbers do not stand to the right")
	}
	if c.Compare.Claim = "x"; claim.Problem() != "no figure" || claim.Section() == nil || claim.Section().Name != "detective" {
		t.Error("the problem or the answer of a claim is not shown")
	}
}
