package compare

import (
	"github.com/rankbox/rankbox/core/message"
)

// ExportRuns saves a file of the report that is shown, by the name of a message.Wanted.
func (c *Compare) ExportRuns(name string) {
	if r := c.Report(); r != nil {
		c.wake()
		c.App.Engine.Request(message.Export, &message.AskExport{What: message.Wanted{Name: name}, Measure: r.Measures[c.Column], View: c.seen().String()})
	}
}

// Repair saves a file that was dropped without what its warnings are about.
func (c *Compare) Repair(file int) {
	c.App.Engine.Request(message.Export, &message.AskExport{What: message.Wanted{Name: message.Repaired, File: file}})
}

// Exporting reports whether a file is being made.
func (c *Compare) Exporting() bool {
	r, waiting := c.App.Engine.Asked(message.Export)
	return waiting && r.Question.(*message.AskExport).What != (message.Wanted{})
}

// CancelExport lets the file be that is being made.
func (c *Compare) CancelExport() {
	if c.Exporting() {
		c.App.Engine.Request(message.Export, &message.AskExport{})
		c.Progress = nil
		c.App.Notices.Say("Cancelled. Nothing was saved.")
	}
}

// SavePicture saves a drawing as an image of twice its size in pixels.
func (c *Compare) SavePicture(name, svg string, width, height int) {
	c.App.Browser.Picture(name, svg, width, height, func(saved bool) {
		if saved {
			c.App.Notices.Say(name + " was saved.")
			return
		}
		c.App.Notices.Problem = &message.Problem{What: "The browser could not make an image of this figure.", Where: name, Do: "Save it as SVG instead."}
		c.App.View.Draw()
	})
}

// SaveText saves a text that the page made.
func (c *Compare) SaveText(name, kind, text string) {
	c.App.Browser.Save(name, kind, []byte(text))
	c.App.Notices.Say(name + " was saved.")
}
