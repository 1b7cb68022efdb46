// Package model is the screen on which a model's own network is loaded, as it looks.
package model

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/model"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Model{S: s}
}

// Model is the screen.
type Model struct {
	S *screen.Model
}

// Live says whether anything can be asked for: the program is there, and nothing is being loaded.
func (c *Model) Live() bool { return c.S.App.Engine.Phase == state.Ready && c.S.Doing == "" }

// Said is what stands where there is no list.
func (c *Model) Said() string {
	switch have := c.S.Have; {
	case have == nil:
		return "Looking at what this collection has …"
	case len(have.Models) == 0:
		return have.Collection + " has no vectors, so its queries need no model."
	}
	return ""
}

// Of names the collection.
func (c *Model) Of() string {
	if c.S.Have == nil {
		return ""
	}
	return say.Visible(c.S.Have.Collection)
}

// Runtime says what is fetched once.
func (c *Model) Runtime() string {
	if c.S.Have == nil || c.S.Have.Runtime == 0 {
		return ""
	}
	return "Loading a model first fetches onnxruntime-web from this site (" + say.Bytes(int64(c.S.Have.Runtime)) +
		", " + say.Bytes(int64(c.S.Have.Unpacked)) +
		" unpacked), which stays on this device for use offline. It runs in a worker, on one thread."
}

// Row is a model.
type Row struct {
	N   *message.Networked
	c   *Model
	own string // what it is called in ids
}

// Rows are the models of the collection.
func (c *Model) Rows() []*Row {
	if c.S.Have == nil {
		return nil
	}
	var out []*Row
	for i := range c.S.Have.Models {
		out = append(out, &Row{&c.S.Have.Models[i], c, strconv.Itoa(i)})
	}
	return out
}

// ID makes an id of the row's own.
func (r *Row) ID(s string) string { return s + "-" + r.own }

// Head names the model, or says what one could do.
func (r *Row) Head() string {
	if r.ForDocuments() {
		return "Encode the documents"
	}
	return r.N.Label
}

// ForDocuments says that the row is for a model that encodes documents.
func (r *Row) ForDocuments() bool { return r.N.Model == "" && r.N.Documents > 0 }

// Encoding is how far documents are encoded, "" if they are not being encoded.
func (r *Row) Encoding() string {
	if d, id := r.c.S.Encodes(); d != nil && r.ForDocuments() && d.Of(id) {
		return d.Progress(id)
	}
	return ""
}

// CancelEncoding stops it. The vectors made so far are kept for the next attempt.
func (r *Row) CancelEncoding() {
	d, id := r.c.S.Encodes()
	d.Cancel(id)
}

// SetQuery takes the prefix of queries.
func (r *Row) SetQuery(event vugu.DOMEvent) { r.c.S.Query = event.PropString("target", "value") }

// SetDocument takes the prefix of documents.
func (r *Row) SetDocument(event vugu.DOMEvent) { r.c.S.Document = event.PropString("target", "value") }

// Facts says what is known of the vectors.
func (r *Row) Facts() string {
	n := r.N
	if r.ForDocuments() {
		return "A model of yours makes vectors of the " + say.Count(n.Documents, "document", "documents") +
			" and of the queries in this tab, and encodes typed queries after that. If you close the tab, choose the " +
			"same files again to go on."
	}
	text := say.Page.Int(n.Dim) + " dimensions; "
	switch n.Pooling {
	case "mean":
		text += "mean pooling; "
	case "cls":
		text += "[CLS] pooling; "
	default: // then the files say the prefix too
		return text + "the model's files set the pooling and the query prefix."
	}
	if n.Prefix != "" {
		return text + "query prefix “" + say.Visible(n.Prefix) + "”."
	}
	return text + "no query prefix."
}

// Static says that there is no network.
func (r *Row) Static() string {
	return "The static encoder made these vectors and encodes typed queries too. There is no model to load."
}

// Loading says whether this one is being loaded.
func (r *Row) Loading() bool { return r.c.S.Doing == r.N.Model && r.c.S.Progress != nil }

// Empty says that nothing was chosen yet, and something can be.
func (r *Row) Empty() bool {
	return !r.N.Static && !r.Loading() && r.N.Looked == nil && r.N.Loaded == nil && r.Encoding() == ""
}

