package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
)

// Narrow asks how many matching documents each filter value would leave. Its question is the Spec of the search.
const Narrow Kind = 81

func init() { register[experiment.Spec, Facets](Narrow, false) }

// Facets are the filter values. For a query they count documents that contain a word of it and pass the other
// filters.
type Facets struct {
	Categories []Count // by name
	Months     []Count // YYYY-MM, every month of the span
	Entities   []Count // most frequent first
}

// Count is a filter value with its number of documents.
type Count struct {
	Value string
	Kind  string // of an entity
	N     int
}

// Wire codes the counts.
func (f *Facets) Wire(c *wire.Codec) {
	for _, l := range []*[]Count{&f.Categories, &f.Months, &f.Entities} {
		wire.List(c, l, func(n *Count) { c.Fields(&n.Value, &n.Kind, &n.N) })
	}
}
