// Package worker is the search engine's side of the site: it owns the open collection and answers the page's requests one after
// the other. It draws nothing.
//
// Order of the pipeline: bytes → message.Request → Engine.Handle → the handler of its kind → message.Reply → bytes.
// Each kind has its handler in a file of its own, which registers it there.
package worker

import (
	"errors"
	"fmt"
	"io"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/core/text"
)

// Fetch returns the bytes at an address and reports how many have arrived.
type Fetch func(url string, progress func(done int)) ([]byte, error)

// Engine answers requests.
type Engine struct {
	fetch     Fetch
	reply     func(message.Reply)
	clock     func() float64 // microseconds
	session   *experiment.Session
	adopted   *experiment.Session // that session, if it has a workspace's queries and judgments
	plain     *experiment.Session // the session before it adopted them
	base      string              // URL of its folder, with a slash at its end
	loader    loader
	comparing comparing
	asked     message.Request // the one that is being answered

	// Files opens a file that was given to the page; nil where there are none.
	Files func(id int) (io.Reader, error)
	// Shelf keeps collections on this device; nil where nothing is kept.
	Shelf Shelf
	// Pause lets messages in during long work, and Outdated reports whether one of them made a request superfluous; both may be nil.
	Pause    func()
	Outdated func(message.Request) bool
	// Turn takes a request out of the line that is answered in the midst of long work; nil where there is no line.
	Turn func() (message.Request, bool)
	// Alive tells the page that long work goes on.
	Alive func()
}

// NewEngine returns an engine that fetches files with fetch and sends its answers, and progress, through reply.
func NewEngine(fetch Fetch, clock func() float64, reply func(message.Reply)) *Engine {
	return &Engine{fetch: fetch, clock: clock, reply: reply}
}

// living is asked between the steps of long work, never stops it, and tells the page once a second that it goes on.
func (e *Engine) living() func() bool {
	if e.Alive == nil || e.clock == nil {
		return nil
	}
	last := e.clock()
	return func() bool {
		if now := e.clock(); now-last >= 1e6 {
			last = now
			e.Alive()
		}
		return false
	}
}

// turns answers, in the midst of long work, what is quick and waits.
func (e *Engine) turns() {
	for e.Turn != nil {
		quick, ok := e.Turn()
		if !ok {
			return
		}
		e.Handle(quick)
	}
}

// Handle answers one request. It may wait for files.
func (e *Engine) Handle(r message.Request) {
	e.takeEncoder()
	defer func(before message.Request) { e.asked = before }(e.asked) // quick ones are answered in the midst of another
	e.asked = r
	out := message.Reply{ID: r.ID, Kind: r.Kind}
	h, known := handlers[r.Kind]
	var err error
	if known {
		out.Answer, err = h.answer(e, r)
	} else if err = fmt.Errorf("request %d is not known", r.Kind); r.Kind.OfRuns() {
		err = say.Faultf("worker", "this program does not read runs")
	}
	if errors.Is(err, stage.ErrBeyond) || errors.Is(err, text.ErrBeyond) || errors.Is(err, measure.ErrBeyond) {
		out.Beyond = true
	} else if err != nil {
		out.Problem = h.problem(r, err)
	}
	e.reply(out)
}

// itself is the store of what needs several of them.
func itself(e *Engine) *Engine { return e }
