//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Pool asks for the documents that systems find for queries of the open collection, for a class to judge.
const Pool Kind = 80

func init() { register[AskPool, PoolMade](Pool, false) }

// AskPool names the systems and queries.
type AskPool struct {
	Collection string // collection id
	Systems    []string
	Queries    []string // ids
	Depth      int      // pool depth: documents of each list
}

// PoolMade is the pool: queries in order, with the documents of each in turns from the tops of the lists.
type PoolMade struct {
	Collection string
	Documents  []Pooled
	Problems   []string // why a system has no list for some query, without duplicates
}

// Given routes the question to the program that judges.
func (a *AskPool) Given() []File { return nil }

// Wire codes the question.
func (a *AskPool) Wire(c *wire.Codec) { c.Fields(&a.Collection, &a.Systems, &a.Queries, &a.Depth) }

// Wire codes the answer.
func (p *PoolMade) Wire(c *wire.Codec) {
	c.String(&p.Collection)
	wire.List(c, &p.Documents, func(p *Pooled) { c.Fields(&p.Query, &p.Document) })
	c.Strings(&p.Problems)
}
