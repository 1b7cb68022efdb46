//go:build !first

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
)

func init() { register(message.Share, handler{}, toExperiments, (*experiments).share) }

// part is this worker's part of an experiment that another one keeps.
type part struct {
	of    *experiment.Session
	ask   message.AskShare
	x     *matrix.Experiment
	store matrix.Memory
	sent  int // bytes of the store that the page has
}

// share answers Share.
func (x *experiments) share(_ message.Request, ask *message.AskShare) (*message.Shared, error) {
	p := x.part
	if p == nil || p.of != x.open.session || p.ask.At != ask.At || p.ask.Of != ask.Of ||
		!p.ask.Matrix.Equal(&ask.Matrix) {
		plan, err := x.plan(&ask.Matrix)
		if err != nil {
			return nil, err
		}
		p = &part{of: x.open.session, ask: *ask}
		if p.x, err = matrix.Open(plan, x.open.session, &p.store); err != nil {
			return nil, err
		}
		p.sent = len(p.store.Since(0))
		x.part = p
	}
	end := x.page.now() + slice
	err := p.x.Run(matrix.Options{Clock: x.page.now, Cancel: func() bool { return x.page.now() >= end },
		Skip: func(run, query int) bool {
			return query%p.ask.Of != p.ask.At || p.x.Has(p.ask.Have, run, query)
		}})
	if err != nil && !errors.Is(err, matrix.ErrCancelled) {
		return nil, err
	}
	out := &message.Shared{Lists: p.store.Since(p.sent), Over: err == nil}
	p.sent += len(out.Lists)
	out.Made, out.Reused = p.x.Reused()
	return out, nil
}
