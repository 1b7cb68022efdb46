package upload

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Shelf is the collections that are kept on this device.
type Shelf struct {
	Kept     *message.Shelf // nil until it was answered
	Deleting string         // the id of the collection whose deletion is to be confirmed
	Renaming string         // the id of the one whose name is being edited
	NewName  string         // as far as it is typed

	app     *state.App
	making  *Making
	vectors *Vectors
	renamed string // id of the collection that was given a name, until the list has it
	copied  string // id of the collection that is being duplicated, "" for none
}

// Export saves a collection that is kept here as one file, with what was made in it.
func (sh *Shelf) Export(id string) {
	if w, ok := workspacesOf(sh.app); ok {
		w.Pack(id)
	}
}

// Delete asks once, and deletes at the second time: the documents, everything that was made over them, and what the
// page remembers of both.
func (sh *Shelf) Delete(id string) {
	if sh.Deleting != id {
		sh.Deleting = id
		sh.app.View.Draw()
		return
	}
	sh.Deleting = ""
	sh.vectors.drop(id)
	sh.app.Browser.Remember(state.AskedKey(id), "")
	sh.app.ForgetProject(id)
	sh.app.Browser.Remember(state.PlayKey, "")
	if sh.making.Made != nil && sh.making.Made.ID == id {
		sh.making.Made = nil
	}
	if w, ok := workspacesOf(sh.app); ok {
		w.Erase(id)
	}
	sh.app.Engine.Request(message.Uploads, &message.AskUploads{Delete: id})
	sh.app.Forget(id)
	sh.app.View.Draw()
}

// Rename begins to edit the name of a kept collection.
func (sh *Shelf) Rename(id string) {
	sh.Renaming, sh.NewName, sh.Deleting = id, sh.called(id), ""
	sh.app.View.Draw()
	sh.app.View.FocusOn("new-name")
}

// Call gives the collection whose name is edited that name; "" leaves it as it is called.
func (sh *Shelf) Call(name string) {
	id := sh.Renaming
	sh.Renaming = ""
	if name = strings.Join(strings.Fields(name), " "); name != "" && id != "" && name != sh.called(id) {
		sh.renamed = id
		sh.app.Engine.Request(message.Uploads, &message.AskUploads{Rename: id, Name: name})
	}
	sh.app.View.Draw()
}

// called is the name of a kept collection, "" if it is not in the list.
func (sh *Shelf) called(id string) string {
	if sh.Kept != nil {
		for _, x := range sh.Kept.List {
			if x.ID == id {
				return x.Name
			}
		}
	}
	return ""
}

// listed takes the list of what is kept, and tells the header and other tabs of the name that was given here.
func (sh *Shelf) listed(s *message.Shelf) {
	sh.Kept = s
	id := sh.renamed
	sh.renamed = ""
	name := sh.called(id)
	if name == "" {
		return
	}
	sh.named(id, name)
	if w, ok := workspacesOf(sh.app); ok {
		w.Rename(id, name)
	}
}

// named gives a collection in the list, and the open one, a name.
func (sh *Shelf) named(id, name string) {
	if o := sh.app.Engine.Opened; o != nil && o.Ref.ID == id {
		o.Ref.Name = name
	}
	if sh.Kept != nil {
		for i := range sh.Kept.List {
			if sh.Kept.List[i].ID == id {
				sh.Kept.List[i].Name = name
			}
		}
	}
	sh.app.View.Draw()
}

// Duplicate makes a second collection of a kept one, with its queries, grades and notes.
func (sh *Shelf) Duplicate(id string) {
	name := sh.called(id)
	if name == "" || sh.making.Busy() || sh.copied != "" {
		return
	}
	base := name + " (copy"
	next := base + ")"
	for n := 2; sh.taken(next); n++ {
		next = base + " " + strconv.Itoa(n) + ")"
	}
	sh.copied, sh.Deleting = id, ""
	sh.making.Progress = &message.Progress{What: "Duplicating " + name}
	sh.app.Engine.Request(message.Duplicate, &message.AskDuplicate{ID: id, Name: next})
	sh.app.View.Draw()
}

func (sh *Shelf) taken(name string) bool {
	return slices.ContainsFunc(sh.Kept.List, func(x message.Uploaded) bool { return x.Name == name })
}

// duplicated takes the duplicate, and has what was made in the first one copied.
func (sh *Shelf) duplicated(r message.Reply) {
	from := sh.copied
	sh.copied, sh.making.Progress = "", nil
	if x, ok := r.Answer.(*message.Uploaded); ok && from != "" {
		if w, ok := workspacesOf(sh.app); ok {
			w.CopyTo(from, x.ID)
		}
		sh.app.Notices.Say(x.Name + " was made.")
		sh.app.Engine.Request(message.Uploads, &message.AskUploads{})
	}
	sh.app.View.Draw()
}
