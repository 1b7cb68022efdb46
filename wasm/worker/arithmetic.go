//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Arithmetic, handler{blame: at("the arithmetic of this ranking")}, toSearches,
		(*searches).arithmetic)
}

// arithmetic shows how a measure of a ranking comes about.
func (sr *searches) arithmetic(_ message.Request, ask *message.AskArithmetic) (*evaluation.Unfolded, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	return sr.open.session.Unfold(ask.Spec, ask.System, ask.Column)
}
