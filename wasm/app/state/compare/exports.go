package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
)

// ExportRuns saves a file: "latex", "csv-queries", "comparison", "snapshot", "fix 3" …
func (c *Compare) ExportRuns(what string) {
	if c.Report() != nil || strings.HasPrefix(what, "fix ") {
		ask := &message.AskExport{What: what, View: c.seen().String()}
		if r := c.Report(); r != nil {
			ask.Measure = r.Measures[c.Column]
		}
		c.App.Request(message.Export, ask)
	}
}

// Exporting reports whether a file is being made.
func (c *Compare) Exporting() bool {
	r, waiting := c.App.Asked(message.Export)
	return waiting && r.Question.(*message.AskExport).What != ""
}

// CancelExport lets the file be that is being made.
func (c *Compare) CancelExport() {
	if c.Exporting() {
		c.App.Request(message.Export, &message.AskExport{})
		c.Progress = nil
		c.App.Note("Cancelled. Nothing was saved.")
	}
}

// SavePicture saves a drawing as an image of twice its size in pixels.
func (c *Compare) SavePicture(name, svg string, width, height int) {
	c.App.Browser().Picture(name, svg, width, height, func(saved bool) {
		if saved {
			c.App.Note(name + " was saved.")
			return
		}
		c.App.Problem = &message.Problem{What: "The browser could not make an image of this figure.", Where: name, Do: "Save it as SVG instead; every program that takes PNG files takes those too, or turns them into one."}
		c.App.Draw()
	})
}

// SaveText saves a text that the page made.
func (c *Compare) SaveText(name, kind, text string) {
	c.App.Browser().Save(name, kind, []byte(text))
	c.App.Note(name + " was saved.")
}
