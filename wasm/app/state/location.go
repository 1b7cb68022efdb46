package state

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Location is the address bar and the browser's history.
type Location struct {
	settings *Settings
	screens  *Screens
	view     *View
	history  *History
	notices  *Notices
	device   Device

	entry   int          // of the browser's history
	entries int          // how many there were
	visited map[int]Step // what was on the screen at an entry when it was left
}

// Embed is the screen of a frame whose address holds nothing that it could show.
const Embed share.Screen = "embed"

// embedPath is the one path that other sites may frame.
var embedPath = screens.Named(string(Embed)).Path

// Path returns the address of a screen.
func Path(s share.Screen) string {
	if row := screens.Named(string(s)); row != nil {
		return row.Path
	}
	return "/"
}

// Path is the address of a screen in the view that is on.
func (l *Location) Path(s share.Screen) string {
	if l.view.Embedded {
		return embedPath
	}
	path := Path(s)
	if own := Subpath(l.screens.Other(s)); own != "" {
		path = own
	}
	if l.view.Presenter {
		path += "?presenter"
	}
	return path
}

// Write writes where we are into the address bar; push makes a new entry of the history.
func (l *Location) Write(push bool) {
	f := l.fragment()
	if push {
		l.entries++
		l.entry = l.entries
	}
	l.visited[l.entry] = l.history.Present()
	l.view.window.Address(l.Path(l.settings.Screen), f, push)
}

// fragment returns the address as a fragment with its "#", "" for a page without any setting.
func (l *Location) fragment() string {
	if f, own := l.screens.fragment(); own {
		return f
	}
	if !HasWorker {
		return ""
	}
	plain := share.Address{Screen: l.settings.Screen}
	if equal(plain, l.settings.Address) || equal(l.settings.exemplify(plain), l.settings.Address) {
		return ""
	}
	f, err := share.Encode(Listed(l.settings.Address))
	if err != nil {
		return ""
	}
	return "#" + f
}

// WholePage is the address of the page of which a frame shows a part.
func (l *Location) WholePage() string {
	if l.settings.Screen == Embed {
		return Path(share.Home)
	}
	return Path(l.settings.Screen) + l.fragment()
}

// read returns what a path and a fragment say. What is wrong with a link is said in Problem, and the home page opens.
func (l *Location) read(path, fragment string) share.Address {
	row := rowOf(path, fragment)
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == "main" {
		fragment = ""
	}
	s := share.Address{Screen: plainScreen(share.Screen(row.Name))}
	switch {
	case row.Link != "" && (!row.Both || strings.HasPrefix(fragment, row.Link)):
		x := l.screens.Other(share.Screen(row.Name))
		readPath(x, path)
		if fragment != "" {
			readLink(x, fragment)
		}
		s = clone(l.settings.Address)
		s.Screen = share.Screen(row.Name)
		return l.framed(s)
	case fragment == "" || !HasWorker: // the screens of a program without a worker read their own
		return l.settings.exemplify(s)
	}
	d, err := share.Decode(fragment)
	if err != nil {
		return l.refuse(say.Sentence(err), "Ask for the link again, or go on with the demo collection below.")
	}
	if screens.Named(string(d.Screen)) == nil {
		return l.refuse("there is no screen "+strconv.Quote(string(d.Screen))+".", "It may be from a later version of "+
			"this site. Ask for the link again, or go on with the demo collection below.")
	}
	return l.framed(l.settings.exemplify(Recalled(l.device, d)))
}

// refuse says why a link could not be opened, and returns the address of the home page.
func (l *Location) refuse(why, do string) share.Address {
	l.notices.Problem = &message.Problem{
		What: "This link could not be opened: " + why, Where: "the part of the address after #", Do: do,
	}
	return l.settings.exemplify(share.Address{})
}

// framed is an address, but that of the empty frame where a frame does not show its screen.
func (l *Location) framed(s share.Address) share.Address {
	if l.view.Embedded && !screens.Named(string(s.Screen)).Part {
		return share.Address{Screen: Embed}
	}
	return s
}
