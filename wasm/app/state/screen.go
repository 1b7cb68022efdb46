package state

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Screen is what a screen keeps beside the address, and does beside searching in the open collection. A screen that embeds Plain does
// nothing of it but what it says.
type Screen interface {
	ID() share.Screen

	// Save returns what undo goes back to; Restore puts it back, after the address.
	Save() any
	Restore(saved any)

	// Path is where on the site the screen is, "" for the path of its row; ReadPath takes the path that was opened.
	Path() string
	ReadPath(path string)
	// Fragment is the screen's part of the address, with its "#", where that is not the page's own; own says whether it is.
	Fragment() (fragment string, own bool)
	// ReadLink takes a fragment that the screen reads itself, without "#"; Begin asks the worker for what that needs.
	ReadLink(fragment string)
	Begin()
	// CopyLink puts the screen's own link onto the clipboard; false where the page's is meant.
	CopyLink() bool

	// Takes says whether a kind of replies is the screen's. Of those that are, Receive gets the newest, and Hear how far it is before that.
	Takes(message.Kind) bool
	Receive(message.Reply)
	Hear(*message.Progress)

	// Found is told that the query in the address was answered, while the screen is open.
	Found()

	// Died is told before the worker is replaced, Again asks the new
	// one for what was owed.
	Died(reason string)
	Again()

	// Presented is told that presenter view has begun or ended while the screen is open.
	Presented()

	// TakesFiles says whether files that are given to the page are for this screen, and AddFiles takes them.
	TakesFiles() bool
	AddFiles([]message.File)
}

// Sharer is a screen that hands on more than a link: Offers are lines of the menu Share, HandOn does what one of them
// says.
type Sharer interface {
	Offers() []Offer
	HandOn(id string)
}

// Weigher is a Sharer that asks for the sizes of what it offers, once somebody looks.
type Weigher interface{ Weigh() }

// Offer is something that a screen hands on: what it is called, and its size or what it contains.
type Offer struct{ ID, Text, Note string }

// Plain is a screen that keeps nothing beside the address.
type Plain struct{}

func (Plain) Save() any                { return nil }
func (Plain) Restore(any)              {}
func (Plain) Path() string             { return "" }
func (Plain) ReadPath(string)          {}
func (Plain) Fragment() (string, bool) { return "", false }
func (Plain) ReadLink(string)          {}
func (Plain) Begin()                   {}
func (Plain) CopyLink() bool           { return false }
func (Plain) Takes(message.Kind) bool  { return false }
func (Plain) Receive(message.Reply)    {}
func (Plain) Hear(*message.Progress)   {}
func (Plain) Found()                   {}
func (Plain) Died(string)              {}
func (Plain) Again()                   {}
func (Plain) Presented()               {}
func (Plain) TakesFiles() bool         { return false }
func (Plain) AddFiles([]message.File)  {}

// On is the screen that is open, nil where this program does not hold it or it keeps nothing.
func (a *App) On() Screen { return a.holding(a.Screen) }

func (a *App) holding(name share.Screen) Screen {
	for _, s := range a.screens {
		if s.ID() == name {
			return s
		}
	}
	return nil
}

// Other is another screen by its name, nil where this program does not hold it or it keeps nothing.
func (a *App) Other(name share.Screen) Screen { return a.holding(name) }

// taker is the screen that takes the replies of a kind, nil for the page itself.
func (a *App) taker(kind message.Kind) Screen {
	for _, s := range a.screens {
		if s.Takes(kind) {
			return s
		}
	}
	return nil
}

// Path returns the address of a screen.
func Path(s share.Screen) string {
	if row := screens.Named(string(s)); row != nil {
		return row.Path
	}
	return "/"
}

// Path is the address of a screen in the view that is on.
func (a *App) Path(s share.Screen) string {
	if a.Embedded {
		return embedPath
	}
	path := Path(s)
	if x := a.holding(s); x != nil && x.Path() != "" {
		path = x.Path()
	}
	if a.Presenter {
		path += "?presenter"
	}
	return path
}

// AddFiles takes files that were dropped, chosen or pasted.
func (a *App) AddFiles(list []message.File) {
	if a.Embedded {
		return
	}
	if !HasWorker { // whatever the files are, a worker reads them
		row, to := screens.OfFiles(), away{Entry: -1, Files: append(a.away.Files, list...)}
		if x := a.On(); x != nil && x.TakesFiles() {
			row, to.Path, to.Fragment, to.Entry = screens.Named(string(a.Screen)), x.Path(), a.fragment(), a.entry
		}
		a.fetch(row, to)
		return
	}
	if s := a.On(); s != nil && s.TakesFiles() {
		s.AddFiles(list)
		return
	}
	for _, s := range a.screens {
		if s.TakesFiles() {
			s.AddFiles(list)
			return
		}
	}
	a.leave(screens.OfFiles(), away{Entry: -1, Files: append(a.away.Files, list...)})
}

// Step is what undo goes back to.
type Step struct {
	address share.Address
	kept    []any // a screen
}

// Present is the step that leads back to what is on the screen.
func (a *App) Present() Step {
	s := Step{address: clone(a.Address)}
	for _, x := range a.screens {
		s.kept = append(s.kept, x.Save())
	}
	return s
}

// restore puts back what was on the screen at a step; the caller settles the address.
func (a *App) restore(s Step) {
	a.Address = clone(s.address)
	for i, x := range a.screens {
		x.Restore(s.kept[i])
	}
}

// Keep puts a step onto the undo list. Changes of the same kind in a row, but "", are one step: again says that this is one more of
// the last.
func (a *App) Keep(s Step, kind string) (again bool) {
	again = kind != "" && kind == a.lastKind
	if !again {
		a.undo = append(a.undo, s)
		if len(a.undo) > 100 {
			a.undo = a.undo[1:]
		}
		a.redo = nil
	}
	a.lastKind = kind
	return again
}

// Unkeep drops the last step of the undo list where it leads to what is on the screen of x anyway.
func (a *App) Unkeep(x Screen, same func(saved any) bool) {
	n := len(a.undo)
	for i, s := range a.screens {
		if s == x && n > 0 && same(a.undo[n-1].kept[i]) {
			a.undo = a.undo[:n-1]
			return
		}
	}
}

// Offers are what the open screen hands on beside its link.
func (a *App) Offers() []Offer {
	var list []Offer
	if x := a.sharer(); x != nil {
		list = x.Offers()
	}
	if a.searching() {
		list = append(list, Offer{ID: "embed", Text: "Embed code", Note: "a frame for a slide or course page"})
	}
	return list
}

// searching says whether the open screen is one whose link is its address.
func (a *App) searching() bool { return a.Screen == share.Home || a.Screen == share.Search }

// Weigh is told that the menu of the offers was asked for.
func (a *App) Weigh() {
	a.LinkLength = 0
	if link, err := a.Link(); err == nil && a.searching() {
		a.LinkLength = len(link)
	}
	a.Draw()
	if x, ok := a.On().(Weigher); ok {
		x.Weigh()
	}
}

// HandOn hands on what one of the offers says.
func (a *App) HandOn(id string) {
	if link, err := a.Link(); id == "embed" && err == nil && a.searching() {
		a.CopyFrame(a.EmbedCode(link, "Rankbox", "640"))
		return
	}
	if x := a.sharer(); x != nil {
		x.HandOn(id)
	}
}

// sharer is the open screen, and for Search the one that knows of the collection's workspace; nil where nothing is
// handed on.
func (a *App) sharer() Sharer {
	of := a.Screen
	if of == share.Search {
		of = "judge"
	}
	x, _ := a.holding(of).(Sharer)
	return x
}
