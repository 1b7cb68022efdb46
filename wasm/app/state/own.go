package state

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
)

// The address bar, and so the browser's history, holds nothing of documents of one's own: not what is asked of them,
// not their ids and not what they are about. The device remembers it instead. A link that is shared has what it shows.

// PlayKey is what the device remembers the table under that is played with at play.Own.
const PlayKey = tabKey + "play"

// tabKey begins what every tab remembers for itself. A new tab begins with what was remembered last in any.
const tabKey = "tab "

// AskedKey is what the device remembers the query under that was asked last of an uploaded collection, with the filter
// and the open document.
func AskedKey(collection string) string { return tabKey + collection }

// Listed is an address as the browser's history may list it.
func Listed(at share.Address) share.Address {
	at = Explicit(at)
	if HasWorker && Uploaded(at.Collection) {
		at.Query, at.Filter, at.Focus = "", experiment.Filter{}, experiment.Focus{}
	}
	return at
}

// asked is what Listed leaves out, with what it belongs to.
func asked(at share.Address) share.Address {
	at = Explicit(at)
	return share.Address{Focus: at.Focus, Spec: experiment.Spec{Collection: at.Collection, Systems: at.Systems,
		QueryID: at.QueryID, Query: at.Query, Filter: at.Filter}}
}

// remember has the device remember what was asked of documents of one's own, if the change from old changed it.
func (l *Location) remember(old share.Address) {
	c := l.settings.Collection()
	if !HasWorker || !Uploaded(c) {
		return
	}
	now, f := asked(l.settings.Address), ""
	switch listed := asked(Listed(l.settings.Address)); {
	case share.Equal(now, asked(old)):
		return
	case !share.Equal(now, listed):
		f, _ = share.Encode(now)
	case l.settings.collectionOf(old.Spec) != c: // it was just opened
		return
	}
	l.device.Remember(AskedKey(c), f)
}

// Recalled is an address of documents of one's own with what was asked of them last, where it names no other query.
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
