package state

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// What a person added to a collection, queries and grades, is the Judge screen's, which reads it from the device. The page tells it when a
// collection was opened, and takes the collection back as it is with them.

// OwnKey is what the device remembers a collection under to which somebody has added something: the first program, which has no Judge
// screen, then fetches the one that has.
func OwnKey(collection string) string { return "workspace of " + collection }

// LogKey is what the device remembers if the click log is on: the program that keeps it is then fetched at once.
const LogKey = "click log"

// openWorkspace has the workspace of the open collection read.
func (a *App) openWorkspace() {
	a.awaited = a.fx.Recall(OwnKey(a.Collection())) != ""
	if a.Screens.openWorkspace() {
		return
	}
	if (a.awaited || a.fx.Recall(LogKey) != "") && !a.partial {
		a.partial = true
		a.fx.Swap(screens.Rich)
	}
}

// Adopted takes the open collection with the queries and judgments of the workspace: lists and figures are asked for anew. nil is for a
// workspace that could not be read, or holds nothing.
func (a *App) Adopted(o *message.Opened) {
	waited := a.awaited
	a.awaited = false
	if o == nil {
		if waited && a.Opened != nil && a.Spec.QueryID != "" && a.Query() == nil {
			a.lookUp()
		}
		return
	}
	a.Opened = o
	if a.Spec.QueryID != "" && a.Query() == nil { // it was removed
		a.Spec.QueryID, a.Results, a.Why = "", nil, nil
		a.WriteAddress(false)
	}
	if a.HasQuery() {
		a.send(message.Search)
	}
	if a.Focus.Document != "" {
		a.explain()
	}
	a.send(message.Evaluate)
	a.curveSoon()
	a.Draw()
}
