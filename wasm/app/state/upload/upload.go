// Package upload is the screen on which files become a collection that is kept on this device, without its looks. It reads no file: the worker does.
//
// Order of the pipeline: files are chosen or dropped → if they have columns, a Draft shows the first rows and how each
// column is used → the worker reads, encodes, indexes and keeps them → the collection is in the list → searching it is
// an address like any other.
package upload

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/gallery"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// workspaces is what knows of queries and grades.
type workspaces interface {
	Take(collection string, edits []byte)
	Pack(collection string)
	Rename(collection, name string)
	CopyTo(from, to string)
	Zip(collection string, done func(zip []byte, problem string))
}

// Upload is the screen.
type Upload struct {
	App *state.App

	Gallery  *gallery.Gallery   // the site's collections, nil until they were answered
	Card     string             // the id of the one whose card is open, "" for none
	Language string             // of the gallery's filter, "" for all
	Largest  int                // bytes on the way that a collection of the gallery may have, 0 for any
	Shelf    *message.Shelf     // what is kept, nil until it was answered
	Made     *message.Uploaded  // the collection that was made last
	Progress *message.Progress  // of the one that is being made, nil for none
	Draft    *Draft             // files that are not indexed yet, nil for none
	Pasted   string             // a text that is typed or pasted, until it is added
	Deleting string             // the id of the collection whose deletion is to be confirmed
	Renaming string             // the id of the one whose name is being edited
	NewName  string             // as far as it is typed
	making   *message.AskUpload // the collection that is being made, nil for none
	renamed  string             // id of the collection that was given a name, until the list has it
	copied   string             // id of the collection that is being duplicated, "" for none
	deaths   int                // of workers over the files
}

// New is the screen as it begins.
func New(a *state.App) *Upload { return &Upload{App: a} }

// ID is the name of the screen.
func (u *Upload) ID() share.Screen { return "upload" }

// Save keeps nothing for undo: what is kept on the device is not undone by a key.
func (u *Upload) Save() any { return nil }

// Begin asks for the list where the page opens here, and Entered where somebody comes.
func (u *Upload) Begin() {
	if u.App.Settings.Screen == u.ID() {
		u.Entered()
	}
}

// Entered asks for the lists of what the site has and of what is kept here.
func (u *Upload) Entered() {
	u.App.Browser.Enrich()
	u.App.Engine.Request(message.Uploads, &message.AskUploads{})
	if u.Gallery == nil {
		u.App.Engine.Request(message.Gallery, &message.AskGallery{URL: u.App.Browser.Origin() + "/collections.bin"})
	}
}

// Takes says which replies are the screen's.
func (u *Upload) Takes(k message.Kind) bool {
	return k == message.Upload || k == message.Uploads || k == message.Gallery || k == message.Preview || k == message.Duplicate
}

// Receive takes them.
func (u *Upload) Receive(r message.Reply) {
	switch r.Kind {
	case message.Upload:
		u.Progress, u.making = nil, nil
	case message.Preview:
		u.Progress = nil
		p, _ := r.Answer.(*message.Previewed)
		u.looked(p)
		u.App.View.Draw()
		return
	case message.Duplicate:
		u.duplicated(r)
		return
	}
	switch x := r.Answer.(type) {
	case *message.Uploaded:
		if x.ID != "" {
			u.App.Engine.Worked()
			u.Made, u.Draft = x, nil
			if w, ok := u.App.Screens.Other("judge").(workspaces); ok {
				w.Take(x.ID, x.Edits)
			}
			u.App.Engine.Request(message.Uploads, &message.AskUploads{})
		}
	case *message.Shelf:
		u.listed(x)
	case *gallery.Gallery:
		u.Gallery = x
	}
	u.App.View.Draw()
}

// Hear takes how far it is.
func (u *Upload) Hear(p *message.Progress) {
	if u.making != nil || u.copied != "" || u.Draft != nil && u.Draft.Seen == nil {
		u.Progress = p
		u.App.View.Draw()
	}
}

// Busy says whether files are being read.
func (u *Upload) Busy() bool { return u.making != nil }

