//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/evaluation"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/wire"
)

// Query asks for one query in full.
const Query Kind = 8

func init() { register[AskQuery, Detail](Query, true) }

// AskQuery names the query, the two runs that are looked at (equal for one), the measure, and how many documents of
// each ranking are wanted.
type AskQuery struct {
	A, B    int
	Measure string
	Query   string
	Depth   int
}

// Detail is one query: the rankings, the arithmetic of two of them and what makes their difference.
type Detail struct {
	Query    string
	Measure  string
	Sides    []compare.Side
	Unfolded []evaluation.Unfolded
	Why      *compare.Explanation
	Said     []compare.Said // of the systems A and B: the tools that give the query another value
	Titles   []Titled       // of the documents, as far as they are known
}

// Wire walks the question.
func (a *AskQuery) Wire(c *wire.Codec) {
	c.Fields(&a.A, &a.B, &a.Measure, &a.Query, &a.Depth)
}

// Wire walks the query.
func (d *Detail) Wire(c *wire.Codec) {
	c.Fields(&d.Query, &d.Measure)
	wire.List(c, &d.Sides, func(s *compare.Side) {
		c.Fields(&s.System, &s.Missing, &s.Size, &s.Values)
		wire.List(c, &s.Docs, func(p *compare.Placed) {
			c.Fields(&p.Rank, &p.ID, &p.Score, &p.Grade, &p.Tied, &p.Ranks, &p.Covers)
		})
	})
	wire.Structs(c, &d.Unfolded)
	why := d.Why != nil
	c.Bool(&why)
	if why {
		if c.Reading() {
			d.Why = &compare.Explanation{}
		}
		explanation(c, d.Why)
	}
	wire.List(c, &d.Said, func(x *compare.Said) {
		c.Fields(&x.Tool, &x.As, &x.System, &x.Ours, &x.Theirs, &x.OursCounts, &x.TheirsCounts)
		wire.List(c, &x.Reasons, func(r *measure.Reason) {
			c.Fields(&r.Decision, &r.Before, &r.After, &r.Text)
		})
	})
	titles(c, &d.Titles)
}
