package compare

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Exports is the files that the worker makes of a comparison, and how large they would be.
type Exports struct {
	app  *state.App
	runs *Runs
	view *View

	sizes   []int              // of the file and the page of a report, see message.Sizes
	sized   *report.Report     // whose sizes they are
	owed    *message.AskExport // the file that a worker was making when it ended
	retried message.Wanted     // the What of the last one that was asked for again
}

// Make saves a file of the report that is shown, by the name of a message.Wanted.
func (e *Exports) Make(name string) {
	if r := e.runs.Report(); r != nil {
		e.runs.wake()
		e.app.Engine.Request(message.Export, &message.AskExport{What: message.Wanted{Name: name},
			Measure: r.Measures[e.view.Column], View: e.view.seen().String()})
	}
}

// Repair saves a file that was dropped without what its warnings are about.
func (e *Exports) Repair(file int) {
	e.app.Engine.Request(message.Export, &message.AskExport{What: message.Wanted{Name: message.Repaired, File: file}})
}

// Exporting reports whether a file is being made.
func (e *Exports) Exporting() bool {
	r, waiting := e.app.Engine.Asked(message.Export)
	return waiting && r.Question.(*message.AskExport).What != (message.Wanted{})
}

// Cancel lets the file be that is being made.
func (e *Exports) Cancel() {
	if e.Exporting() {
		e.app.Engine.Request(message.Export, &message.AskExport{})
		e.runs.Progress = nil
		e.app.Notices.Say("Cancelled. Nothing was saved.")
	}
}

// SavePicture saves a drawing as an image of twice its size in pixels.
func (e *Exports) SavePicture(name, svg string, width, height int) {
	e.app.Browser.Picture(name, svg, width, height, func(saved bool) {
		if saved {
			e.app.Notices.Say(name + " was saved.")
			return
		}
		e.app.Notices.Problem = &message.Problem{What: "The browser could not make an image of this figure.",
			Where: name,
			Do:    "Save it as SVG instead."}
		e.app.View.Draw()
	})
}

// SaveText saves a text that the page made.
func (e *Exports) SaveText(name, kind, text string) {
	e.app.Browser.Save(name, kind, []byte(text))
	e.app.Notices.Say(name + " was saved.")
}

// made saves a file that the worker has made, or keeps how large files would be.
func (e *Exports) made(x *message.Saved) {
	if x.Name == message.Sizes {
		e.sizes, e.sized = x.Sizes, e.runs.Report()
		return
	}
	e.retried = message.Wanted{}
	e.app.Browser.Save(x.Name, x.Type, x.Bytes)
	e.app.Notices.Say(x.Name + " was saved (" + say.Bytes(int64(len(x.Bytes))) + ").")
}

// interrupted remembers the file that a worker was making when it ended, and gives it up the second time.
func (e *Exports) interrupted(reason string) {
	if !e.Exporting() {
		return
	}
	r, _ := e.app.Engine.Asked(message.Export)
	ask := r.Question.(*message.AskExport)
	if e.owed = ask; e.retried == ask.What {
		e.owed, e.retried = nil, message.Wanted{}
		e.app.Notices.Problem = &message.Problem{Where: "the exports",
			What: "The file was not made: the engine stopped twice (" + reason + ").",
			Do: "The comparison is still here. It may need more memory than this device has. " +
				"Use `rankbox compare` on the command line."}
	}
}

// resume asks again for the file that a worker was making when it ended.
func (e *Exports) resume() {
	if ask := e.owed; ask != nil {
		e.owed, e.retried = nil, ask.What
		e.app.Engine.Request(message.Export, ask)
	}
}

// size is how large a file of the report is, "" if that is not known.
func (e *Exports) size(file int) string {
	if e.sized == nil || e.sized != e.runs.Report() || file >= len(e.sizes) {
		return ""
	}
	return say.Bytes(int64(e.sizes[file])) + ", "
}
