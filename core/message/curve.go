package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
)

// Curve asks for a measure as a function of one parameter.
const Curve Kind = 14

func init() { register[AskCurve, experiment.Curve](Curve, false) }

// AskCurve names the parameter. The Spec has the systems and the measure.
type AskCurve struct {
	Spec         experiment.Spec
	Stage, Param string
}

// Wire codes the question.
func (a *AskCurve) Wire(c *wire.Codec) {
	a.Spec.Wire(c)
	c.Fields(&a.Stage, &a.Param)
}
