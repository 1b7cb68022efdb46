package state

// The example: the judged query that Home and Search show where nobody has asked for one.

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
)

// ShowExample makes a judged query the example, with what the systems find for it. An excerpt holds only what Home shows.
func (a *App) ShowExample(id string, r *experiment.Results, excerpt bool) {
	a.Example = id
	if a.Address = a.exemplify(a.Address); id != "" && a.Spec.QueryID == id {
		a.Results, a.Excerpt = r, excerpt
	}
}

// exemplify returns an address of Home or Search with the example's query, where it has none of its own.
func (a *App) exemplify(s share.Address) share.Address {
	if a.Embedded || s.QueryID != "" || s.Query != "" || s.Screen != "" && s.Screen != share.Search {
		return s
	}
	switch id := a.collectionOf(s.Spec); {
	case id == a.Default:
		s.QueryID = a.Example
	case a.Opened != nil && a.Opened.Ref.ID == id && len(a.Opened.Queries) > 0:
		s.QueryID = a.Opened.Queries[0].ID
	}
	return s
}

// keepExample drops the page's results where the address asks for others.
func (a *App) keepExample() {
	if a.Results != nil && !equal(a.exemplify(share.Address{Screen: a.Screen}), a.Address) {
		a.Results, a.Excerpt = nil, false
	}
}

// Shows is the id of the judged query whose rankings are on the screen, "" for none.
func (a *App) Shows() string {
	if a.Results == nil {
		return ""
	}
	return a.Spec.QueryID
}

// NeedsVectors says whether a system ranks by vectors of the query, alone or among others.
//
//go:noinline
func (a *App) NeedsVectors(i int) bool {
	n := a.Nodes()[i]
	return n != nil && len(stage.Models(n)) > 0
}

// Pair is the two systems that Home compares: the baseline, and the first other one that ranks by vectors, or else the last.
func (a *App) Pair() (base, other int) {
	nodes := a.Nodes()
	base = min(a.Spec.Baseline, len(nodes)-1)
	if other = len(nodes) - 1; other == base {
		other = 0
	}
	for i := range nodes {
		if i != base && a.NeedsVectors(i) {
			return base, i
		}
	}
	return base, other
}
