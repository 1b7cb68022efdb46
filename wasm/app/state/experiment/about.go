package experiment

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// longestName is how many bytes of a collection's name a link carries.
const longestName = 80

// Named is the collection that an experiment is about, as its link says. Another device knows nothing else of one that
// was uploaded.
type Named struct {
	ID, Hash, Name string // Hash is 16 hex digits of the content's, "" where any version will do
	Documents      int
}

// Uploaded says whether it is kept by the device on which it was made, and by no server.
func (n *Named) Uploaded() bool { return state.Uploaded(n.ID) }

// naming is what a link says of the collection.
func (x *Experiment) naming() Named {
	n := Named{ID: x.App.Settings.Collection()}
	if o := x.App.Engine.Opened; o != nil && o.Ref.ID == n.ID {
		n.Name, n.Documents = o.Ref.Name, o.Ref.Documents
		n.Hash = o.Ref.Hash[:min(16, len(o.Ref.Hash))]
	}
	// the one that the link asked for, which is not here
	if n.ID == x.named.ID && (n.Hash == "" || x.Missing() != nil) {
		n = x.named
	}
	return n
}

// aboutLink writes the collection: c= its id, h= its hash; and n= name and d= documents of one that no server has.
func (x *Experiment) aboutLink() string {
	n := x.naming()
	s := "&c=" + escape(n.ID)
	if n.Hash != "" {
		s += "&h=" + n.Hash
	}
	if n.Uploaded() && n.Documents > 0 {
		s += "&n=" + escape(strings.ToValidUTF8(n.Name[:min(longestName, len(n.Name))], "")) + "&d=" +
			strconv.Itoa(n.Documents)
	}
	return s
}

// read takes a part of a link; ok says that it was one of these and is well formed.
func (n *Named) read(name, text string) (ok bool) {
	switch name {
	case "c":
		_, err := share.Encode(addressOf(text))
		if ok = err == nil && text != ""; ok {
			n.ID = text
		}
	case "h":
		if ok = len(text) == 16 && strings.Trim(text, "0123456789abcdef") == ""; ok {
			n.Hash = text
		}
	case "n":
		if ok = len(text) <= longestName; ok {
			n.Name = text
		}
	case "d":
		v, err := strconv.Atoi(text)
		if ok = err == nil && v > 0 && v <= 1e9; ok {
			n.Documents = v
		}
	}
	return ok
}

func addressOf(collection string) share.Address {
	a := share.Address{Screen: "search"}
	a.Spec.Collection = collection
	return a
}

// Missing is the collection that the link asked for where it is not on this device or site, or is another version of
// itself; nil otherwise. Nothing is planned or run meanwhile.
func (x *Experiment) Missing() *Named {
	a := x.App
	if x.named.ID == "" || x.named.ID != a.Settings.Collection() {
		return nil
	}
	absent := a.Engine.Phase == state.Failed && (x.named.Uploaded() || a.Engine.Base(x.named.ID) == "")
	other := a.Engine.Opened != nil && a.Engine.Opened.Ref.ID == x.named.ID &&
		!strings.HasPrefix(a.Engine.Opened.Ref.Hash, x.named.Hash)
	if absent || other {
		n := x.named
		return &n
	}
	return nil
}

// Unopened says that the screen itself tells why the collection could not be opened.
func (x *Experiment) Unopened() bool { return x.Missing() != nil }

// Drop forgets the collection that is missing: the systems stay, and run on the one that is open or the site's first.
func (x *Experiment) Drop() {
	if x.Missing() == nil {
		return
	}
	x.App.Change(true, func(a *share.Address) {
		if x.App.Engine.Opened == nil {
			a.Collection = ""
		}
		a.Hash = ""
		x.named, x.Answers, x.Done, x.asked = Named{}, "", nil, false
	})
	x.Look()
}

// elsewhere drops what is known of another collection than the one that is open.
func (x *Experiment) elsewhere() {
	if o := x.App.Engine.Opened; o != nil && x.over != "" && x.over != o.Ref.Hash {
		x.over, x.Done, x.Running, x.asked = "", nil, false, false
		x.Helpers.dismiss()
	}
}
