package state

import (
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// What changes the address, and what becomes of the page when it changes.

// Go shows a screen.
func (a *App) Go(s share.Screen) {
	if row := screens.Named(string(s)); row == nil || a.Programs.leave(row, away{Entry: -1}) {
		return
	}
	a.Programs.away = away{}
	if x := a.Screens.On(); s == a.Settings.Screen && Subpath(x) != "" { // from a page of a screen to its first
		readPath(x, Path(s))
		a.Location.Write(true)
		a.View.Draw()
		return
	}
	a.change("", true, func(p *share.Address) { p.Screen = s })
}

// Change applies f, to the address or to what a screen keeps, as one step that can be undone.
func (a *App) Change(push bool, f func(*share.Address)) {
	old := a.History.Present()
	f(&a.Settings.Address)
	a.History.Keep(old, "")
	a.Location.Write(push)
	a.settle(old.address)
}

// change applies f to the address as one step that can be undone. Changes of the same kind in a row (a slider that is
// dragged, a word that is typed) are one step; push says whether the address gets a new entry of the history at its
// first.
func (a *App) change(kind string, push bool, f func(*share.Address)) {
	old := a.History.Present()
	f(&a.Settings.Address)
	if equal(old.address, a.Settings.Address) {
		return
	}
	if !strings.HasPrefix(kind, "set ") {
		a.Sliders.Held = nil
	}
	again := a.History.Keep(old, kind)
	a.Location.Write(push && !again)
	a.settle(old.address)
}

// Show opens a document without a step of undo: leafing is none.
func (a *App) Show(f experiment.Focus) {
	old := clone(a.Settings.Address)
	a.Settings.Focus = f
	a.Location.Write(false)
	a.settle(old)
}

// OpenBehind opens a collection without leaving the screen, and without a step of undo.
func (a *App) OpenBehind(collection string) {
	old := clone(a.Settings.Address)
	a.Settings.Spec = experiment.Spec{Collection: collection}
	a.settle(old)
}

// Forget drops what the page remembers of a collection that was deleted: neither undo nor the browser's Back shows its
// queries again. If it was open, the first collection of the site is.
func (a *App) Forget(collection string) {
	of := func(s Step) bool { return a.Settings.collectionOf(s.address.Spec) == collection }
	a.History.undo = slices.DeleteFunc(a.History.undo, of)
	a.History.redo = slices.DeleteFunc(a.History.redo, of)
	maps.DeleteFunc(a.Location.visited, func(_ int, s Step) bool { return of(s) })
	if a.Settings.Collection() == collection {
		old := clone(a.Settings.Address)
		a.Settings.Address = share.Address{Screen: old.Screen}
		a.Location.Write(false)
		a.settle(old)
	}
}

// settle asks for what the change from old made necessary.
func (a *App) settle(old share.Address) {
	a.Location.remember(old)
	if a.Settings.Screen != old.Screen {
		a.Screens.moved(old.Screen)
	}
	if a.Settings.Collection() != a.Settings.collectionOf(old.Spec) {
		a.Engine.Opened, a.Figures.Report, a.Search.Results, a.Search.Why, a.Sliders.Curve = nil, nil, nil, nil, nil
		a.Engine.Phase, a.Engine.Progress = Opening, message.Progress{}
		a.open()
		a.View.Draw()
		return
	}
	if HasWorker && a.Engine.Phase == Ready {
		if !a.Settings.HasQuery() {
			a.Search.Results, a.Search.Why = nil, nil
		} else if searchDiffers(old.Spec, a.Settings.Spec) || a.Search.Results == nil ||
			a.Search.Excerpt && a.Settings.Screen != "" {
			if a.Search.Excerpt && a.Settings.Screen != "" { // Home shows it, dimmed, until the answer is there
				a.Search.Results, a.Search.Excerpt = nil, false
			}
			a.Search.ask()
		}
		if a.Settings.Focus.Document == "" {
			a.Search.Why = nil
		} else if old.Focus != a.Settings.Focus || searchDiffers(old.Spec, a.Settings.Spec) {
			a.Search.explain()
		}
		if !slices.Equal(old.Systems, a.Settings.Spec.Systems) || old.Baseline != a.Settings.Spec.Baseline ||
			!slices.Equal(old.Measures, a.Settings.Spec.Measures) {
			a.Figures.soon()
		}
		a.Sliders.curveSoon()
	}
	a.View.Draw()
}

// Undo takes the last change of settings back.
func (a *App) Undo() { a.travel(a.History.back, "Undone.") }

// Redo makes the last change that was undone again.
func (a *App) Redo() { a.travel(a.History.on, "Done again.") }

// travel goes one step back or on, and says so.
func (a *App) travel(to func() bool, said string) {
	old := clone(a.Settings.Address)
	if !to() {
		return
	}
	a.Sliders.Held = nil
	a.Editor.Editing = -1
	a.Location.Write(false)
	a.settle(old)
	a.Notices.Say(said)
}

// Moved is told that the address changed by itself: back, forward, or edited by hand. entry is the number of the entry
// of the browser's history: that of a page that was pushed, in the order of the pushes from 1, 0 for the first one, or
// a new number. An entry that was on this page before comes back as it was, files and all; otherwise the address says
// what to show.
func (a *App) Moved(path, fragment string, entry int) {
	old := clone(a.Settings.Address)
	if entry == a.Location.entry { // told twice, as popstate and as hashchange
		if s, ok := a.Location.visited[entry]; ok && (a.View.Embedded || Path(s.address.Screen) == path) &&
			equal(s.address, a.Settings.Address) {
			return
		}
	}
	a.Notices.Problem = nil
	was, known := a.Location.visited[entry]
	if row := rowOf(path, fragment); !known &&
		a.Programs.leave(row, away{Path: path, Fragment: fragment, Entry: entry}) {
		return
	}
	a.Programs.away = away{}
	a.Location.entry, a.Location.entries = entry, max(a.Location.entries, entry)
	if known {
		a.History.restore(was)
	} else {
		a.Settings.Address = a.Location.read(path, fragment)
		if a.Notices.Problem != nil {
			a.Location.Write(false)
		}
		a.Screens.begin()
	}
	a.History.lastKind = ""
	a.Editor.Editing = -1
	a.settle(old)
}

// AddFiles takes files that were dropped, chosen or pasted.
func (a *App) AddFiles(list []message.File) {
	if a.View.Embedded {
		return
	}
	if !HasWorker { // whatever the files are, a worker reads them
		row, to := screens.OfFiles(), away{Entry: -1, Files: append(a.Programs.away.Files, list...)}
		if x, ok := as[FileTaker](a.Screens.On()); ok && x.TakesFiles() {
			row, to.Path = screens.Named(string(a.Settings.Screen)), Subpath(a.Screens.On())
			to.Fragment, to.Entry = a.Location.fragment(), a.Location.entry
		}
		a.Programs.fetch(row, to)
		return
	}
	if s := a.Screens.fileTaker(); s != nil {
		s.AddFiles(list)
		return
	}
	a.Programs.leave(screens.OfFiles(), away{Entry: -1, Files: append(a.Programs.away.Files, list...)})
}

// TogglePresenter switches the presenter view, which addresses keep.
func (a *App) TogglePresenter() {
	a.View.Presenter = !a.View.Presenter
	a.Location.Write(false)
	a.View.Draw()
	a.Screens.presented()
}
