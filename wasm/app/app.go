// Package app is the page: it joins the state with its looks and with the browser, and renders every route beforehand.
// It runs no search itself; that is the worker's, which it knows only through package message.
package app

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Snapshot is what the page was rendered from. It travels inside the page, so that the program that takes the page over
// begins with the same tree.
type Snapshot struct {
	Opened  *message.Opened
	Report  *report.Report
	Lessons []byte              // of the screens that show them
	Example string              // the judged query that is shown where nobody has asked for one
	Differ  string              // why Home's two lists of it differ
	Results *experiment.Results // of it, on the screens that show it; on Home an excerpt
}

// Wire walks the snapshot.
func (s *Snapshot) Wire(c *wire.Codec) {
	c.Bytes(&s.Lessons)
	collection := s.Opened != nil || s.Report != nil
	c.Bool(&collection)
	if !collection || !state.HasWorker { // the page of a lesson shows none
		return
	}
	message.Pointer(c, &s.Opened)
	message.Pointer(c, &s.Report)
	c.String(&s.Example)
	c.String(&s.Differ)
	message.Pointer(c, &s.Results)
}
