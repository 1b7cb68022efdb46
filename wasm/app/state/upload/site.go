package upload

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// SiteAct is a step of making a site.
type SiteAct struct {
	Do         string // "weigh", "publish" or "stop"
	Collection string // its id
	Name, File string // of the collection, and of the zip
	Workspace  []byte // without documents
	Gallery    []byte // collections.bin of the site
	Tell       func(done int)
}

// SiteMaker carries it out: the browser's page is one. done is told how many bytes a site has unpacked ("weigh"), or
// the zip that was saved ("publish"), 0 if it was given up.
type SiteMaker interface {
	Site(act SiteAct, done func(bytes int, problem string))
}

// Site is the website that is made of a collection: this site's own files, with the collection and its workspace.
type Site struct {
	Of     string // id of the collection, "" while no site is asked for
	Bytes  int    // of the site unpacked, 0 until that is known
	Done   int    // bytes that are in the zip
	Making bool

	app     *state.App
	shelf   *Shelf
	gallery *Gallery
	zip     []byte // the workspace
	asked   int    // how often a site was asked for or given up: what is answered later is stale
}

// Ask weighs the site of a collection, and offers it.
func (s *Site) Ask(id string) {
	w, ok := workspacesOf(s.app)
	m, can := s.app.Browser.(SiteMaker)
	if !ok || !can {
		return
	}
	if s.Making {
		m.Site(SiteAct{Do: "stop"}, func(int, string) {})
	}
	s.asked++
	asked := s.asked
	s.Of, s.Bytes, s.Done, s.Making, s.zip = id, 0, 0, false, nil
	s.app.Notices.Problem = nil
	w.Zip(id, func(zip []byte, problem string) {
		if problem != "" || zip == nil {
			s.failed(asked, "its queries and grades can't be read: "+problem)
			return
		}
		m.Site(SiteAct{Do: "weigh", Collection: id, Workspace: zip}, func(bytes int, problem string) {
			if problem != "" {
				s.failed(asked, problem)
			} else if asked == s.asked {
				s.zip, s.Bytes = zip, bytes
				s.app.View.Draw()
				s.app.View.FocusOn("make-site")
			}
		})
	})
	s.app.View.Draw()
}

// Make makes it.
func (s *Site) Make() {
	m, ok := s.app.Browser.(SiteMaker)
	if !ok || s.zip == nil || s.Making {
		return
	}
	s.Making, s.Done = true, 0
	asked, file := s.asked, s.Of+".site.zip"
	act := SiteAct{Do: "publish", Collection: s.Of, Name: s.Name(), File: file, Workspace: s.zip}
	act.Gallery = wire.Marshal(s.list())
	act.Tell = func(done int) {
		if asked == s.asked {
			s.Done = done
			s.app.View.Draw()
		}
	}
	m.Site(act, func(bytes int, problem string) {
		switch {
		case problem != "":
			s.failed(asked, problem)
		case asked == s.asked && bytes > 0:
			s.close()
			s.app.Notices.Say(file + " was saved. Unzip it, and serve its folder: README.txt says how.")
		}
	})
	s.app.View.Draw()
}

// Cancel gives it up.
func (s *Site) Cancel() {
	if m, ok := s.app.Browser.(SiteMaker); ok {
		m.Site(SiteAct{Do: "stop"}, func(int, string) {})
	}
	s.close()
	s.app.View.Draw()
}

func (s *Site) close() {
	s.asked++
	s.Of, s.zip, s.Making = "", nil, false
}

func (s *Site) failed(asked int, problem string) {
	if asked != s.asked {
		return
	}
	s.app.Notices.Problem = &message.Problem{What: "The site was not made: " + problem + ".",
		Where: "Download as a site", Do: "Nothing is lost. *Export* saves the workspace without the site around it."}
	s.close()
	s.app.View.Draw()
}

// Name is what the collection is called.
func (s *Site) Name() string {
	if name := s.shelf.called(s.Of); name != "" {
		return name
	}
	if o := s.app.Engine.Opened; o != nil && o.Ref.ID == s.Of {
		return o.Ref.Name
	}
	return s.Of
}

// list is the collections that the site shows: its own first.
func (s *Site) list() *gallery.Gallery {
	out := &gallery.Gallery{}
	if s.gallery.Site != nil {
		out.Collections = slices.Clone(s.gallery.Site.Collections)
	}
	own := gallery.Collection{ID: s.Of, Name: s.Name()}
	if at := slices.IndexFunc(out.Collections, func(c gallery.Collection) bool { return c.ID == s.Of }); at >= 0 {
		own = out.Collections[at]
		out.Collections = slices.Delete(out.Collections, at, at+1)
	} else if s.shelf.Kept != nil {
		for _, x := range s.shelf.Kept.List {
			if x.ID == s.Of {
				own.Documents, own.Queries, own.Judgments = x.Documents, x.Queries, x.Judgments
				own.Bytes, own.Transfer, own.Models = x.Bytes, x.Bytes, x.Models
			}
		}
	}
	out.Collections = slices.Insert(out.Collections, 0, own)
	return out
}
