package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Open asks to fetch and index a collection.
const Open Kind = 1

func init() { register[Place, Opened](Open, false) }

// Place locates a collection.
type Place struct {
	Collection string // its id
	Base       string // URL of its folder, with a final slash; "" if the site has no such collection
	Limit      int    // maximum bytes of a file on this device; 0 if unknown
}

// Opened describes the open collection.
type Opened struct {
	Ref     report.Ref
	Source  string
	Models  []string
	Lexical bool // the page opens it with lexical systems alone: see bundle.Manifest
	Queries []report.Query
	Encoded []bool // by query: every model has a vector for it
	Facets
}

// Wire codes the location.
func (p *Place) Wire(c *wire.Codec) { c.Fields(&p.Collection, &p.Base, &p.Limit) }

// Wire codes the description.
func (o *Opened) Wire(c *wire.Codec) {
	o.Ref.Wire(c)
	c.Fields(&o.Ref.Elsewhere, &o.Ref.Chunked, &o.Source, &o.Models, &o.Lexical)
	wire.Structs(c, &o.Queries)
	wire.List(c, &o.Encoded, c.Bool)
	o.Facets.Wire(c)
}
