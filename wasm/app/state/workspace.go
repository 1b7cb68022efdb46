package state

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
)

// Workspace is whether a person added something to the open collection, queries or grades. The Judge screen reads it
// from the device: the page tells it when a collection was opened, and takes the collection back with them
// (App.Adopted).
type Workspace struct {
	device   Device
	screens  *Screens
	settings *Settings
	programs *Programs

	awaited bool // it is being read from the device
}

// OwnKey is what the device remembers a collection under that has a workspace: the first program,
// which has no Judge screen, then fetches the one that has.
func OwnKey(collection string) string { return "workspace of " + collection }

// Uploaded reports whether a collection, by its id, is one that this device keeps: the start of the content hash
// follows.
func Uploaded(collection string) bool { return strings.HasPrefix(collection, "upload-") }

// LogKey is what the device remembers if the click log is on: the program that keeps it is then fetched at once.
const LogKey = "click log"

// open has the workspace of the open collection read. The first program cannot encode the documents of a collection
// that has no vectors yet. A browser that crashed may have lost the note of a workspace: a link to a query that an
// uploaded collection does not have is to one of its workspace.
func (w *Workspace) open(o *message.Opened) {
	uploaded := Uploaded(o.Ref.ID)
	w.awaited = w.device.Recall(OwnKey(w.settings.Collection())) != "" ||
		uploaded && w.settings.Spec.QueryID != "" && w.settings.Query() == nil
	if w.screens.openWorkspace() {
		return
	}
	if w.awaited || w.device.Recall(LogKey) != "" ||
		len(o.Models) == 0 && uploaded {
		w.programs.readAll()
	}
}
