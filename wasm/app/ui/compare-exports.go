package ui

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// CompareExports are the files that can be saved.
type CompareExports struct {
	App *state.App
}

// All are the exports with their labels.
func (c *CompareExports) All() [][2]string {
	return [][2]string{{"latex", "LaTeX"}, {"md", "Markdown"}, {"csv", "CSV"}, {"csv-queries", "CSV by query"}, {"json-queries", "JSON"}, {"trec-queries", "TREC (trec_eval's lines)"}, {"text", "Text"}}
}

// Link is the fragment of the link, "" where the runs do not fit.
func (c *CompareExports) Link() string { return c.App.Compare.Done.Link }

// LinkLabel says how long the link is.
func (c *CompareExports) LinkLabel() string {
	return "Copy link (" + thousands(len(c.Link())) + " characters)"
}

// Note says what the link holds.
func (c *CompareExports) Note() string {
	d := c.App.Compare.Done
	if d.Link == "" {
		return "The runs are too large for a link, which may have " + thousands(compare.MaxLink) + " characters. The file opens in any Rankbox: drop it on the page."
	}
	s := "The link holds the rankings and the judgments themselves, after the #, which browsers send to no server"
	if d.Without != "" {
		s += "; it does without " + d.Without
	}
	return s + ". It opens on the same figures. The file opens in any Rankbox: drop it on the page."
}
