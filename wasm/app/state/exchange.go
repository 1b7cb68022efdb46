package state

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
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

// replies says what the page does with the replies of each kind.
type replies map[message.Kind]reply

// reply is what it does with those of one.
type reply struct {
	hear func(*message.Progress) // nil for the page's own progress
	take func(wire.Wirer, *message.Problem)
}

// listen registers what takes the replies of an exchange. The answer is nil where there is none: for a problem, and
// where something newer made it superfluous.
func (x exchange[Question, Answer]) listen(to replies, hear func(*message.Progress),
	take func(Answer, *message.Problem)) {
	to[x.kind] = reply{hear, func(w wire.Wirer, p *message.Problem) {
		answer, _ := w.(Answer)
		take(answer, p)
	}}
}

// listen registers what takes the replies of each exchange.
func (a *App) listen() {
	a.replies = replies{}
	opening.listen(a.replies, nil, func(o *message.Opened, _ *message.Problem) {
		if o != nil {
			a.opened(o)
		}
	})
	searching.listen(a.replies, a.Engine.arrives, func(r *experiment.Results, _ *message.Problem) {
		if r != nil {
			a.Search.found(r)
			a.Filters.narrow()
			a.Programs.arrived()
			a.Screens.found()
		}
	})
	explaining.listen(a.replies, nil, func(w *experiment.Why, _ *message.Problem) {
		if w != nil {
			a.Search.explained(w)
		}
	})
	evaluating.listen(a.replies, a.Figures.hear, func(r *report.Report, _ *message.Problem) {
		if r != nil {
			a.Figures.reported(r)
		}
	})
	counting.listen(a.replies, nil, func(f *message.Facets, _ *message.Problem) {
		if f != nil {
			a.Filters.narrowed = f
		}
	})
	tracing.listen(a.replies, nil, func(c *experiment.Curve, p *message.Problem) {
		if p == nil {
			a.Sliders.drawn(c)
		}
	})
	encoding.listen(a.replies, a.Encoder.hear, a.Encoder.encoded)
}
