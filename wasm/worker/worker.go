// Package worker is the search engine's side of the site: it owns the open collection and answers the page's requests
// one after the other. It draws nothing.
//
// Order of the pipeline: bytes → message.Request → Engine.Handle → the handler of its kind, on its store →
// message.Reply → bytes. A handler is registered beside it, in the file of its kind. Engine coordinates the stores:
// each has its own state, and is given the others that it needs (connect).
package worker

import (
	"errors"
	"fmt"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// Fetch returns the bytes at an address and reports how many have arrived.
type Fetch func(url string, progress func(done int)) ([]byte, error)

// Engine answers requests. Each of its stores holds what some of them are about.
type Engine struct {
	// Device has the files and collections of this device.
	Device Device

	page     page
	open     openCollection
	backends backends
	searches searches
	stores
}

// NewEngine returns an engine that fetches files with fetch and sends its answers, and progress, through reply.
func NewEngine(fetch Fetch, clock func() float64, reply func(message.Reply)) *Engine {
	e := &Engine{page: page{clock: clock, reply: reply}}
	e.page.handle = e.Handle
	e.open.fetch, e.open.page, e.open.device = fetch, &e.page, &e.Device
	e.searches = searches{open: &e.open, backends: &e.backends, page: &e.page}
	e.connect()
	return e
}

// Handle answers one request. It may wait for files.
func (e *Engine) Handle(r message.Request) {
	if e.open.takeEncoder() {
		e.takeBeside()
	}
	// Quick requests are answered in the midst of another.
	defer func(before message.Request) { e.page.asked = before }(e.page.asked)
	e.page.asked = r
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
	e.page.reply(out)
}

// openPlace opens a collection, and tells the stores that it is another one.
func (e *Engine) openPlace(r message.Request, place *message.Place) (*message.Opened, error) {
	m, err := e.open.read(r, place, e.backends.reachable)
	if err != nil {
		return nil, err
	}
	e.backends.begin(m)
	return Describe(e.open.session), nil
}

// toEngine is for requests that several stores answer together.
func toEngine(e *Engine) *Engine { return e }
