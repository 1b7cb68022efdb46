//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

// Agreement asks how alike the rankings are. The answer is of as many queries as were compared so far: the question is
// asked again for more.
const Agreement Kind = 13

func init() { register[AskAgreement, Agreed](Agreement, true) }

// AskAgreement names the measure by which the orders of the runs are compared.
type AskAgreement struct{ Measure string }

// Agreed is how alike the rankings of the runs are, and the orders of the runs by the measures.
type Agreed struct {
	Measure     string
	Done, Total int // queries compared
	Rankings    []compare.Agreement
	Orders      []report.Order // by Measure and by each other measure
}

// Wire walks the question.
func (a *AskAgreement) Wire(c *wire.Codec) { c.String(&a.Measure) }

// Wire walks the agreement.
func (a *Agreed) Wire(c *wire.Codec) {
	c.Fields(&a.Measure, &a.Done, &a.Total)
	wire.List(c, &a.Rankings, func(g *compare.Agreement) {
		c.Fields(&g.A, &g.B, &g.Queries, &g.Common, &g.RBO, &g.Tau, &g.TauAP)
	})
	wire.List(c, &a.Orders, func(o *report.Order) { c.Fields(&o.Measure, &o.Tau, &o.TauAP, &o.RBO) })
}
