//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/wire"
)

// Reasons asks what makes the difference of two runs on a few queries.
const Reasons Kind = 7

func init() { register[AskReasons, Explanations](Reasons, true) }

// AskReasons names the two runs, by index, the measure and the queries.
type AskReasons struct {
	A, B    int
	Measure string
	Queries []string
}

// Explanations are those of the queries, in order, only with their first changes.
type Explanations struct{ List []compare.Explanation }

// Wire walks the question.
func (a *AskReasons) Wire(c *wire.Codec) {
	c.Int(&a.A)
	c.Int(&a.B)
	c.String(&a.Measure)
	c.Strings(&a.Queries)
}

// Wire walks the explanations.
func (e *Explanations) Wire(c *wire.Codec) {
	wire.List(c, &e.List, func(e *compare.Explanation) { explanation(c, e) })
}

func explanation(c *wire.Codec, e *compare.Explanation) {
	c.String(&e.Measure)
	c.String(&e.Query)
	c.Int(&e.A)
	c.Int(&e.B)
	c.Float(&e.ValueA)
	c.Float(&e.ValueB)
	c.Float(&e.Diff)
	wire.List(c, &e.Changes, func(d *compare.Change) {
		c.String(&d.ID)
		c.Int(&d.Grade)
		c.String(&d.What)
		c.Int(&d.RankA)
		c.Int(&d.RankB)
		c.Float(&d.Before)
		c.Float(&d.After)
		c.Float(&d.Diff)
	})
	c.Int(&e.Others)
	c.Bool(&e.Stepwise)
}
