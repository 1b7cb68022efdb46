package upload

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Making is the collection that is being made, and the one that was made last.
type Making struct {
	Made     *message.Uploaded // the last one
	Progress *message.Progress // of the files that are being read, nil for none

	app    *state.App
	asked  *message.AskUpload // the collection that is being made, nil for none
	deaths int                // of workers over the files
}

// Busy says whether files are being read.
func (m *Making) Busy() bool { return m.asked != nil }

// begin has the worker make a collection.
func (m *Making) begin(ask *message.AskUpload) {
	m.asked, m.deaths = ask, 0
	m.Made, m.Progress = nil, &message.Progress{What: "Reading"}
	m.app.Notices.Problem = nil
	m.send()
	m.app.View.Draw()
}

// send asks for the collection.
func (m *Making) send() {
	m.asked.Limit = m.app.Engine.Limit
	m.app.Engine.Request(message.Upload, m.asked)
}