// Doing is how far it is.
func (r *Row) Doing() string {
	p := r.c.S.Progress
	if p == nil {
		return ""
	}
	what := map[string]string{"runtime": "Fetching onnxruntime-web", "network": "Reading the model",
		"keeping": "Saving the model on this device", "starting": "Starting the model"}[p.What]
	if p.Total == 0 {
		return what + " …"
	}
	return what + ": " + say.Bytes(int64(p.Done)) + " of " + say.Bytes(int64(p.Total))
}

// Part is that in thousandths, "" where it is not known.
func (r *Row) Part() string {
	if p := r.c.S.Progress; p != nil && p.Total > 0 {
		return strconv.Itoa(int(1000 * int64(p.Done) / int64(p.Total)))
	}
	return ""
}

// origin says where a network is from.
func origin(from string) string {
	switch from {
	case message.HostedNetwork:
		return "from this site"
	case message.KeptNetwork:
		return "saved on this device"
	}
	return "from your files"
}

// Looked says what was found, and what loading it costs.
func (r *Row) Looked() string {
	l, have := r.N.Looked, r.c.S.Have
	text := say.Visible(l.Graph) + ", " + origin(l.From)
	if l.Name != "" {
		text += ", model name " + say.Visible(l.Name)
	}
	text += ": " + say.Bytes(int64(l.Bytes))
	switch l.From {
	case message.HostedNetwork:
		text += " to fetch from this site"
	default:
		text += " read from this device; nothing is sent"
	}
	return text + ". If needed, onnxruntime-web is fetched first (" + say.Bytes(int64(have.Runtime)) +
		"). The loaded model takes about " + say.Bytes(int64(l.Memory)) + " of memory."
}

// Warning is about a small device.
func (r *Row) Warning() string {
	return "This may be too much for this device: the browser may close the tab. Your query stays in the address."
}

// LoadLabel offers it.
func (r *Row) LoadLabel() string {
	if r.ForDocuments() {
		return "Encode " + say.Count(r.N.Documents, "document", "documents")
	}
	return "Load it (" + say.Bytes(int64(r.N.Looked.Bytes)) + ")"
}

// Load loads it, or has it encode the documents.
func (r *Row) Load() {
	if r.ForDocuments() {
		r.c.S.Encode()
		return
	}
	r.c.S.Load(r.N.Model)
}

// CanKeep says whether the network may be kept.
func (r *Row) CanKeep() bool { return r.N.Looked != nil && r.N.Looked.From != message.KeptNetwork }

// KeepLabel offers it.
func (r *Row) KeepLabel() string {
	return "Save it on this device for the next visit (" + say.Bytes(int64(r.N.Looked.Bytes)) + ")"
}

// HostedLabel and KeptLabel offer what needs no files.
func (r *Row) HostedLabel() string {
	return "Use this site's copy (" + say.Bytes(int64(r.N.Hosted)) + ")"
}

// KeptLabel offers the network on this device.
func (r *Row) KeptLabel() string {
	return "Use the copy on this device (" + say.Bytes(int64(r.N.Kept)) + ")"
}

// DeleteLabel offers to delete it.
func (r *Row) DeleteLabel() string {
	if r.c.S.Deleting == r.N.Model {
		return "Confirm: delete it"
	}
	return "Delete it from this device"
}

// Loaded says what encodes typed queries now.
func (r *Row) Loaded() string {
	l := r.N.Loaded
	text := "This model encodes typed queries: " + say.Visible(l.Graph) + " (" + say.Bytes(int64(l.Bytes)) + "), " +
		origin(l.From)
	if l.Kept && l.From != message.KeptNetwork {
		text += ", saved on this device"
	}
	text += ". "
	if l.Made {
		return text + "It encoded the documents, too."
	}
	if l.Tried == 0 {
		return text + "The collection has no judged query to check it with."
	}
	text += say.Count(l.Tried, "judged query was", "judged queries were") +
		" encoded again: the lowest cosine with the stored vector is " + cosine(l.Lowest)
	if l.Lowest < .999 {
		text += " (8-bit numbers lose about that much)"
	}
	return text + ". A query takes " + say.Page.Number(l.Micros/1000, 0) + " ms."
}

// cosine shows how many nines there are, and never one that is not there.
func cosine(v float64) string {
	if v >= 1 {
		return "1"
	}
	return say.Page.Number(float64(int(v*1e6))/1e6, 6)
}

// SetKeep takes the box.
func (c *Model) SetKeep(event vugu.DOMEvent) { c.S.SetKeep(event.PropBool("target", "checked")) }

// Search goes to Search.
func (c *Model) Search(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.S.App.Go("search")
	}
}
