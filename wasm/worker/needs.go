//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	does(message.Needs, job{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The descriptions of the queries could not be read: " + p.What
		p.Do = "Judging goes on without them."
	}}, (*Engine).needs)
}

// needs says what stands behind the queries.
func (e *Engine) needs(message.Request, *message.AskNeeds) (*message.Needed, error) {
	if e.session == nil {
		return nil, errNoCollection
	}
	list, err := e.session.Bundle().Needs(e.session.Fetch)
	out := &message.Needed{Collection: e.session.Ref().Hash}
	for _, n := range list {
		out.Needs = append(out.Needs, message.Need(n))
	}
	return out, err
}