// Died is told before the worker is replaced. What ends two of them is not tried a third time.
func (u *Upload) Died(reason string) {
	u.copied = "" // a part of a duplicate is no collection
	looking := u.Draft != nil && u.Draft.Seen == nil
	if !u.Busy() && !looking {
		u.Progress = nil
		return
	}
	var files []message.File
	if u.Busy() {
		files = u.making.Files
	} else {
		files = u.Draft.Files
	}
	u.Progress = &message.Progress{What: "Reading"}
	if u.deaths++; u.deaths < 2 {
		return
	}
	u.App.Notices.Problem = &message.Problem{What: "No collection was made: the search engine stopped twice over it (" + reason + ").", Where: message.Few(files),
		Do: "They may need more memory than this device has: choose fewer documents, or use `rankbox index` on the command line."}
	u.Progress, u.making = nil, nil
	if looking {
		u.Draft = nil
	}
}

// Again asks the new worker for the list, and for the collection that the last one was making.
func (u *Upload) Again() {
	u.Begin()
	if u.Busy() {
		u.App.Encoder.Ask() // before the files: the worker answers one after the other
		u.ask()
	} else if u.Draft != nil {
		u.look()
	}
}

func (u *Upload) ask() {
	u.making.Limit = u.App.Engine.Limit
	u.App.Engine.Request(message.Upload, u.making)
}

// TakesFiles says that files are for this screen while it is open.
func (u *Upload) TakesFiles() bool { return u.App.Settings.Screen == u.ID() }

// AddFiles begins a draft with files, or adds them to the one that is open. More than fits into the memory of the device
// is refused before any of it is read.
func (u *Upload) AddFiles(files []message.File) {
	if u.Busy() {
		u.Cancel()
		u.Draft = nil
	}
	if u.Draft != nil && u.Draft.From != "" {
		u.Draft = nil
	}
	if u.Draft != nil {
		files = joined(u.Draft.Files, files)
	}
	if p := u.tooMuch(files); p != nil {
		u.App.Notices.Problem = p
		u.App.View.Draw()
		return
	}
	u.deaths = 0
	u.Made, u.App.Notices.Problem = nil, nil
	if u.Draft == nil {
		u.Draft = newDraft()
		u.Progress = &message.Progress{What: "Looking at the files"}
	}
	u.Draft.Files = slices.Clone(files)
	u.App.Encoder.Load()
	u.look()
}

// AddPasted adds the text that was pasted as a file.
func (u *Upload) AddPasted() {
	text := u.Pasted
	if strings.TrimSpace(text) == "" {
		return
	}
	u.Pasted = ""
	u.AddFiles([]message.File{u.App.Browser.Text("pasted.txt", text)})
}

// make has the worker make a collection.
func (u *Upload) make(ask *message.AskUpload) {
	u.making, u.deaths = ask, 0
	u.Made, u.Progress = nil, &message.Progress{What: "Reading"}
	u.App.Notices.Problem = nil
	u.ask()
	u.App.View.Draw()
}

// defaultLimit is how many bytes a device takes in that says nothing of itself.
const defaultLimit = 1 << 30

// tooMuch says what does not fit, or returns nil.
func (u *Upload) tooMuch(files []message.File) *message.Problem {
	limit := int64(u.App.Engine.Limit)
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
		What: "These files are " + say.Bytes(total) + ", more than fits into the memory of this device, which takes " + say.Bytes(limit) + " a file and " +
			say.Bytes(together) + " together. Nothing was read.",
		Where: say.Few(big, 5),
		Do: "As int8 (docs.i8.npy with docs.scales.npy) vectors take a quarter of the space. Or use `rankbox index` and `rankbox search -vectors` on the " +
			"command line.",
	}
}

// Cancel gives up the collection that is being made.
func (u *Upload) Cancel() {
	if u.Draft != nil && u.Draft.Seen == nil {
		u.Draft = nil
	}
	if u.copied != "" {
		u.copied = ""
		u.App.Engine.Request(message.Duplicate, &message.AskDuplicate{})
	} else {
		u.App.Engine.Request(message.Upload, &message.AskUpload{})
	}
	u.Progress, u.making = nil, nil
	u.App.View.Draw()
}

// Export saves a collection that is kept here as one file, with what was made in it.
func (u *Upload) Export(id string) {
	if w, ok := u.App.Screens.Other("judge").(workspaces); ok {
		w.Pack(id)
	}
}

// Delete asks once, and deletes at the second time.
func (u *Upload) Delete(id string) {
	if u.Deleting != id {
		u.Deleting = id
		u.App.View.Draw()
		return
	}
	u.Deleting = ""
	u.App.Engine.Request(message.Uploads, &message.AskUploads{Delete: id})
	u.App.View.Draw()
}

// Rename begins to edit the name of a kept collection.
func (u *Upload) Rename(id string) {
	u.Renaming, u.NewName, u.Deleting = id, u.called(id), ""
	u.App.View.Draw()
	u.App.View.FocusOn("new-name")
}

