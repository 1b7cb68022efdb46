//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/measure"
)

// Query asks for the details of one query.
const Query Kind = 8

func init() { register[AskQuery, Detail](Query, true) }

// AskQuery names the query, the two selected runs (equal for one), the measure, and the number of documents of each
// ranking.
type AskQuery struct {
	A, B    int
	Measure string
	Query   string
	Depth   int
}

// Detail holds the rankings of one query, the arithmetic of two of them and the causes of their difference.
type Detail struct {
	Query    string
	Measure  string
	Sides    []compare.Side
	Unfolded []evaluation.Unfolded
	Why      *compare.Explanation
	Said     []compare.Said // for systems A and B: tools with other values of the query
	Titles   []Titled       // of the documents, if known
}

// Wire codes the question.
func (a *AskQuery) Wire(c *wire.Codec) {
	c.Fields(&a.A, &a.B, &a.Measure, &a.Query, &a.Depth)
}

// Wire codes the answer.
func (d *Detail) Wire(c *wire.Codec) {
	c.Fields(&d.Query, &d.Measure)
	wire.List(c, &d.Sides, func(s *compare.Side) {
		c.Fields(&s.System, &s.Missing, &s.Size, &s.Values)
		wire.List(c, &s.Docs, func(p *compare.Placed) {
			c.Fields(&p.Rank, &p.ID, &p.Score)
			c.Grade(&p.Grade)
			c.Fields(&p.Tied, &p.Ranks, &p.Covers)
		})
	})
	wire.Structs(c, &d.Unfolded)
	why := d.Why != nil
	c.Bool(&why)
	if why {
		if c.Reading() {
			d.Why = &compare.Explanation{}
		}
		codeExplanation(c, d.Why)
	}
	wire.List(c, &d.Said, func(x *compare.Said) {
		c.Fields(&x.Tool, &x.As, &x.System, &x.Ours, &x.Theirs, &x.OursCounts, &x.TheirsCounts)
		wire.List(c, &x.Reasons, func(r *measure.Reason) {
			c.Fields(&r.Decision, &r.Before, &r.After, &r.Text)
		})
	})
	codeTitles(c, &d.Titles)
}
