package state

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/wire"
)

// Facets are the values that documents can be filtered by: counted in documents with a word of the query where that is
// known and the settings are open, else in all documents of the collection.
func (a *App) Facets() *message.Facets {
	if a.narrowed != nil {
		if _, by := a.narrowing(); a.narrowedBy == by {
			return a.narrowed
		}
	}
	if a.Opened == nil {
		return &noFacets
	}
	return &a.Opened.Facets
}

// Narrowed says whether the counts are those of the query.
func (a *App) Narrowed() bool { return a.narrowed != nil && a.Facets() == a.narrowed }

var noFacets message.Facets

// narrowing is what counts of facets depend on; "" where they are not shown.
func (a *App) narrowing() (experiment.Spec, string) {
	s := experiment.Spec{Collection: a.Collection(), QueryID: a.Spec.QueryID, Query: a.Spec.Query, Filter: a.Spec.Filter}
	if !HasWorker || !a.Tuning || a.Phase != Ready || !a.HasQuery() {
		return s, ""
	}
	return s, string(wire.Marshal(&s))
}

// narrow asks for the counts of the query, where they have not been asked for.
func (a *App) narrow() {
	if s, by := a.narrowing(); by != "" && by != a.narrowedBy {
		a.narrowed, a.narrowedBy = nil, by
		a.Request(message.Narrow, &s)
	}
}
