package state

import (
	"slices"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// Encoder is the encoder of typed queries and how far it is. Without it dense stages answer judged queries alone.
type Encoder struct {
	File     message.EncoderFile // URL "" where the site has none
	OnTheWay int                 // bytes that are sent, compressed
	Wanted   bool                // it was asked for
	Ready    bool
	Progress message.Progress

	tried bool // it is not asked for again without a person
}

func (e *Encoder) wire(c *wire.Codec) {
	e.File.Wire(c)
	c.Int(&e.OnTheWay)
	for _, b := range []*bool{&e.Wanted, &e.Ready, &e.tried} {
		c.Bool(b)
	}
	e.Progress.Wire(c)
}

// LoadEncoder asks for the encoder, once.
func (a *App) LoadEncoder() {
	if e := &a.Encoder; e.File.URL == "" || e.Wanted {
		return
	}
	if a.Encoder.tried { // it failed, and somebody asks again
		a.Problem = nil
	}
	a.Encoder.Wanted, a.Encoder.tried = true, true
	a.askEncoder()
	a.Draw()
}

// askEncoder has the worker fetch what is wanted: at first, and again when another worker took its place.
func (a *App) askEncoder() {
	if a.Encoder.Wanted && a.Phase >= Ready { // files that are chosen where a collection could not be opened need it too
		a.AskEncoder()
	}
}

// AskEncoder asks the worker for it at once, whatever is open.
func (a *App) AskEncoder() {
	if a.Encoder.File.URL != "" {
		a.Encoder.Wanted, a.Encoder.Ready = true, false
		a.Request(message.Encode, &a.Encoder.File)
	}
}

// encoded takes what is said about the encoder.
func (a *App) encoded(r message.Reply) {
	switch {
	case r.Problem != nil:
		a.Encoder.Wanted = false
	case r.Answer != nil:
		a.Encoder.Ready = true
		own := a.Opened != nil && slices.Contains(a.Opened.Encoded, false) // queries that were added: no model has vectors of them
		if a.HasQuery() && (a.Spec.QueryID == "" || own) {
			a.send(message.Search)
		}
		if own && len(a.Opened.Models) > 0 {
			a.send(message.Evaluate)
		}
	}
}

// lacksEncoder says whether the query was typed, a system cannot answer it, and the site's encoder might.
func (a *App) lacksEncoder(i int) bool {
	r := a.Results
	return r != nil && i < len(r.Lists) && r.Lists[i].Problem != "" && a.Spec.QueryID == "" && a.Encoder.File.URL != "" && a.NeedsVectors(i)
}

// Encoding says how far the encoder is that a system waits for, "" where it waits for none.
func (a *App) Encoding(i int) string {
	e := &a.Encoder
	if !e.Wanted || e.Ready || !a.lacksEncoder(i) {
		return ""
	}
	if e.Progress.Total == 0 {
		return "Loading the encoder …"
	}
	done := int64(e.OnTheWay) * int64(e.Progress.Done) / int64(e.Progress.Total)
	return "Loading the encoder, " + say.Bytes(done) + " of " + say.Bytes(int64(e.OnTheWay)) + "."
}

// CanEncode says whether loading the encoder would let a system answer.
func (a *App) CanEncode(i int) bool { return !a.Encoder.Wanted && a.lacksEncoder(i) }

// EncoderLabel offers to load it.
func (a *App) EncoderLabel() string {
	return "load the encoder of typed queries (" + say.Bytes(int64(a.Encoder.OnTheWay)) + ")"
}

// Idle is called when the page has had nothing to do for a while, on a connection that bears a few megabytes.
func (a *App) Idle() {
	if HasWorker && a.Phase == Ready && len(a.waiting) == 0 && !a.Encoder.tried {
		a.LoadEncoder()
	}
}
