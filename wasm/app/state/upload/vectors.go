package upload

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Vectors are made of the documents of a kept collection while it is searched by words. It implements
// state.DocumentEncoder.
type Vectors struct {
	app    *state.App
	making *Making

	ask       *message.AskEmbed // for the collection whose documents are being encoded, nil for none
	waiting   []*message.AskEmbed
	progress  *message.Progress // nil until the first is known
	made      string            // id of the one that has its vectors since, and is opened again with them
	cancelled string            // id of the one whose encoding a person has cancelled
	deaths    int               // of workers over it
}

var _ state.DocumentEncoder = (*Vectors)(nil)

// Begin has the documents of a kept collection encoded by the static encoder, after those of others that it was asked
// for.
func (v *Vectors) Begin(id string) {
	if v.app.Encoder.File.URL == "" {
		return
	}
	v.app.Encoder.Load()
	v.With(&message.AskEmbed{ID: id})
}

// With has the documents of a kept collection encoded by the static encoder or a network, after those of others.
func (v *Vectors) With(ask *message.AskEmbed) {
	if v.ask != nil {
		if !v.Of(ask.ID) {
			v.waiting = append(v.waiting, ask)
		}
		return
	}
	v.ask, v.progress, v.made, v.cancelled, v.deaths = ask, nil, "", "", 0
	v.app.Engine.Request(message.Embed, ask)
	v.app.View.Draw()
}

// of is the id of the collection whose documents are being encoded, "" for none.
func (v *Vectors) of() string {
	if v.ask == nil {
		return ""
	}
	return v.ask.ID
}

// next begins with the one that has waited longest.
func (v *Vectors) next() {
	v.ask, v.progress = nil, nil
	if len(v.waiting) > 0 {
		ask := v.waiting[0]
		v.waiting = v.waiting[1:]
		v.With(ask)
	}
}

// drop forgets a collection that is deleted, and stops encoding it.
func (v *Vectors) drop(id string) {
	v.waiting = slices.DeleteFunc(v.waiting, func(w *message.AskEmbed) bool { return w.ID == id })
	if v.Of(id) {
		v.next()
	}
}

// Make has those of the open collection encoded.
func (v *Vectors) Make() { v.Begin(v.app.Settings.Collection()) }

// Of says whether the documents of a collection are being encoded, or will be.
func (v *Vectors) Of(id string) bool {
	return id != "" && v.of() == id ||
		slices.ContainsFunc(v.waiting, func(w *message.AskEmbed) bool { return w.ID == id })
}

// Cancel stops the encoding of a collection. It stays, without vectors.
func (v *Vectors) Cancel(id string) {
	if v.of() == id {
		v.app.Engine.Request(message.Embed, &message.AskEmbed{})
	}
	v.drop(id)
	v.cancelled = id
	v.app.View.Draw()
}

// Progress is how far the encoding of a collection is.
func (v *Vectors) Progress(id string) string {
	if v.made == id {
		return "Opening the vectors of your documents …"
	}
	if v.of() != id {
		return "The documents are encoded after those of another collection."
	}
	if v.ask.Network != nil && v.progress == nil {
		return "Loading the model …"
	}
	if e := &v.app.Encoder; !e.Ready && v.progress == nil {
		if e.Wanted {
			return "Loading the encoder …"
		}
		return "Waiting for the encoder, which could not be loaded."
	}
	p := v.progress
	if p == nil {
		return message.Embedding + " …"
	}
	return message.Embedding + ", " + say.Thousands(p.Done) + " of " + say.Thousands(p.Total) + "."
}

// Note says how far the vectors of the collection are that was made last, "" if it needs none.
func (v *Vectors) Note() string {
	m := v.making.Made
	switch {
	case m == nil || !m.Plain || v.app.Encoder.File.URL == "":
		return ""
	case v.Of(m.ID):
		return v.Progress(m.ID) + " Dense systems answer when it is done. Lexical systems answer now."
	case v.cancelled == m.ID:
		return "Encoding was cancelled. The collection has no vectors, so only lexical systems answer."
	}
	return "The collection has no vectors, so only lexical systems answer."
}

// lacks says whether a system cannot answer since the open collection has no vectors.
func (v *Vectors) lacks(system int) bool {
	o, r := v.app.Engine.Opened, v.app.Search.Results
	return o != nil && len(o.Models) == 0 && !o.Ref.Elsewhere && state.Uploaded(o.Ref.ID) && r != nil &&
		system < len(r.Lists) && r.Lists[system].Problem != "" && v.app.Settings.NeedsVectors(system)
}

// goesOn says whether the documents of the open collection get vectors without a person. An encoder that could not be
// loaded has to be asked for again.
func (v *Vectors) goesOn() bool {
	id := v.app.Engine.Opened.Ref.ID
	return v.made == id || v.Of(id) && (v.progress != nil || v.app.Encoder.Wanted)
}

// Says implements state.DocumentEncoder.
func (v *Vectors) Says(system int) string {
	if !v.lacks(system) || !v.goesOn() {
		return ""
	}
	return v.Progress(v.app.Engine.Opened.Ref.ID)
}

// Offer implements state.DocumentEncoder.
func (v *Vectors) Offer(system int) string {
	if !v.lacks(system) || v.goesOn() || v.app.Encoder.File.URL == "" {
		return ""
	}
	return "encode the documents in this tab"
}

// heard takes a reply: the first only says that the work has begun.
func (v *Vectors) heard(r message.Reply) {
	if r.Problem != nil {
		v.next()
		return
	}
	x, ok := r.Answer.(*message.Uploaded)
	if !ok || x.ID != v.of() {
		return
	}
	v.next()
	v.made = x.ID
	v.app.Engine.Worked()
	if m := v.making.Made; m != nil && m.ID == x.ID {
		m.Models, m.Bytes, m.Plain = x.Models, x.Bytes, false
	}
	v.app.Engine.Request(message.Uploads, &message.AskUploads{})
	if o := v.app.Engine.Opened; o != nil && o.Ref.ID == x.ID {
		v.app.Reopen()
	}
}

// died is told before the worker is replaced. What ends two of them is not tried a third time.
func (v *Vectors) died(reason string) {
	v.progress = nil
	if v.deaths++; v.ask == nil || v.deaths < 2 {
		return
	}
	v.cancelled = v.of()
	v.ask, v.waiting = nil, nil
	v.app.Notices.Problem = &message.Problem{
		What: "The documents were not encoded: the search engine stopped twice over it (" + reason + ").",
		Do:   "Lexical systems answer as before. Use `rankbox index` on the command line for vectors.",
	}
}

// again asks a new worker to begin again.
func (v *Vectors) again() {
	if v.ask != nil {
		v.app.Encoder.Ask()
		v.app.Engine.Request(message.Embed, v.ask)
	}
}
