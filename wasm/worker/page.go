package worker

import "github.com/rankbox/rankbox/core/message"

// page is what the engine tells the page while it works, and what it hears from it.
type page struct {
	reply  func(message.Reply)
	handle func(message.Request) // answers a request in the midst of another
	clock  func() float64        // microseconds; nil if there is none
	asked  message.Request       // the one that is being answered

	first map[message.Kind]*message.First // told with the progress of requests of a kind

	// pause lets messages in during long work, and outdated reports whether one of them made a request superfluous;
	// both may be nil.
	pause    func()
	outdated func(message.Request) bool
	// turn takes a request out of the line that is answered in the midst of long work; nil if there is no line.
	turn func() (message.Request, bool)
	// alive tells the page that long work goes on.
	alive func()
	// wake has the worker look for work between requests; nil if nothing waits there.
	wake func()
}

// tell sends the progress of a request.
func (pg *page) tell(r message.Request, p message.Progress) {
	p.First = pg.first[r.Kind]
	pg.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &p})
}

// letIn lets messages in during long work.
func (pg *page) letIn() {
	if pg.pause != nil {
		pg.pause()
	}
}

// isOutdated reports whether a newer message made a request superfluous.
func (pg *page) isOutdated(r message.Request) bool { return pg.outdated != nil && pg.outdated(r) }

// living is asked between the steps of long work, never stops it, and tells the page once a second that it goes on.
func (pg *page) living() func() bool {
	if pg.alive == nil || pg.clock == nil {
		return nil
	}
	last := pg.clock()
	return func() bool {
		if now := pg.clock(); now-last >= 1e6 {
			last = now
			pg.alive()
		}
		return false
	}
}

// turns answers, in the midst of long work, what is quick and waits.
func (pg *page) turns() {
	for pg.turn != nil {
		quick, ok := pg.turn()
		if !ok {
			return
		}
		pg.handle(quick)
	}
}

// measuring is asked between the queries of every system, and then between resamples. It says ten times a second how
// far it is, and stops if the page has asked for something else.
func (pg *page) measuring(r message.Request, rankings int) func() bool {
	living := pg.living()
	if living == nil {
		return nil
	}
	p := message.Progress{Total: rankings, Unit: "rankings"}
	last := pg.clock()
	return func() bool {
		living()
		p.Done = min(p.Done+1, p.Total)
		if pg.clock()-last < 100_000 {
			return false
		}
		pg.tell(r, p)
		pg.letIn()
		pg.turns() // who types need not wait for all queries
		last = pg.clock()
		return pg.isOutdated(r)
	}
}
