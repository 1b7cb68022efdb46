package message

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// Narrow asks how many documents with a word of the query each value of a filter would leave. The question is the Spec
// of the search.
const Narrow Kind = 81

func init() { register[experiment.Spec, Facets](Narrow, false) }

// Facets are the values that documents can be filtered by. Those of a query count documents that hold a word of it and
// pass the other filters.
type Facets struct {
	Categories []Count // by name
	Months     []Count // YYYY-MM, every month of the span
	Entities   []Count // most frequent first
}

// Count is a value and the number of documents that have it.
type Count struct {
	Value string
	Kind  string // of an entity
	N     int
}

// Wire walks the counts.
func (f *Facets) Wire(c *wire.Codec) {
	for _, l := range []*[]Count{&f.Categories, &f.Months, &f.Entities} {
		wire.List(c, l, func(n *Count) { c.Fields(&n.Value, &n.Kind, &n.N) })
	}
}
