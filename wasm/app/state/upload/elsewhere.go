package upload

import (
	"slices"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// edges is what knows of the edge of the site.
type edges interface {
	Ask()
	Offers() *message.Offered
}

// locate asks what the edge offers, since the files hold queries but no documents. No backend is asked.
func (im *Import) locate(p *message.Previewed) {
	first := im.Draft.Seen == nil || !im.Draft.Distant()
	im.Draft.Seen = p
	if !first {
		return
	}
	if s, ok := im.app.Screens.Other("status").(edges); ok {
		s.Ask()
	}
	if im.app.Settings.Screen == ID {
		im.app.View.FocusOn("import")
	}
}

// Engines are the backends that search, and why there are none. Both are empty while the edge is asked.
func (im *Import) Engines() (list []remote.Backend, why string) {
	s, ok := im.app.Screens.Other("status").(edges)
	if !ok {
		return nil, "This page asks no edge."
	}
	o := s.Offers()
	if o == nil {
		return nil, ""
	}
	for _, b := range o.Backends {
		if slices.Contains(b.Does, "search") {
			list = append(list, b)
		}
	}
	if why = o.Why; why == "" && len(list) == 0 {
		why = "The edge of this site has no backend that searches."
	}
	return list, why
}

// Connect makes a collection of the queries and judgments, whose documents a backend has.
func (im *Import) Connect(backend string) {
	if im.Draft.Distant() && !im.making.Busy() {
		im.making.begin(&message.AskUpload{Files: slices.Clone(im.Draft.Files), Backend: backend})
	}
}

// spec opens a collection: with the system that asks its backend, if its documents are elsewhere.
func (u *Upload) spec(id string) experiment.Spec {
	s := experiment.Spec{Collection: id}
	if u.Vectors.Of(id) { // the usual systems of a collection with vectors: it is about to be one
		s.Systems = slices.Clone(state.DefaultsOf(nil))
	}
	var all []message.Uploaded
	if u.Shelf.Kept != nil {
		all = u.Shelf.Kept.List
	}
	if u.Making.Made != nil {
		all = append(slices.Clone(all), *u.Making.Made)
	}
	for _, x := range all {
		if x.ID == id && x.System != "" {
			s.Systems = []string{x.System}
		}
	}
	return s
}
