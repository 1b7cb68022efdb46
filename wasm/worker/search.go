package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	does(message.Search, job{blame: at("this search")}, func(e *Engine, _ message.Request, spec *experiment.Spec) (*experiment.Results, error) {
		if e.session == nil {
			return nil, errNoCollection
		}
		e.asking(spec.Systems)
		spent := e.find(spec)
		out, err := e.session.Search(*spec)
		if err == nil {
			out.Spent += spent
			e.unfound(out)
		}
		return out, err
	})
	does(message.Explain, job{blame: func(p *message.Problem, question wire.Wirer) {
		if ask, ok := question.(*message.AskWhy); ok {
			p.Where = "the explanation of document " + ask.Focus.Document
		}
	}}, func(e *Engine, _ message.Request, ask *message.AskWhy) (*experiment.Why, error) {
		if e.session == nil {
			return nil, errNoCollection
		}
		e.findOne(ask)
		return e.session.Explain(ask.Spec, ask.Focus)
	})
	does(message.Evaluate, job{blame: at("the comparison over all judged queries")}, func(e *Engine, r message.Request, spec *experiment.Spec) (*report.Report, error) {
		if e.session == nil {
			return nil, errNoCollection
		}
		if len(spec.Systems) == 0 { // the one before was cancelled
			return nil, nil
		}
		e.asking(spec.Systems)
		if e.findAll(r, spec.Systems, spec.Spend) {
			return nil, nil
		}
		out, err := e.session.Evaluate(*spec, e.measuring(r, len(spec.Systems)))
		if errors.Is(err, experiment.ErrCancelled) {
			return nil, nil
		}
		return out, err
	})
	does(message.Narrow, job{before: message.Search, blame: at("the filters")},
		func(e *Engine, _ message.Request, spec *experiment.Spec) (*message.Facets, error) {
			if e.session == nil {
				return nil, errNoCollection
			}
			return narrow(e.session, *spec)
		})
	// a query that is typed meanwhile goes first: the page asks for the curve again
	does(message.Curve, job{before: message.Search, blame: at("the curve along a setting")}, func(e *Engine, r message.Request, ask *message.AskCurve) (*experiment.Curve, error) {
		if e.session == nil {
			return nil, errNoCollection
		}
		if e.findAll(r, ask.Spec.Systems, 0) {
			return nil, nil
		}
		c, err := e.session.Curve(ask.Spec, ask.Stage, ask.Param, func() bool {
			if e.Pause != nil {
				e.Pause()
			}
			return e.Outdated != nil && e.Outdated(r)
		})
		if errors.Is(err, experiment.ErrCancelled) {
			return nil, nil
		}
		return c, err
	})
}

// measuring is asked between the queries of every system, and then between resamples. It says ten times a second how far it is, and stops where the
// page has asked for something else.
func (e *Engine) measuring(r message.Request, systems int) func() bool {
	living := e.living()
	if living == nil {
		return nil
	}
	p := message.Progress{Total: systems * len(e.session.Queries.Described()), Unit: "rankings"}
	last := e.clock()
	return func() bool {
		living()
		p.Done = min(p.Done+1, p.Total)
		if e.clock()-last < 100_000 {
			return false
		}
		e.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &p})
		if e.Pause != nil {
			e.Pause()
		}
		e.turns() // who types need not wait for all queries
		last = e.clock()
		return e.Outdated != nil && e.Outdated(r)
	}
}

var errNoCollection = errors.New("no collection is open")
