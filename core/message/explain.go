package message

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// Explain takes the score of one document apart.
const Explain Kind = 3

func init() { register[AskWhy, experiment.Why](Explain, false) }

// AskWhy is about a document of the list that a system of a Spec makes.
type AskWhy struct {
	Spec  experiment.Spec
	Focus experiment.Focus
}

// Wire walks the question.
func (a *AskWhy) Wire(c *wire.Codec) { a.Spec.Wire(c); a.Focus.Wire(c) }
