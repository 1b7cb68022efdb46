//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/experiment"
)

// Arithmetic asks for a measure of one ranking of the open query, term by term.
const Arithmetic Kind = 31

func init() { register[AskArithmetic, evaluation.Unfolded](Arithmetic, false) }

// AskArithmetic names the system and the measure by index in the Spec.
type AskArithmetic struct {
	Spec           experiment.Spec
	System, Column int
}

// Wire codes the question.
func (a *AskArithmetic) Wire(c *wire.Codec) {
	a.Spec.Wire(c)
	c.Fields(&a.System, &a.Column)
}
