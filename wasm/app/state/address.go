package state

// The address: what of the state it says, and what becomes of the state when it changes.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// read returns what a path and a fragment say. What is wrong with a link is said in Problem, and the home page opens.
func (a *App) read(path, fragment string) share.Address {
	row := rowOf(path, fragment)
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == "main" {
		fragment = ""
	}
	s := share.Address{Screen: plainScreen(share.Screen(row.Name))}
	switch {
	case row.Link != "" && (!row.Both || strings.HasPrefix(fragment, row.Link)):
		x := a.Screens.Other(share.Screen(row.Name))
		readPath(x, path)
		if fragment != "" {
			readLink(x, fragment)
		}
		s = clone(a.Address)
		s.Screen = share.Screen(row.Name)
		return a.framed(s)
	case fragment == "" || !HasWorker: // the screens of a program without a worker read their own
		return a.exemplify(s)
	}
	d, err := share.Decode(fragment)
	if err != nil {
		a.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err), Where: "the part of the address after #",
			Do: "Ask for the link again, or go on with the demo collection below."}
		return a.exemplify(share.Address{})
	}
	if screens.Named(string(d.Screen)) == nil {
		a.Problem = &message.Problem{What: "This link could not be opened: there is no screen " + strconv.Quote(string(d.Screen)) + ".", Where: "the part of the address after #",
			Do: "It may be from a later version of this site. Ask for the link again, or go on with the demo collection below."}
		return a.exemplify(share.Address{})
	}
	return a.framed(a.exemplify(d))
}

// rowOf is the screen that an address opens.
func rowOf(path, fragment string) *screens.Screen {
	if of := screens.Of(strings.TrimPrefix(fragment, "#")); of != nil {
		return of
	}
	return screens.At(path)
}

// plainScreen is the name of a screen as links write it: the home page has none.
func plainScreen(s share.Screen) share.Screen {
	if s == share.Home {
		return ""
	}
	return s
}

func clone(s share.Address) share.Address {
	s.Systems = slices.Clone(s.Systems)
	s.Measures = slices.Clone(s.Measures)
	s.Filter.Categories = slices.Clone(s.Filter.Categories)
	s.Filter.Entities = slices.Clone(s.Filter.Entities)
	return s
}

// WriteAddress writes where we are into the address bar; push makes a new entry of the history.
func (a *App) WriteAddress(push bool) {
	f := a.fragment()
	if push {
		a.entries++
		a.entry = a.entries
	}
	a.visited[a.entry] = a.Present()
	a.fx.Address(a.Path(a.Screen), f, push)
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
	if own := Subpath(a.Screens.Other(s)); own != "" {
		path = own
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
		if x, ok := as[FileTaker](a.Screens.On()); ok && x.TakesFiles() {
			row, to.Path = screens.Named(string(a.Screen)), Subpath(a.Screens.On())
			to.Fragment, to.Entry = a.fragment(), a.entry
		}
		a.fetch(row, to)
		return
	}
	if s := a.Screens.fileTaker(); s != nil {
		s.AddFiles(list)
		return
	}
	a.leave(screens.OfFiles(), away{Entry: -1, Files: append(a.away.Files, list...)})
}

// fragment returns the address as a fragment with its "#", "" for a page without any setting.
func (a *App) fragment() string {
	if f, own := a.Screens.fragment(); own {
		return f
	}
	if !HasWorker {
		return ""
	}
	plain := share.Address{Screen: a.Screen}
	if equal(plain, a.Address) || equal(a.exemplify(plain), a.Address) {
		return ""
	}
	f, err := share.Encode(Explicit(a.Address))
	if err != nil {
		return ""
	}
	return "#" + f
}

// Explicit writes the default systems out where the address points at one of them: a link must not change its meaning when the
// defaults do.
func Explicit(s share.Address) share.Address {
	if len(s.Systems) == 0 && (s.Baseline != 0 || s.System != 0) {
		s.Systems = slices.Clone(Defaults)
	}
	return s
}

// equal reports whether two addresses mean the same.
func equal(a, b share.Address) bool {
	if !HasWorker { // which has no systems in its addresses
		return a.Screen == b.Screen
	}
	return share.Equal(Explicit(a), Explicit(b))
}

// settle asks for what the change from old made necessary.
func (a *App) settle(old share.Address) {
	if a.Screen != old.Screen {
		a.Screens.moved(old.Screen)
	}
	if a.Collection() != a.collectionOf(old.Spec) {
		a.Opened, a.Report, a.Results, a.Why, a.Curve = nil, nil, nil, nil, nil
		a.Phase = Opening
		a.open()
		a.Draw()
		return
	}
	if HasWorker && a.Phase == Ready {
		if !a.HasQuery() {
			a.Results, a.Why = nil, nil
		} else if searchDiffers(old.Spec, a.Spec) || a.Results == nil || a.Excerpt && a.Screen != "" {
			if a.Excerpt && a.Screen != "" { // Home shows it, dimmed, until the answer is there
				a.Results, a.Excerpt = nil, false
			}
			a.send(message.Search)
		}
		if a.Focus.Document == "" {
			a.Why = nil
		} else if old.Focus != a.Focus || searchDiffers(old.Spec, a.Spec) {
			a.explain()
		}
		if !slices.Equal(old.Systems, a.Spec.Systems) || old.Baseline != a.Spec.Baseline || !slices.Equal(old.Measures, a.Spec.Measures) {
			a.evaluateSoon()
		}
		a.curveSoon()
	}
	a.Draw()
}

func (a *App) collectionOf(s experiment.Spec) string {
	if s.Collection == "" {
		return a.Default
	}
	return s.Collection
}

func searchDiffers(x, y experiment.Spec) bool {
	x.Baseline, y.Baseline = 0, 0
	return !share.Equal(share.Address{Spec: x}, share.Address{Spec: y})
}
