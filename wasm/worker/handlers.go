package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// handler answers the requests of a kind.
type handler struct {
	// answer returns nil without an error if a newer request made the answer superfluous.
	answer func(e *Engine, r message.Request) (wire.Wirer, error)
	blame  func(p *message.Problem, question wire.Wirer) // says where a problem is and what to do, if it knows better
	before message.Kind                                  // a newer request of this kind replaces this one too
	quick  bool                                          // answered during long work: it takes a moment
}

// handlers are those of this program: one that only searches has none for runs.
var handlers = map[message.Kind]handler{message.Ping: {quick: true,
	answer: func(*Engine, message.Request) (wire.Wirer, error) { return nil, nil }}}

// register adds the handler of a kind: answer runs on the store that to picks. Its question and its answer are of the
// types that core/message has registered for the kind.
func register[S any, Q, A wire.Wirer](k message.Kind, h handler, to func(*Engine) S,
	answer func(store S, r message.Request, question Q) (A, error)) {
	if _, taken := handlers[k]; taken {
		panic("worker: a kind has two handlers")
	}
	_, asks := k.Question().(Q)
	if _, answers := k.Answer().(A); !asks || !answers {
		panic("worker: a handler has the types of another kind")
	}
	h.answer = func(e *Engine, r message.Request) (wire.Wirer, error) {
		question, ok := r.Question.(Q)
		if !ok {
			return nil, errors.New("the request is empty")
		}
		var none A // compared as any: under the constraint comparable, every kind would get code of its own
		got, err := answer(to(e), r, question)
		if any(got) == any(none) || err != nil {
			return nil, err
		}
		return got, nil
	}
	handlers[k] = h
}

// problem says what went wrong with a request.
func (h handler) problem(r message.Request, err error) *message.Problem {
	p := &message.Problem{What: say.Sentence(err),
		Do: "Nothing you typed is lost. Change the query or the settings, or undo the last change."}
	if experiment.NotFetched(err) {
		p.Do = "Nothing you typed is lost, and what needs no such file goes on. Try again in a list that lacks it, " +
			"or reload the page."
	}
	if h.blame != nil {
		h.blame(p, r.Question)
	}
	return p
}

// at is the blame of a handler whose place is always the same.
func at(where string) func(*message.Problem, wire.Wirer) {
	return func(p *message.Problem, _ wire.Wirer) { p.Where = where }
}

// superfluous reports whether a newer request took the place of r.
func superfluous(r message.Request, newest map[message.Kind]uint64) bool {
	return newest[r.Kind] != r.ID || newest[handlers[r.Kind].before] > r.ID
}
