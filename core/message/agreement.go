//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Agreement asks for the similarity of the rankings. The answer covers the queries compared so far; ask again for
// more.
const Agreement Kind = 13

func init() { register[AskAgreement, Agreed](Agreement, true) }

// AskAgreement names the measure that orders the runs.
type AskAgreement struct{ Measure string }

// Agreed holds the similarity of the rankings of the runs, and the orders of the runs by the measures.
type Agreed struct {
	Measure     string
	Done, Total int // number of queries compared
	Rankings    []compare.Agreement
	Orders      []report.Order // by Measure and by each other measure
}

// Wire codes the question.
func (a *AskAgreement) Wire(c *wire.Codec) { c.String(&a.Measure) }

// Wire codes the answer.
func (a *Agreed) Wire(c *wire.Codec) {
	c.Fields(&a.Measure, &a.Done, &a.Total)
	wire.List(c, &a.Rankings, func(g *compare.Agreement) {
		c.Fields(&g.A, &g.B, &g.Queries, &g.Common, &g.RBO, &g.Tau, &g.TauAP)
	})
	wire.List(c, &a.Orders, func(o *report.Order) { c.Fields(&o.Measure, &o.Tau, &o.TauAP, &o.RBO) })
}
