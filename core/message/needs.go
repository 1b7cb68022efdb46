//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Needs asks for the information needs behind the queries of the open collection.
const Needs Kind = 15

func init() { register[AskNeeds, Needed](Needs, false) }

// AskNeeds is the question, for all queries.
type AskNeeds struct{}

// Needed holds the information needs, empty if the collection has neither descriptions nor narratives.
type Needed struct {
	Collection string // the hash of the collection
	Needs      []Need // by index of the query
}

// Need is the description and the narrative of one query.
type Need struct{ Description, Narrative string }

// Wire codes the question.
func (a *AskNeeds) Wire(*wire.Codec) {}

// Wire codes the answer.
func (n *Needed) Wire(c *wire.Codec) {
	c.String(&n.Collection)
	wire.List(c, &n.Needs, func(n *Need) {
		c.Fields(&n.Description, &n.Narrative)
	})
}
