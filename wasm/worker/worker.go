// Package worker is the search engine's side of the site: it owns the open collection and answers the page's requests one after
// the other. It draws nothing.
//
// Order of the pipeline: bytes → message.Request → Engine.Handle → the job of its kind → message.Reply → bytes. Each kind has its job in a
// file of its own, which joins the table there.
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
	"github.com/rankbox/rankbox/core/wire"
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

// job is what is done for a kind of request.
type job struct {
	// run returns nil without an error where a newer request made the answer superfluous.
	run    func(e *Engine, r message.Request) (wire.Wirer, error)
	blame  func(p *message.Problem, question wire.Wirer) // says where a problem is and what to do, where it is known better
	before message.Kind                                  // a newer request of this kind too makes the answer superfluous
}

// jobs are those that this program does: one that only searches has none for runs.
var jobs = map[message.Kind]job{message.Ping: {run: func(*Engine, message.Request) (wire.Wirer, error) { return nil, nil }}}

// does adds what is done for the requests of a kind, whose question is a Q and whose answer is an A.
func does[Q, A any, PQ interface {
	*Q
	wire.Wirer
}, PA interface {
	*A
	wire.Wirer
}](k message.Kind, j job, run func(e *Engine, r message.Request, question PQ) (PA, error)) {
	j.run = func(e *Engine, r message.Request) (wire.Wirer, error) {
		question, ok := r.Question.(PQ)
		if !ok {
			return nil, errors.New("the request is empty")
		}
		answer, err := run(e, r, question)
		if answer == nil || err != nil {
			return nil, err
		}
		return answer, nil
	}
	jobs[k] = j
}

// Handle answers one request. It may wait for files.
func (e *Engine) Handle(r message.Request) {
	e.takeEncoder()
	defer func(before message.Request) { e.asked = before }(e.asked) // quick ones are answered in the midst of another
	e.asked = r
	out := message.Reply{ID: r.ID, Kind: r.Kind}
	j, known := jobs[r.Kind]
	var err error
	if known {
		out.Answer, err = j.run(e, r)
	} else if err = fmt.Errorf("request %d is not known", r.Kind); r.Kind.OfRuns() {
		err = say.Faultf("worker", "this program does not read runs")
	}
	if errors.Is(err, stage.ErrBeyond) || errors.Is(err, text.ErrBeyond) || errors.Is(err, measure.ErrBeyond) {
		out.Beyond = true
	} else if err != nil {
		out.Problem = j.problem(r, err)
	}
	e.reply(out)
}

// problem says what went wrong with a request.
func (j job) problem(r message.Request, err error) *message.Problem {
	p := &message.Problem{What: say.Sentence(err), Do: "Nothing you typed is lost. Change the query or the settings, or undo the last change."}
	if experiment.NotFetched(err) {
		p.Do = "Nothing you typed is lost, and what needs no such file goes on. Try again in a list that lacks it, or reload the page."
	}
	if j.blame != nil {
		j.blame(p, r.Question)
	}
	return p
}

// at is a job's blame where the place is always the same.
func at(where string) func(*message.Problem, wire.Wirer) {
	return func(p *message.Problem, _ wire.Wirer) { p.Where = where }
}

// superfluous reports whether a newer request took the place of r.
func superfluous(r message.Request, newest map[message.Kind]uint64) bool {
	return newest[r.Kind] != r.ID || newest[jobs[r.Kind].before] > r.ID
}