// Call gives the collection whose name is edited that name; "" leaves it as it is called.
func (u *Upload) Call(name string) {
	id := u.Renaming
	u.Renaming = ""
	if name = strings.Join(strings.Fields(name), " "); name != "" && id != "" && name != u.called(id) {
		u.renamed = id
		u.App.Engine.Request(message.Uploads, &message.AskUploads{Rename: id, Name: name})
	}
	u.App.View.Draw()
}

// called is the name of a kept collection, "" if it is not in the list.
func (u *Upload) called(id string) string {
	if u.Shelf != nil {
		for _, x := range u.Shelf.List {
			if x.ID == id {
				return x.Name
			}
		}
	}
	return ""
}

// listed takes the list of what is kept, and tells the header and other tabs of the name that was given here.
func (u *Upload) listed(s *message.Shelf) {
	u.Shelf = s
	id := u.renamed
	u.renamed = ""
	name := u.called(id)
	if name == "" {
		return
	}
	u.Renamed(id, name)
	if w, ok := u.App.Screens.Other("judge").(workspaces); ok {
		w.Rename(id, name)
	}
}

// Renamed takes a name that another tab gave a collection.
func (u *Upload) Renamed(id, name string) {
	if o := u.App.Engine.Opened; o != nil && o.Ref.ID == id {
		o.Ref.Name = name
	}
	if u.Shelf != nil {
		for i := range u.Shelf.List {
			if u.Shelf.List[i].ID == id {
				u.Shelf.List[i].Name = name
			}
		}
	}
	u.App.View.Draw()
}

// Duplicate makes a second collection of a kept one, with its queries, grades and notes.
func (u *Upload) Duplicate(id string) {
	name := u.called(id)
	if name == "" || u.Busy() || u.copied != "" {
		return
	}
	base := name + " (copy"
	next := base + ")"
	for n := 2; u.taken(next); n++ {
		next = base + " " + strconv.Itoa(n) + ")"
	}
	u.copied, u.Deleting = id, ""
	u.Progress = &message.Progress{What: "Duplicating " + name}
	u.App.Engine.Request(message.Duplicate, &message.AskDuplicate{ID: id, Name: next})
	u.App.View.Draw()
}

func (u *Upload) taken(name string) bool {
	return slices.ContainsFunc(u.Shelf.List, func(x message.Uploaded) bool { return x.Name == name })
}

// duplicated takes the duplicate, and has what was made in the first one copied.
func (u *Upload) duplicated(r message.Reply) {
	from := u.copied
	u.copied, u.Progress = "", nil
	if x, ok := r.Answer.(*message.Uploaded); ok && from != "" {
		if w, ok := u.App.Screens.Other("judge").(workspaces); ok {
			w.CopyTo(from, x.ID)
		}
		u.App.Notices.Say(x.Name + " was made.")
		u.App.Engine.Request(message.Uploads, &message.AskUploads{})
	}
	u.App.View.Draw()
}

// Unfold opens the card of a collection, or closes it.
func (u *Upload) Unfold(id string) {
	if u.Card == id {
		id = ""
	}
	u.Card = id
	u.App.View.Draw()
}

// Listed are the collections of the gallery that pass its filter.
func (u *Upload) Listed() (out []*gallery.Collection) {
	if u.Gallery == nil {
		return nil
	}
	for i := range u.Gallery.Collections {
		g := &u.Gallery.Collections[i]
		if (u.Language == "" || g.Language == u.Language) && (u.Largest == 0 || g.Transfer <= u.Largest) {
			out = append(out, g)
		}
	}
	return out
}

// Link is where a collection is searched.
func (u *Upload) Link(id string) string { return u.linkTo("search", id) }

// Judge is where it is judged.
func (u *Upload) Judge(id string) string { return u.linkTo("judge", id) }

func (u *Upload) linkTo(screen share.Screen, id string) string {
	a := share.Address{Screen: screen, Spec: u.spec(id)}
	fragment, err := share.Encode(a)
	if err != nil {
		return u.App.Location.Path(screen)
	}
	return u.App.Location.Path(screen) + "#" + fragment
}

// Open searches a collection.
func (u *Upload) Open(id string) { u.OpenIn("search", id) }

// OpenIn opens a collection on a screen.
func (u *Upload) OpenIn(screen share.Screen, id string) {
	u.App.Change(true, func(a *share.Address) { *a = share.Address{Screen: screen, Spec: u.spec(id)} })
}
