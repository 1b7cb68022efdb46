// Package upload is the screen on which files become a collection that is kept on this device, without its looks. It
// reads no file: the worker does.
//
// Order of the pipeline: files are chosen or dropped → if they have columns, a Draft shows the first rows and how each
// column is used → the worker reads, encodes, indexes and keeps them → the collection is in the list → searching it is
// an address like any other.
package upload

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// workspaces is what knows of queries and grades.
type workspaces interface {
	Take(collection string, edits []byte)
	Pack(collection string)
	Rename(collection, name string)
	CopyTo(from, to string)
	BringOver(from *message.EarlierOne, to string)
	Erase(collection string)
	Zip(collection string, done func(zip []byte, problem string))
}

func workspacesOf(a *state.App) (workspaces, bool) {
	w, ok := a.Screens.Other("judge").(workspaces)
	return w, ok
}

// ID is the name of the screen.
const ID share.Screen = "upload"

// Upload is the screen.
type Upload struct {
	App *state.App

	Gallery Gallery
	Shelf   Shelf
	Earlier Earlier
	Making  Making
	Indexed Indexed
	Vectors Vectors
	Import  Import
	Site    Site
	Offline Offline
}

// New is the screen as it begins.
func New(a *state.App) *Upload {
	u := &Upload{App: a, Gallery: Gallery{app: a}, Making: Making{app: a}}
	u.Indexed = Indexed{app: a}
	u.Earlier = Earlier{app: a}
	u.Vectors = Vectors{app: a, making: &u.Making}
	a.Encoder.Documents = &u.Vectors
	u.Shelf = Shelf{app: a, making: &u.Making, vectors: &u.Vectors}
	u.Import = Import{app: a, making: &u.Making, shelf: &u.Shelf}
	u.Site = Site{app: a, shelf: &u.Shelf, gallery: &u.Gallery}
	u.Offline = Offline{app: a}
	return u
}

// ID is the name of the screen.
func (u *Upload) ID() share.Screen { return ID }

// Save keeps nothing for undo: what is kept on the device is not undone by a key.
func (u *Upload) Save() any { return nil }

// Begin asks for the list where the page opens here, and Entered where somebody comes.
func (u *Upload) Begin() {
	if u.App.Settings.Screen == ID {
		u.Entered()
	}
}

// Entered asks for the lists of what the site has and of what is kept here.
func (u *Upload) Entered() {
	u.App.Browser.Enrich()
	u.App.Engine.Request(message.Uploads, &message.AskUploads{})
	u.Offline.list()
	if u.Gallery.Site == nil {
		u.App.Engine.Request(message.Gallery, &message.AskGallery{URL: u.App.Browser.Origin() + "/collections.bin"})
	}
}

// Takes says which replies are the screen's.
func (u *Upload) Takes(k message.Kind) bool {
	return k == message.Upload || k == message.Uploads || k == message.Gallery ||
		k == message.Preview || k == message.Duplicate || k == message.Embed || k == message.Indexed ||
		k == message.Earlier
}

// Receive takes them.
func (u *Upload) Receive(r message.Reply) {
	switch r.Kind {
	case message.Upload:
		u.Making.Progress, u.Making.asked = nil, nil
		u.Indexed.close()
	case message.Preview:
		u.Making.Progress = nil
		p, _ := r.Answer.(*message.Previewed)
		u.Import.looked(p)
		u.App.View.Draw()
		return
	case message.Duplicate:
		u.Shelf.duplicated(r)
		return
	case message.Embed:
		u.Vectors.heard(r)
		u.App.View.Draw()
		return
	}
	switch x := r.Answer.(type) {
	case *message.Uploaded:
		if x.ID != "" {
			u.App.Engine.Worked()
			u.Making.Made, u.Import.Draft = x, nil
			if w, ok := workspacesOf(u.App); ok {
				w.Take(x.ID, x.Edits)
			}
			u.Earlier.begin(x.ID)
			if x.Plain {
				u.Vectors.Begin(x.ID)
			}
			u.App.Engine.Request(message.Uploads, &message.AskUploads{})
		}
	case *message.Shelf:
		u.Shelf.listed(x)
		u.Earlier.listed(x)
	case *message.EarlierOne:
		u.Earlier.heard(x)
	case *gallery.Gallery:
		u.Gallery.Site = x
	case *experiment.Indexed:
		u.Indexed.take(x)
	}
	u.App.View.Draw()
}

// Hear takes how far it is.
func (u *Upload) Hear(p *message.Progress) {
	if p.What == message.Embedding {
		u.Vectors.progress = p
		u.App.View.Draw()
		return
	}
	if u.Making.asked != nil || u.Shelf.copied != "" || u.Import.Draft != nil && u.Import.Draft.Seen == nil {
		u.Making.Progress = p
		if u.Making.asked != nil {
			u.Indexed.hear(p)
		}
		u.App.View.Draw()
	}
}

// Died is told before the worker is replaced. What ends two of them is not tried a third time.
func (u *Upload) Died(reason string) {
	u.Indexed.close()
	u.Shelf.copied = "" // a part of a duplicate is no collection
	u.Vectors.died(reason)
	looking := u.Import.Draft != nil && u.Import.Draft.Seen == nil
	if !u.Making.Busy() && !looking {
		u.Making.Progress = nil
		return
	}
	var files []message.File
	if u.Making.Busy() {
		files = u.Making.asked.Files
	} else {
		files = u.Import.Draft.Files
	}
	u.Making.Progress = &message.Progress{What: "Reading"}
	if u.Making.deaths++; u.Making.deaths < 2 {
		return
	}
	u.App.Notices.Problem = &message.Problem{
		What:  "No collection was made: the search engine stopped twice over it (" + reason + ").",
		Where: message.Few(files),
		Do: "They may need more memory than this device has: choose fewer documents, or use `rankbox index` on the " +
			"command line.",
	}
	u.Making.Progress, u.Making.asked = nil, nil
	if looking {
		u.Import.Draft = nil
	}
}

