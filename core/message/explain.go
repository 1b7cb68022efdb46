package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
)

// Explain asks for the explanation of a document's score.
const Explain Kind = 3

func init() { register[AskWhy, experiment.Why](Explain, false) }

// AskWhy names a document in the list of a system of a Spec.
type AskWhy struct {
	Spec  experiment.Spec
	Focus experiment.Focus
}

// Wire codes the question.
func (a *AskWhy) Wire(c *wire.Codec) { a.Spec.Wire(c); a.Focus.Wire(c) }
