package state

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

// Encoder is the encoder of typed queries and how far it is. Without it dense stages answer judged queries alone.
type Encoder struct {
	engine   *Engine
	settings *Settings
	search   *Search
	figures  *Figures
	notices  *Notices
	view     *View

	File     message.EncoderFile // URL "" where the site has none
	OnTheWay int                 // bytes that are sent, compressed
	Wanted   bool                // it was asked for
	Ready    bool
	Progress message.Progress

	// Documents encodes those of collections that are kept here; nil in a program that makes none.
	Documents DocumentEncoder

	tried bool // it is not asked for again without a person
}

// DocumentEncoder makes vectors of the documents of the open collection.
type DocumentEncoder interface {
	Says(system int) string  // how far it is, "" if the system does not wait for it
	Offer(system int) string // to make them, "" if that would not help
	Make()
}

func (e *Encoder) wire(c *wire.Codec) {
	e.File.Wire(c)
	c.Int(&e.OnTheWay)
	for _, b := range []*bool{&e.Wanted, &e.Ready, &e.tried} {
		c.Bool(b)
	}
	e.Progress.Wire(c)
}

// Load asks for the encoder, once.
func (e *Encoder) Load() {
	if e.File.URL == "" || e.Wanted {
		return
	}
	if e.tried { // it failed, and is asked for again
		e.notices.Problem = nil
	}
	e.Wanted, e.tried = true, true
	e.again()
	e.view.Draw()
}

// Ask asks the worker for it at once, whatever is open.
func (e *Encoder) Ask() {
	if e.File.URL != "" {
		e.Wanted, e.Ready = true, false
		encoding.ask(e.engine, &e.File)
	}
}

// again has the worker fetch what is wanted: at first, and again when another worker took its place.
func (e *Encoder) again() {
	if e.Wanted && e.engine.Phase >= Ready { // files that are chosen where a collection could not be opened need it too
		e.Ask()
	}
}

// lacks says whether the query was typed, a system cannot answer it, and the site's encoder might.
func (e *Encoder) lacks(i int) bool {
	r := e.search.Results
	return r != nil && i < len(r.Lists) && r.Lists[i].Problem != "" && e.settings.Spec.QueryID == "" &&
		e.File.URL != "" && e.settings.NeedsVectors(i)
}

// Says is how far the encoder is that a system waits for, "" where it waits for none.
func (e *Encoder) Says(i int) string {
	if e.Documents != nil {
		if s := e.Documents.Says(i); s != "" || e.Documents.Offer(i) != "" {
			return s
		}
	}
	if !e.Wanted || e.Ready || !e.lacks(i) {
		return ""
	}
	if e.Progress.Total == 0 {
		return "Loading the encoder …"
	}
	done := int64(e.OnTheWay) * int64(e.Progress.Done) / int64(e.Progress.Total)
	return "Loading the encoder, " + say.Bytes(done) + " of " + say.Bytes(int64(e.OnTheWay)) + "."
}

// Offer offers what would let a system answer, "" for nothing: to encode the documents, or to load the encoder.
func (e *Encoder) Offer(i int) string {
	if e.Documents != nil {
		if s := e.Documents.Offer(i); s != "" {
			return s
		}
	}
	if e.Wanted || !e.lacks(i) {
		return ""
	}
	return "load the encoder of typed queries (" + say.Bytes(int64(e.OnTheWay)) + ")"
}

// Accept does what Offer says.
func (e *Encoder) Accept(i int) {
	if e.Documents != nil && e.Documents.Offer(i) != "" {
		e.Documents.Make()
		return
	}
	e.Load()
}

// Idle is called when the page has had nothing to do for a while, on a connection that bears a few megabytes.
func (e *Encoder) Idle() {
	if HasWorker && e.engine.Phase == Ready && len(e.engine.waiting) == 0 && !e.tried {
		e.Load()
	}
}

// encoded takes what is said about the encoder.
func (e *Encoder) encoded(ready bool, problem *message.Problem) {
	switch {
	case problem != nil:
		e.Wanted = false
	case ready:
		e.Ready = true
		// queries that were added: no model has vectors of them
		own := e.engine.Opened != nil && slices.Contains(e.engine.Opened.Encoded, false)
		if e.settings.HasQuery() && (e.settings.Spec.QueryID == "" || own) {
			e.search.ask()
		}
		if own && len(e.engine.Opened.Models) > 0 {
			e.figures.ask()
		}
	}
}
