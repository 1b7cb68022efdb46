package upload

import (
	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Gallery is the collections of the site.
type Gallery struct {
	Site     *gallery.Gallery // nil until it was answered
	Card     string           // the id of the collection whose card is open, "" for none
	Language string           // of the filter, "" for all
	Largest  int              // bytes on the way that a collection may have, 0 for any

	app *state.App
}

// Unfold opens the card of a collection, or closes it.
func (g *Gallery) Unfold(id string) {
	if g.Card == id {
		id = ""
	}
	g.Card = id
	g.app.View.Draw()
}

// Listed are the collections of the gallery that pass its filter.
func (g *Gallery) Listed() (out []*gallery.Collection) {
	if g.Site == nil {
		return nil
	}
	for i := range g.Site.Collections {
		c := &g.Site.Collections[i]
		if (g.Language == "" || c.Language == g.Language) && (g.Largest == 0 || c.Transfer <= g.Largest) {
			out = append(out, c)
		}
	}
	return out
}
