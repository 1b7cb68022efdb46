//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Needs, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The descriptions of the queries could not be read: " + p.What
		p.Do = "Judging goes on without them."
	}}, toOpenCollection, (*openCollection).needs)
}

// needs says what stands behind the queries.
func (o *openCollection) needs(message.Request, *message.AskNeeds) (*message.Needed, error) {
	if o.session == nil {
		return nil, errNoCollection
	}
	list, err := o.session.Bundle().Needs(o.session.Fetch)
	out := &message.Needed{Collection: o.session.Ref().Hash}
	for _, n := range list {
		out.Needs = append(out.Needs, message.Need(n))
	}
	return out, err
}
