package state

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
)

// Project is a collection on this device and what was made in it, as far as that is known before either is opened.
type Project struct {
	ID, Name        string
	Grades, Queries int
	Edited          int64 // when the last edit was made, in milliseconds since 1970; 0 for none
}

// projectKey is the device's key of the collection of one's own that was opened last.
const projectKey = "last project"

// LedgerKey is the device's key of the count of a workspace: it is stored apart from the workspace itself.
func LedgerKey(collection string) string { return "edits of " + collection }

// Counted is the count of a workspace, of what its ledger says.
func (p *Project) Counted(ledger string) {
	f := strings.SplitN(ledger, " ", 4)
	if len(f) < 4 {
		return
	}
	p.Grades, _ = strconv.Atoi(f[0])
	p.Queries, _ = strconv.Atoi(f[1])
	p.Edited, _ = strconv.ParseInt(f[2], 10, 64)
}

// rememberProject remembers that a collection was opened, if it is one's own.
func (a *App) rememberProject(o *message.Opened) {
	if HasWorker && Uploaded(o.Ref.ID) {
		a.Browser.Remember(projectKey, o.Ref.ID+" "+o.Ref.Name)
	}
}

// ForgetProject forgets a collection that was deleted.
func (a *App) ForgetProject(id string) {
	if p := a.LastProject(); p != nil && p.ID == id {
		a.Browser.Remember(projectKey, "")
	}
}

// LastProject is the collection of one's own that was opened last, nil for none.
func (a *App) LastProject() *Project {
	id, name, ok := strings.Cut(a.Browser.Recall(projectKey), " ")
	if !ok || !Uploaded(id) {
		return nil
	}
	p := a.Made(id)
	p.Name = name
	return &p
}

// Made is what was made in a collection.
func (a *App) Made(id string) Project {
	p := Project{ID: id}
	p.Counted(a.Browser.Recall(LedgerKey(id)))
	return p
}
