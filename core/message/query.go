//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/wire"
)

// Query asks for one query in full.
const Query Kind = 8

func init() { register[AskQuery, Detail](Query, true) }

// AskQuery names the query, the two runs that are looked at (equal for one), the measure, and how many documents of each ranking are wanted.
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
	Unfolded []compare.Unfolded
	Why      *compare.Explanation
	Said     []compare.Said // of the systems A and B: the tools that give the query another value
}

// Wire walks the question.
func (a *AskQuery) Wire(c *wire.Codec) {
	c.Int(&a.A)
	c.Int(&a.B)
	c.String(&a.Measure)
	c.String(&a.Query)
	c.Int(&a.Depth)
}

// Wire walks the query.
func (d *Detail) Wire(c *wire.Codec) {
	c.String(&d.Query)
	c.String(&d.Measure)
	wire.List(c, &d.Sides, func(s *compare.Side) {
		c.Int(&s.System)
		c.Bool(&s.Missing)
		c.Int(&s.Size)
		c.Floats(&s.Values)
		wire.List(c, &s.Docs, func(p *compare.Placed) {
			c.Int(&p.Rank)
			c.String(&p.ID)
			c.Float(&p.Score)
			c.Int(&p.Grade)
			c.Bool(&p.Tied)
			c.Ints(&p.Ranks)
			c.Strings(&p.Covers)
		})
	})
	wire.List(c, &d.Unfolded, func(u *compare.Unfolded) {
		for _, s := range []*string{&u.Measure, &u.Query, &u.Formula, &u.By} {
			c.String(s)
		}
		c.Int(&u.System)
		rows(c, &u.Rows)
		rows(c, &u.Ideal)
		for _, v := range []*float64{&u.Sum, &u.Divisor, &u.Base, &u.Value} {
			c.Float(v)
		}
		c.Bool(&u.Stepwise)
		c.Strings(&u.Steps)
	})
	why := d.Why != nil
	c.Bool(&why)
	if why {
		if c.Reading() {
			d.Why = &compare.Explanation{}
		}
		explanation(c, d.Why)
	}
	wire.List(c, &d.Said, func(x *compare.Said) {
		c.String(&x.Tool)
		c.String(&x.As)
		c.Int(&x.System)
		c.Float(&x.Ours)
		c.Float(&x.Theirs)
		c.Bool(&x.OursCounts)
		c.Bool(&x.TheirsCounts)
		wire.List(c, &x.Reasons, func(r *measure.Reason) {
			c.String(&r.Decision)
			c.Float(&r.Before)
			c.Float(&r.After)
			c.String(&r.Text)
		})
	})
}

func rows(c *wire.Codec, list *[]compare.Row) {
	wire.List(c, list, func(r *compare.Row) {
		c.Int(&r.Rank)
		c.Int(&r.Place)
		c.String(&r.ID)
		c.Int(&r.Grade)
		c.Float(&r.Term)
		c.Float(&r.Share)
		c.String(&r.Work)
	})
}
