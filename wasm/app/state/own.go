package state

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
)

// The address bar, and so the browser's history, says nothing about the user's own documents: no typed query, no
// document id, no filter. The device stores them instead. A shared link contains everything that it shows.

// PlayKey is the device's key of the table at play.Own.
const PlayKey = tabKey + "play"

// tabKey begins the keys whose values each tab has for itself. A new tab starts with the values that any tab stored
// last.
const tabKey = "tab "

// AskedKey is the device's key of the last query of an uploaded collection, with its filter and the open document.
func AskedKey(collection string) string { return tabKey + collection }

// Listed is an address as the browser's history may show it.
func Listed(at share.Address) share.Address {
	at = Explicit(at)
	if HasWorker && Uploaded(at.Collection) {
		at.Query, at.Filter, at.Focus = "", experiment.Filter{}, experiment.Focus{}
	}
	return at
}

// asked is the part of an address that Listed leaves out, with the collection, systems and judged query it belongs to.
func asked(at share.Address) share.Address {
	at = Explicit(at)
	return share.Address{Focus: at.Focus, Spec: experiment.Spec{Collection: at.Collection, Systems: at.Systems,
		QueryID: at.QueryID, Query: at.Query, Filter: at.Filter}}
}

// remember stores the query, the filter and the open document of an uploaded collection on the device, if the change
// from old changed one of them.
func (l *Location) remember(old share.Address) {
	c := l.settings.Collection()
	if !HasWorker || !Uploaded(c) {
		return
	}
	now, f := asked(l.settings.Address), ""
	switch {
	case share.Equal(now, asked(old)):
		return
	case !share.Equal(now, asked(Listed(now))):
		f, _ = share.Encode(now)
	case l.settings.collectionOf(old.Spec) != c: // it was just opened
		return
	}
	l.device.Remember(AskedKey(c), f)
}

// Recalled is the address of an uploaded collection with the last query, filter and open document, unless the address
// names others.
func Recalled(d Device, at share.Address) share.Address {
	if !HasWorker || !Uploaded(at.Collection) || !share.Equal(at, Listed(at)) {
		return at
	}
	was, err := share.Decode(d.Recall(AskedKey(at.Collection)))
	if err != nil || was.QueryID != at.QueryID {
		return at
	}
	at.Query, at.Filter = was.Query, was.Filter
	if was.System < max(1, len(Explicit(at).Systems)) {
		at.Focus = was.Focus
	}
	return at
}
