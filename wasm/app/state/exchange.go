package state

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// exchange is a kind of requests, with the types of its questions and answers.
type exchange[Question, Answer wire.Wirer] struct{ kind message.Kind }

// The exchanges of the page itself. Those of a screen are its own: see Listener.
var (
	opening    = exchange[*message.Place, *message.Opened]{message.Open}
	searching  = exchange[*experiment.Spec, *experiment.Results]{message.Search}
	explaining = exchange[*message.AskWhy, *experiment.Why]{message.Explain}
	evaluating = exchange[*experiment.Spec, *report.Report]{message.Evaluate}
	counting   = exchange[*experiment.Spec, *message.Facets]{message.Narrow}
	tracing    = exchange[*message.AskCurve, *experiment.Curve]{message.Curve}
	encoding   = exchange[*message.EncoderFile, *message.Encoder]{message.Encode}
)

// ask asks the worker.
func (x exchange[Question, Answer]) ask(e *Engine, question Question) { e.Request(x.kind, question) }

// answer is the answer in a reply; false where there is none: for a problem, and where something newer made it
// superfluous.
func (x exchange[Question, Answer]) answer(r message.Reply) (answer Answer, ok bool) {
	answer, ok = r.Answer.(Answer)
	return answer, ok
}

// replies is what the page does with the replies of each kind. A screen that listens to a kind gets them instead.
var replies = []reply{
	{kind: message.Open, take: func(a *App, r message.Reply) {
		if o, ok := opening.answer(r); ok {
			a.opened(o)
		}
	}},
	{kind: message.Search, hear: func(a *App, p *message.Progress) { a.Engine.arrives(p) },
		take: func(a *App, r message.Reply) {
			if x, ok := searching.answer(r); ok {
				a.Search.found(x)
				a.Filters.narrow()
				a.Programs.arrived()
				a.Screens.found()
			}
		}},
	{kind: message.Explain, take: func(a *App, r message.Reply) {
		if w, ok := explaining.answer(r); ok {
			a.Search.explained(w)
		}
	}},
	{kind: message.Evaluate, hear: func(a *App, p *message.Progress) { a.Figures.hear(p) },
		take: func(a *App, r message.Reply) {
			if x, ok := evaluating.answer(r); ok {
				a.Figures.reported(x)
			}
		}},
	{kind: message.Narrow, take: func(a *App, r message.Reply) {
		if f, ok := counting.answer(r); ok {
			a.Filters.narrowed = f
		}
	}},
	{kind: message.Curve, take: func(a *App, r message.Reply) {
		if c, ok := tracing.answer(r); ok || r.Problem == nil {
			a.Sliders.drawn(c)
		}
	}},
	{
		kind: message.Encode,
		hear: func(a *App, p *message.Progress) { a.Encoder.Progress = *p },
		take: func(a *App, r message.Reply) {
			_, ok := encoding.answer(r)
			a.Encoder.encoded(ok, r.Problem)
		},
	},
}

// reply is what the page does with the replies of one kind.
type reply struct {
	kind message.Kind
	take func(*App, message.Reply)
	hear func(*App, *message.Progress) // nil for the page's own progress
}

// replyOf is the entry of a kind, nil for none.
func replyOf(kind message.Kind) *reply {
	for i := range replies {
		if replies[i].kind == kind {
			return &replies[i]
		}
	}
	return nil
}