// Again asks the new worker for the list, and for the collection that the last one was making.
func (u *Upload) Again() {
	u.Begin()
	u.Vectors.again()
	if u.Making.Busy() {
		u.App.Encoder.Ask() // before the files: the worker answers one after the other
		u.Making.send()
	} else if u.Import.Draft != nil {
		u.Import.look()
	}
}

// TakesFiles says that files are for this screen while it is open.
func (u *Upload) TakesFiles() bool { return u.App.Settings.Screen == ID }

// AddFiles begins a draft with files, or adds them to the one that is open. More than fits into the memory of the
// device is refused before any of it is read.
func (u *Upload) AddFiles(files []message.File) {
	if u.Making.Busy() {
		u.Cancel()
		u.Import.Draft = nil
	}
	if u.Import.Draft != nil && u.Import.Draft.From != "" {
		u.Import.Draft = nil
	}
	if u.Import.Draft != nil {
		files = joined(u.Import.Draft.Files, files)
	}
	if p := tooMuch(files, u.App.Engine.Limit); p != nil {
		u.App.Notices.Problem = p
		u.App.View.Draw()
		return
	}
	u.Making.deaths, u.Indexed.Query = 0, ""
	u.Making.Made, u.App.Notices.Problem = nil, nil
	if u.Import.Draft == nil {
		u.Import.Draft = newDraft()
		u.Making.Progress = &message.Progress{What: "Looking at the files"}
	}
	u.Import.Draft.Files = slices.Clone(files)
	u.App.Encoder.Load()
	u.Import.look()
}

// AddPasted adds the text that was pasted as a file.
func (u *Upload) AddPasted() {
	text := u.Import.Pasted
	if strings.TrimSpace(text) == "" {
		return
	}
	u.Import.Pasted = ""
	u.AddFiles([]message.File{u.App.Browser.Text("pasted", text)})
}

// Cancel gives up the collection that is being made.
func (u *Upload) Cancel() {
	if u.Import.Draft != nil && u.Import.Draft.Seen == nil {
		u.Import.Draft = nil
	}
	if u.Shelf.copied != "" {
		u.Shelf.copied = ""
		u.App.Engine.Request(message.Duplicate, &message.AskDuplicate{})
	} else {
		u.App.Engine.Request(message.Upload, &message.AskUpload{})
	}
	u.Making.Progress, u.Making.asked = nil, nil
	u.Indexed.close()
	u.App.View.Draw()
}

// Renamed takes a name that another tab gave a collection.
func (u *Upload) Renamed(id, name string) { u.Shelf.named(id, name) }

// AskSite comes here to offer a collection as a site.
func (u *Upload) AskSite(id string) {
	u.App.Go(ID)
	u.Site.Ask(id)
}

// Link is where a collection is searched.
func (u *Upload) Link(id string) string { return u.linkTo("search", id) }

// Judge is where it is judged.
func (u *Upload) Judge(id string) string { return u.linkTo("judge", id) }

// Model is where your own model encodes it.
func (u *Upload) Model(id string) string { return u.linkTo("model", id) }

func (u *Upload) linkTo(screen share.Screen, id string) string {
	a := share.Address{Screen: screen, Spec: u.spec(id)}
	fragment, err := share.Encode(a)
	if err != nil {
		return u.App.Location.Path(screen)
	}
	return u.App.Location.Path(screen) + "#" + fragment
}

// Open searches a collection: for the query that was typed while it was being indexed, if there is one.
func (u *Upload) Open(id string) {
	query := ""
	if u.Making.Made != nil && u.Making.Made.ID == id {
		query = u.Indexed.Query
	}
	u.open("search", id, query)
}

// OpenIn opens a collection on a screen.
func (u *Upload) OpenIn(screen share.Screen, id string) {
	u.open(screen, id, "")
}

func (u *Upload) open(screen share.Screen, id, query string) {
	spec := u.spec(id)
	spec.Query = query
	u.App.Change(true, func(a *share.Address) { *a = share.Address{Screen: screen, Spec: spec} })
}

// defaultLimit is how many bytes a device takes in that says nothing of itself.
const defaultLimit = 1 << 30

// tooMuch says what does not fit into the memory of a device, or returns nil.
func tooMuch(files []message.File, device int) *message.Problem {
	limit := int64(device)
	if limit <= 0 {
		limit = defaultLimit
	}
	var big []string
	var total int64
	for _, f := range files {
		if total += int64(f.Size); int64(f.Size) > limit {
			big = append(big, f.Name+" ("+say.Bytes(int64(f.Size))+")")
		}
	}
	together := collection.Together(limit)
	if len(big) == 0 && total <= together {
		return nil
	}
	return &message.Problem{
		What: "These files are " + say.Bytes(total) + ", more than fits into the memory of this device, which takes " +
			say.Bytes(limit) + " a file and " + say.Bytes(together) + " together. Nothing was read.",
		Where: say.Few(big, 5),
		Do: "As int8 (docs.i8.npy with docs.scales.npy) vectors take a quarter of the space. Or use " +
			"`rankbox index` and `rankbox search -vectors` on the command line.",
	}
}
