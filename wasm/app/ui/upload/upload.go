// Package upload is the screen on which files become a collection, as it looks.
package upload

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Upload{Upload: s}
}

// Upload is the screen.
type Upload struct {
	Upload *screen.Upload
}

// Paste takes the text of the field.
func (c *Upload) Paste(event vugu.DOMEvent) {
	c.Upload.Import.Pasted = event.PropString("target", "value")
}

// Live says whether files can be chosen: the program is there, and nothing is being read. That a collection is gone
// which was made of files is no reason not to choose them again.
func (c *Upload) Live() bool {
	a := c.Upload.App
	return (a.Engine.Phase == state.Ready || a.Engine.Phase == state.Failed &&
		state.Uploaded(a.Settings.Collection())) && c.Upload.Making.Progress == nil
}

// Doing is how far the collection is that is being made.
func (c *Upload) Doing() string {
	p := c.Upload.Making.Progress
	switch {
	case p == nil:
		return ""
	case p.Total == 0:
		return p.What + " …"
	case p.Unit != "":
		return p.What + ": " + say.Thousands(p.Done) + " of " + say.Thousands(p.Total)
	}
	return p.What + ": " + say.Bytes(int64(p.Done)) + " of " + say.Bytes(int64(p.Total))
}

// Part is that in thousandths, "" where it is not known.
func (c *Upload) Part() string {
	if p := c.Upload.Making.Progress; p != nil && p.Total > 0 {
		return strconv.Itoa(1000 * p.Done / p.Total)
	}
	return ""
}

// Made says what was made.
func (c *Upload) Made() string {
	u := c.Upload.Making.Made
	if u == nil {
		return ""
	}
	s := "“" + say.Visible(u.Name) + "” is ready: " + counts(u) + ". "
	if u.Backend != "" {
		return s + "Nothing was asked yet."
	}
	if len(u.Models) == 0 {
		return s + "It is searched by words."
	}
	return s + "It is searched by words and by meaning; both sides are encoded by " + strings.Join(u.Models, " and ") +
		" in this tab."
}

// Unkept says that it is there as long as the tab.
func (c *Upload) Unkept() string {
	if c.Upload.Making.Made == nil || c.Upload.Making.Made.Unkept == "" {
		return ""
	}
	return "Not saved on this device: " + c.Upload.Making.Made.Unkept + " You can search it until you close or reload " +
		"this tab. Your files and other collections are safe: free some space, then open the files again."
}

// counts says how much there is of a collection.
func counts(u *message.Uploaded) string {
	s := say.Count(u.Documents, "document", "documents")
	if u.Chunked {
		s = say.Count(u.Documents, "chunk", "chunks")
	}
	if u.Backend != "" {
		s = "documents in " + u.Backend
	}
	if u.Queries > 0 {
		s += ", " + say.Count(u.Queries, "query", "queries")
	}
	if u.Judgments > 0 {
		s += ", " + say.Count(u.Judgments, "judgment", "judgments")
	}
	return s
}

// Warnings are those of the collection that was made, the first twenty.
func (c *Upload) Warnings() []string {
	if c.Upload.Making.Made == nil {
		return nil
	}
	w := c.Upload.Making.Made.Warnings
	if len(w) > 20 {
		w = append(w[:20:20], "and "+say.Page.Int(len(w)-20)+" more")
	}
	return w
}

// Row is a collection that is kept on this device.
type Row struct {
	ID, Name, Documents, Queries, Judgments, Vectors, Size, Delete string
	Renaming                                                       bool
	Splits                                                         bool
	Split                                                          string
}

// Rows are what is kept.
func (c *Upload) Rows() []Row {
	var out []Row
	if c.Upload.Shelf.Kept == nil {
		return nil
	}
	for _, u := range c.Upload.Shelf.Kept.List {
		r := Row{ID: u.ID, Name: say.Visible(u.Name), Documents: count(u.Documents), Queries: count(u.Queries),
			Judgments: count(u.Judgments), Vectors: strings.Join(u.Models, ", "), Size: size(u.Bytes), Delete: "Delete",
			Renaming: c.Upload.Shelf.Renaming == u.ID, Splits: u.Splits, Split: "Split"}
		made := c.Upload.App.Made(u.ID)
		r.Queries, r.Judgments = plus(u.Queries, made.Queries), plus(u.Judgments, made.Grades)
		switch {
		case u.Backend != "":
			r.Documents = "in " + u.Backend
		case u.Chunked:
			r.Documents, r.Split = say.Count(u.Documents, "chunk", "chunks"), "Split again"
		}
		if c.Upload.Shelf.Deleting == u.ID {
			r.Delete = "Really delete"
		}
		out = append(out, r)
	}
	return out
}

// plus writes how many came with a collection, and how many were added.
func plus(came, added int) string {
	switch {
	case added == 0:
		return count(came)
	case came == 0:
		return count(added)
	}
	return count(came) + " + " + count(added)
}

// Room says how much room there is, and what may happen to what is kept.
func (c *Upload) Room() string {
	s := c.Upload.Shelf.Kept
	if s == nil {
		return "Reading the saved collections …"
	}
	if s.Nothing != "" {
		return "Nothing can be saved here: " + s.Nothing + " You can search a collection until you close or reload " +
			"this tab."
	}
	text := "Nothing is saved on this device yet. "
	if len(s.List) > 0 {
		text = ""
	}
	if s.Quota > 0 {
		text += "This site uses " + say.Bytes(int64(s.Used)) + " of the " + say.Bytes(int64(s.Quota)) +
			" that the browser allows. "
	}
	if s.Stays {
		return text + "The browser keeps it until you delete it."
	}
	return text + "The browser may delete it when space runs short or after a long absence. Keep your original " +
		"files. Links to these collections open on this device only."
}

// Open searches a collection.
func (c *Upload) Open(event vugu.DOMEvent, id string) {
	if ui.PlainClick(event) {
		c.Upload.Open(id)
	}
}

// OpenIn opens a collection on a screen: to judge it, or to encode it by a model of one's own.
func (c *Upload) OpenIn(event vugu.DOMEvent, screen share.Screen, id string) {
	if ui.PlainClick(event) {
		c.Upload.OpenIn(screen, id)
	}
}

// ToModel goes where a model's own network is loaded.
func (c *Upload) ToModel(event vugu.DOMEvent) {
	if ui.PlainClick(event) {
		c.Upload.App.Go("model")
	}
}

// Chunkings says that ways of splitting the open collection can be compared, "" if nothing here is split.
func (c *Upload) Chunkings() string {
	o, s := c.Upload.App.Engine.Opened, c.Upload.Shelf.Kept
	if o == nil || s == nil || !state.Uploaded(o.Ref.ID) || len(s.List) < 2 || len(o.Queries) == 0 {
		return ""
	}
	for _, x := range s.List {
		if x.Chunked {
			return "The documents of " + say.Visible(o.Ref.Name) + ", split in every way that is saved here:"
		}
	}
	return ""
}
