// Package model is the screen on which a model's own network is loaded, as it looks.
package model

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
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
func (c *Model) Live() bool { return c.S.App.Phase == state.Ready && c.S.Doing == "" }

// Said is what stands where there is no list.
func (c *Model) Said() string {
	switch have := c.S.Have; {
	case have == nil:
		return "Looking at what this collection has …"
	case len(have.Models) == 0:
		return have.Collection + " has no vectors of any model, so no model is needed for its queries."
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
	return "What runs a network, onnxruntime-web, is fetched from this site when the first one is loaded (" + say.Bytes(int64(c.S.Have.Runtime)) + ", " + say.Bytes(int64(c.S.Have.Unpacked)) +
		" unpacked) and stays on this device for the next time, without a network too. It runs in a worker of its own, on one thread."
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

// Facts says what is known of the vectors.
func (r *Row) Facts() string {
	n := r.N
	text := "Vectors of " + say.Page.Int(n.Dim) + " numbers; "
	switch n.Pooling {
	case "mean":
		text += "the mean of a text's tokens; "
	case "cls":
		text += "that of the token [CLS]; "
	default: // then the files say the prefix too
		return text + "how tokens become one vector, and what stands before a query, is left to the model's files."
	}
	if n.Prefix != "" {
		return text + "before a query stands “" + say.Visible(n.Prefix) + "”."
	}
	return text + "nothing is put before a query."
}

// Static says that there is no network.
func (r *Row) Static() string {
	return "A table of tokens made these vectors in this tab, of documents and queries alike, and encodes typed queries too: there is no network to load."
}

// Loading says whether this one is being loaded.
func (r *Row) Loading() bool { return r.c.S.Doing == r.N.Model && r.c.S.Progress != nil }

// Doing is how far it is.
func (r *Row) Doing() string {
	p := r.c.S.Progress
	if p == nil {
		return ""
	}
	what := map[string]string{"runtime": "Fetching onnxruntime-web", "network": "Reading the network", "keeping": "Keeping the network on this device", "starting": "Starting the network"}[p.What]
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
		return "brought by this site"
	case message.KeptNetwork:
		return "kept on this device"
	}
	return "from your files"
}

// Looked says what was found, and what loading it costs.
func (r *Row) Looked() string {
	l, have := r.N.Looked, r.c.S.Have
	text := say.Visible(l.Graph) + ", " + origin(l.From)
	if l.Name != "" {
		text += ", of a model that calls itself " + say.Visible(l.Name)
	}
	text += ": " + say.Bytes(int64(l.Bytes))
	switch l.From {
	case message.HostedNetwork:
		text += " are fetched from this site"
	default:
		text += " are read from this device, and nothing of it is sent anywhere"
	}
	return text + "; onnxruntime-web is fetched first where it is not here yet (" + say.Bytes(int64(have.Runtime)) + "). About " + say.Bytes(int64(l.Memory)) + " of memory are taken while it is loaded."
}

// Warning is about a small device.
func (r *Row) Warning() string {
	return "That is much for this device: the browser may end the tab. What you typed is in the address."
}

// LoadLabel offers it.
func (r *Row) LoadLabel() string { return "Load it (" + say.Bytes(int64(r.N.Looked.Bytes)) + ")" }

// CanKeep says whether the network may be kept.
func (r *Row) CanKeep() bool { return r.N.Looked != nil && r.N.Looked.From != message.KeptNetwork }

// KeepLabel offers it.
func (r *Row) KeepLabel() string {
	return "Keep it on this device for the next visit (" + say.Bytes(int64(r.N.Looked.Bytes)) + ")"
}

// HostedLabel and KeptLabel offer what needs no files.
func (r *Row) HostedLabel() string {
	return "Use the one that this site brings (" + say.Bytes(int64(r.N.Hosted)) + ")"
}

// KeptLabel offers the network on this device.
func (r *Row) KeptLabel() string {
	return "Use the one on this device (" + say.Bytes(int64(r.N.Kept)) + ")"
}

// DeleteLabel offers to delete it.
func (r *Row) DeleteLabel() string {
	if r.c.S.Deleting == r.N.Model {
		return "Really delete it"
	}
	return "Delete it from this device"
}

// Loaded says what encodes typed queries now.
func (r *Row) Loaded() string {
	l := r.N.Loaded
	text := "Typed queries are encoded by this model itself: " + say.Visible(l.Graph) + " (" + say.Bytes(int64(l.Bytes)) + "), " + origin(l.From)
	if l.Kept && l.From != message.KeptNetwork {
		text += ", and kept on this device"
	}
	text += ". "
	if l.Tried == 0 {
		return text + "The collection has no judged query that it could be held against."
	}
	text += say.Count(l.Tried, "judged query was", "judged queries were") + " encoded anew: the lowest cosine with the vector that is stored is " + cosine(l.Lowest)
	if l.Lowest < .999 {
		text += " (numbers of 8 bits lose about that much)"
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
