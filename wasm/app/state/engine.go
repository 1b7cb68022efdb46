package state

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

// Phase is how far the engine is.
type Phase int

// The phases, in their order.
const (
	Loading Phase = iota // the program is on its way
	Opening              // the worker fetches the collection
	Ready
	Failed // the collection could not be opened; Notices.Problem says why
)

// Engine is the worker as the page knows it: what is asked, what is waited for, how far it is, and whether it is alive.
type Engine struct {
	worker Worker
	view   *View
	died   func(reason string)

	// URL of the folder of a collection, with a slash at its end; "" where there is none
	Base       func(collection string) string
	Limit      int // bytes that a file may have on this device; 0 where that is not known
	PageMemory func() float64
	Memory     float64 // bytes, page and worker
	Phase      Phase
	Progress   message.Progress
	Arriving   *message.Progress // the vectors that a list or the figures wait for, nil for none
	Opened     *message.Opened   // the collection that is open, nil for none

	lastID     uint64
	newest     map[message.Kind]uint64
	waiting    map[uint64]message.Request
	beat       int // replies seen since the last look of the watchdog
	asks       int // how often the watchdog has asked since the last reply
	restarts   int
	assembling bool // the worker has all that makes a collection and puts it together, in one step
	// what failed was a program or a collection on its way: it is asked for again when the network is back
	unfetched bool
	watchStop func()
}

// heard takes note of a reply, and returns whether it is one to the newest request of its kind.
func (e *Engine) heard(r *message.Reply) bool {
	e.beat++
	e.asks = 0
	if r.Memory > 0 {
		e.Memory = r.Memory
		if e.PageMemory != nil {
			e.Memory += e.PageMemory()
		}
	}
	if r.ID != e.newest[r.Kind] {
		delete(e.waiting, r.ID)
		return false
	}
	e.assembling = r.Progress != nil && r.Progress.Rest
	return true
}

// answered takes note of a final reply.
func (e *Engine) answered(id uint64) {
	delete(e.waiting, id)
	e.Arriving = nil
}

// arrives takes how much of the files that a search waits for has come.
func (e *Engine) arrives(p *message.Progress) {
	if p.Unit == "" {
		e.Arriving = p
	} else {
		e.Progress = *p
	}
}

// forget gives up every answer that is waited for.
func (e *Engine) forget() { e.waiting = map[uint64]message.Request{} }

// Request asks the worker. It owes an answer to the newest request of each kind alone: those before may be left out.
func (e *Engine) Request(kind message.Kind, question wire.Wirer) {
	e.lastID++
	r := message.Request{ID: e.lastID, Kind: kind, Question: question}
	delete(e.waiting, e.newest[kind])
	e.newest[kind] = r.ID
	e.waiting[r.ID] = r
	e.worker.Send(r)
}

// Asked returns the newest request of a kind, and whether its answer is still waited for.
func (e *Engine) Asked(kind message.Kind) (r message.Request, waiting bool) {
	r, waiting = e.waiting[e.newest[kind]]
	return r, waiting
}

// Worked says that the worker gave what was hard to work out: what it died of before counts no more.
func (e *Engine) Worked() { e.restarts = 0 }

// Alive is told every second by a worker whose work on a request waits, for a file on its way or one that is read, and
// while one is started.
func (e *Engine) Alive() { e.beat++ }

// mostAsks is how often a worker may say that it is alive without a word of its work.
const mostAsks = 15

// watch looks every second whether a worker that owes an answer is alive. One that is says something within four
// seconds, of its work, which goes in steps, or that it waits for a file. If it doesn't, it is asked, and has as long
// again to answer: only then it counts as dead. Seconds are those of a processor that this tab has to itself (Share):
// on a busy machine a healthy worker is silent for long. The worker after one that died has three times as long, since
// two deaths take back what was asked. Only a collection is put together in one step, which takes long where it is
// large.
func (e *Engine) watch() {
	if e.watchStop != nil {
		e.watchStop()
	}
	silent, asked := 0.0, false
	var look func()
	look = func() {
		if len(e.waiting) > 0 && e.beat == 0 && e.Phase != Failed {
			silent += e.view.window.Share()
			limit := 4
			if e.restarts > 0 {
				limit = 12
			}
			if e.assembling {
				limit = 30
			}
			switch {
			case silent < float64(limit):
			case !asked && e.asks < mostAsks:
				silent, asked = 0, true
				e.asks++
				e.worker.Ask()
			default:
				silent, asked, e.asks = 0, false, 0
				e.died("it was asked whether it is alive, and said nothing for " + strconv.Itoa(limit) + " seconds")
			}
		} else {
			silent, asked = 0, false
		}
		e.beat = 0
		e.watchStop = e.view.window.After(1000, look)
	}
	e.watchStop = e.view.window.After(1000, look)
}
