package compare

import (
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share/packed"
)

// Exports are the files that can be saved.
type Exports struct {
	part
}

// All are the exports with their labels.
func (c *Exports) All() [][2]string {
	var out [][2]string
	for _, f := range export.Formats() {
		out = append(out, f.Files()...)
	}
	return out
}

// Further says which tests the exports hold beside those of the first measure.
func (c *Exports) Further() string {
	r := c.Compare.Report()
	if m := c.Compare.Column; m > 0 && len(r.Systems) > 1 {
		return " The pairs are tested on " + r.Measures[0] + " and on " + r.Measures[m] + ", which is chosen above."
	}
	return ""
}

// Linked says whether the runs fit into a link.
func (c *Exports) Linked() bool { return c.Compare.LinkLength() > 0 }

// LinkLabel says how long the link is.
func (c *Exports) LinkLabel() string {
	return "Copy link (" + say.Thousands(c.Compare.LinkLength()) + " characters)"
}

// Note says what the link holds.
func (c *Exports) Note() string {
	d := c.Compare.Done
	if !c.Linked() {
		return "The runs are too large for a link, which may have " + say.Thousands(packed.MaxLink) + " characters, and they are gone when this page is closed or loaded again. The file keeps them, and what you are looking at: drop it on the page of any Rankbox."
	}
	s := "The link is made when you copy it; before that nothing of dropped files is in the address, and they are gone when this page is closed. It holds the rankings and the judgments themselves, after the #, which browsers send to no server but keep in their history"
	if d.Without != "" {
		s += "; it does without " + d.Without
	}
	return s + ". Link and file open on the same figures and on what you are looking at: measure, pair, order, filter and query. The file opens in any Rankbox: drop it on the page."
}
