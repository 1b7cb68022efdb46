package message

import (
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

// Open fetches and indexes a collection.
const Open Kind = 1

func init() { register[Place, Opened](Open, false) }

// Place says where a collection is.
type Place struct {
	Collection string // its id
	Base       string // URL of its folder, with a slash at its end; "" where the site has no such collection
	Limit      int    // bytes that a file may have on this device; 0 where that is not known
}

// Opened describes the collection that is open now.
type Opened struct {
	Ref     report.Ref
	Source  string
	Models  []string
	Lexical bool // the page opens it with lexical systems alone: see bundle.Manifest
	Queries []report.Query
	Encoded []bool // a query: every model has a vector for it
	Facets
}

// Wire walks the place.
func (p *Place) Wire(c *wire.Codec) { c.Fields(&p.Collection, &p.Base, &p.Limit) }

// Wire walks the description.
func (o *Opened) Wire(c *wire.Codec) {
	o.Ref.Wire(c)
	c.Fields(&o.Ref.Elsewhere, &o.Ref.Chunked, &o.Source, &o.Models, &o.Lexical)
	wire.Structs(c, &o.Queries)
	wire.List(c, &o.Encoded, c.Bool)
	o.Facets.Wire(c)
}
