//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/evaluation"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Arithmetic, handler{blame: at("the arithmetic of this ranking")}, itself, func(e *Engine, _ message.Request, ask *message.AskArithmetic) (*evaluation.Unfolded, error) {
		if e.open.session == nil {
			return nil, errNoCollection
		}
		return e.open.session.Unfold(ask.Spec, ask.System, ask.Column)
	})
}
