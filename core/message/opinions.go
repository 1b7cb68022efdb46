//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Opinions asks for the values of a measure in other tools.
const Opinions Kind = 9

func init() { register[AskOpinions, Opined](Opinions, true) }

// AskOpinions names the measure.
type AskOpinions struct{ Measure string }

// Opined holds each tool's values.
type Opined struct {
	Measure string
	Tools   []compare.Opinion
}

// Wire codes the question.
func (a *AskOpinions) Wire(c *wire.Codec) { c.String(&a.Measure) }

// Wire codes the answer.
func (o *Opined) Wire(c *wire.Codec) {
	c.String(&o.Measure)
	wire.List(c, &o.Tools, func(o *compare.Opinion) {
		c.Fields(&o.Tool, &o.Version, &o.Doc, &o.As, &o.Means, &o.Queries)
		wire.List(c, &o.Differs, func(l *[]compare.Cause) {
			wire.List(c, l, func(x *compare.Cause) { c.Fields(&x.Decision, &x.Queries, &x.Example) })
		})
	})
}
