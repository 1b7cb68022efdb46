//go:build !first

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/message"
)

var errStopped = errors.New("worker: a newer request came")

// now is the time in microseconds, 0 where there is no clock.
func (pg *page) now() float64 {
	if pg.clock == nil {
		return 0
	}
	return pg.clock()
}

// stopped reports whether the work on a request is no longer wanted. Now and then it lets messages in, answers those
// that are quick (the work goes on with what it has: they touch nothing of runs), and tells the page that the worker is
// alive.
func (pg *page) stopped(r message.Request, p *message.Progress) func() bool {
	last := pg.now()
	return func() bool {
		now := pg.now()
		if now-last < 60_000 {
			return false
		}
		pg.tell(r, *p)
		pg.letIn()
		pg.turns()
		last = pg.now()
		return pg.isOutdated(r)
	}
}
