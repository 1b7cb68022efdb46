package compare

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/message"
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
	r := c.Compare.Runs.Report()
	if m := c.Compare.View.Column; m > 0 && len(r.Systems) > 1 {
		return " Pairs are tested on " + r.Measures[0] + " and on " + r.Measures[m] + ", the measure you chose."
	}
	return ""
}

// Linked says whether the runs fit into a link.
func (c *Exports) Linked() bool { return c.Compare.Links.Length() > 0 }

// LinkLabel says how long the link is.
func (c *Exports) LinkLabel() string {
	return "Copy link (" + say.Thousands(c.Compare.Links.Length()) + " characters)"
}

// given says whether the report is of given scores.
func (c *Exports) given() bool {
	_, given := c.Compare.Runs.Report().Given()
	return given
}

// FileLabel says what is saved as one file.
func (c *Exports) FileLabel() string {
	if c.given() {
		return "Save the report as one file"
	}
	return "Save runs and qrels as one file"
}

// Note says what the link holds.
func (c *Exports) Note() string {
	d := c.Compare.Runs.Done
	if c.given() {
		return c.ofScores()
	}
	if !c.Linked() {
		return c.Compare.Links.Unlinked() +
			" Closing the page forgets them. The file keeps runs, qrels and view: drop it on any Rankbox page."
	}
	s := "The link contains rankings and judgments"
	if d.Grades {
		s = "The link contains the grades of each ranking"
	}
	s += " after the #, which browsers keep in their history but send to no server"
	if d.Without != "" {
		s += ". It leaves out " + d.Without
	}
	s += ". Link and file open the same figures and view."
	switch d.Sent {
	case message.SentSame:
		s += " These figures have the hash that their link carries."
	case message.SentOther:
		s += " These figures do not have the hash that their link carries: another version of Rankbox computed them."
	}
	return s + " Closing the page forgets dropped files."
}

// ofScores says what link and file hold of given scores.
func (c *Exports) ofScores() string {
	d := c.Compare.Runs.Done
	holds := "The file keeps every score: drop it on any Rankbox page. Closing the page forgets dropped files."
	if !c.Linked() {
		return c.Compare.Links.Unlinked() + " " + holds
	}
	s := "The link contains every score after the #, which browsers keep in their history but send to no server. "
	switch d.Sent {
	case message.SentSame:
		s += "These figures have the hash that their link carries. "
	case message.SentOther:
		s += "These figures do not have the hash that their link carries: another version of Rankbox computed them. "
	}
	return s + holds
}
