package upload

import (
	"slices"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
)

// edges is what knows of the edge of the site.
type edges interface {
	Ask()
	Offers() *message.Offered
}

// locate asks what the edge offers, since the files hold queries but no documents. No backend is asked.
func (u *Upload) locate(p *message.Previewed) {
	first := u.Draft.Seen == nil || !u.Distant()
	u.Draft.Seen = p
	if !first {
		return
	}
	if s, ok := u.App.Screens.Other("status").(edges); ok {
		s.Ask()
	}
	if u.App.Settings.Screen == u.ID() {
		u.App.View.FocusOn("import")
	}
}

// Distant reports whether the files hold queries but no documents.
func (u *Upload) Distant() bool {
	d := u.Draft
	return d != nil && d.Seen != nil && len(d.Seen.Tables) == 0 && d.Seen.Queries > 0
}

// Engines are the backends that search, and why there are none. Both are empty while the edge is asked.
func (u *Upload) Engines() (list []remote.Backend, why string) {
	s, ok := u.App.Screens.Other("status").(edges)
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
func (u *Upload) Connect(backend string) {
	if u.Distant() && !u.Busy() {
		u.make(&message.AskUpload{Files: slices.Clone(u.Draft.Files), Backend: backend})
	}
}

// spec opens a collection: with the system that asks its backend, if its documents are elsewhere.
func (u *Upload) spec(id string) experiment.Spec {
	s := experiment.Spec{Collection: id}
	var all []message.Uploaded
	if u.Shelf != nil {
		all = u.Shelf.List
	}
	if u.Made != nil {
		all = append(slices.Clone(all), *u.Made)
	}
	for _, x := range all {
		if x.ID == id && x.System != "" {
			s.Systems = []string{x.System}
		}
	}
	return s
}
