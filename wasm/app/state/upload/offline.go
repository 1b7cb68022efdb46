package upload

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// OfflineAct is a step of keeping collections of the site for use offline.
type OfflineAct struct {
	Do         string // "list", "keep", "stop" or "remove"
	Collection string // its id
	Tell       func(done, total int)
}

// OfflineKeeper carries it out: the browser's page is one. done is told the ids of the collections that are whole on
// this device afterwards.
type OfflineKeeper interface {
	Offline(act OfflineAct, done func(kept []string, problem string))
}

// Offline is the collections of the site that are kept on this device.
type Offline struct {
	Of          string // the id of the collection that is being kept, "" for none
	Done, Total int    // bytes of it, decoded; Total is 0 until that is known

	app   *state.App
	kept  map[string]bool // by id
	asked int             // how often one was asked for or given up: what is told later is stale
}

// publicBase begins the folders of collections that do not come with the page.
const publicBase = "/collections/public."

// Can says whether a collection is one to choose: those that come with the page are kept anyway.
func (o *Offline) Can(c *gallery.Collection) bool {
	_, ok := o.app.Browser.(OfflineKeeper)
	return ok && strings.HasPrefix(c.Base, publicBase)
}

// Kept says whether a collection is whole on this device.
func (o *Offline) Kept(id string) bool { return o.kept[id] }

// Keep keeps a collection.
func (o *Offline) Keep(id string) {
	if o.Of != "" {
		return
	}
	o.asked++
	asked := o.asked
	o.Of, o.Done, o.Total = id, 0, 0
	o.app.Notices.Problem = nil
	o.act(OfflineAct{Do: "keep", Collection: id, Tell: func(done, total int) {
		if o.asked == asked {
			o.Done, o.Total = done, total
			o.app.View.Draw()
		}
	}}, func(problem string) {
		if o.asked != asked {
			return
		}
		o.Of = ""
		if problem != "" {
			o.app.Notices.Problem = &message.Problem{What: "The collection is not kept offline: " + problem + ".",
				Where: id, Do: "Try again: it goes on from here."}
		}
	})
	o.app.View.FocusOn("cancel-offline")
}

// Cancel gives up the collection that is being kept. What has come stays for the next time.
func (o *Offline) Cancel() {
	o.asked++
	o.Of = ""
	o.act(OfflineAct{Do: "stop"}, func(string) {})
}

// Remove takes a collection off this device.
func (o *Offline) Remove(id string) {
	o.act(OfflineAct{Do: "remove", Collection: id}, func(problem string) {
		if problem != "" {
			o.app.Notices.Problem = &message.Problem{What: "The collection was not removed: " + problem + ".",
				Where: id, Do: "Try again."}
		}
	})
}

// list asks which collections are kept: none if the browser saves nothing.
func (o *Offline) list() { o.act(OfflineAct{Do: "list"}, func(string) {}) }

func (o *Offline) act(act OfflineAct, done func(problem string)) {
	k, ok := o.app.Browser.(OfflineKeeper)
	if !ok {
		return
	}
	k.Offline(act, func(kept []string, problem string) {
		if problem == "" {
			o.kept = map[string]bool{}
			for _, id := range kept {
				o.kept[id] = true
			}
		}
		done(problem)
		o.app.View.Draw()
	})
	o.app.View.Draw()
}
