package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
)

// ExportRuns saves a file of the report that is shown, by the name of a message.Wanted.
func (c *Compare) ExportRuns(name string) {
	if r := c.Runs.Report(); r != nil {
		c.Runs.wake()
		c.App.Request(message.Export, &message.AskExport{What: message.Wanted{Name: name}, Measure: r.Measures[c.View.Column], View: c.View.seen().String()})
	}
}

// Repair saves a file that was dropped without what its warnings are about.
func (c *Compare) Repair(file int) {
	c.App.Request(message.Export, &message.AskExport{What: message.Wanted{Name: message.Repaired, File: file}})
}

// Exporting reports whether a file is being made.
func (c *Compare) Exporting() bool {
	r, waiting := c.App.Asked(message.Export)
	return waiting && r.Question.(*message.AskExport).What != (message.Wanted{})
}

// CancelExport lets the file be that is being made.
func (c *Compare) CancelExport() {
	if c.Exporting() {
		c.App.Request(message.Export, &message.AskExport{})
		c.Runs.Progress = nil
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
		c.App.Problem = &message.Problem{What: "The browser could not make an image of this figure.", Where: name, Do: "Save it as SVG instead."}
		c.App.Draw()
	})
}

// SaveText saves a text that the page made.
func (c *Compare) SaveText(name, kind, text string) {
	c.App.Browser().Save(name, kind, []byte(text))
	c.App.Note(name + " was saved.")
}

// made saves a file that the worker has made, or keeps how large files would be.
func (c *Compare) made(x *message.Saved) {
	if x.Name == message.Sizes {
		c.sizes, c.sized = x.Sizes, c.Runs.Report()
		return
	}
	c.retried = message.Wanted{}
	c.App.Browser().Save(x.Name, x.Type, x.Bytes)
	c.App.Note(x.Name + " was saved (" + say.Bytes(int64(len(x.Bytes))) + ").")
}

// interrupted remembers the file that a worker was making when it ended, and gives it up the second time.
func (c *Compare) interrupted(reason string) {
	if !c.Exporting() {
		return
	}
	r, _ := c.App.Asked(message.Export)
	ask := r.Question.(*message.AskExport)
	if c.owed = ask; c.retried == ask.What {
		c.owed, c.retried = nil, message.Wanted{}
		c.App.Problem = &message.Problem{What: "The file was not made: the engine stopped twice (" + reason + ").", Where: "the exports",
			Do: "The comparison is still here. It may need more memory than this device has. Use `rankbox compare` on the command line."}
	}
}

// resume asks again for the file that a worker was making when it ended.
func (c *Compare) resume() {
	if ask := c.owed; ask != nil {
		c.owed, c.retried = nil, ask.What
		c.App.Request(message.Export, ask)
	}
}
