package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	register(message.Search, handler{blame: at("this search")}, itself, func(e *Engine, _ message.Request, spec *experiment.Spec) (*experiment.Results, error) {
		if e.open.session == nil {
			return nil, errNoCollection
		}
		e.backends.asking(spec.Systems)
		spent := e.backends.find(spec)
		out, err := e.open.session.Search(*spec)
		if err == nil {
			out.Spent += spent
			e.backends.unfound(out)
		}
		return out, err
	})
	register(message.Explain, handler{blame: func(p *message.Problem, question wire.Wirer) {
		if ask, ok := question.(*message.AskWhy); ok {
			p.Where = "the explanation of document " + ask.Focus.Document
		}
	}}, itself, func(e *Engine, _ message.Request, ask *message.AskWhy) (*experiment.Why, error) {
		if e.open.session == nil {
			return nil, errNoCollection
		}
		e.backends.findOne(ask)
		return e.open.session.Explain(ask.Spec, ask.Focus)
	})
	register(message.Evaluate, handler{blame: at("the comparison over all judged queries")}, itself, func(e *Engine, r message.Request, spec *experiment.Spec) (*report.Report, error) {
		if e.open.session == nil {
			return nil, errNoCollection
		}
		if len(spec.Systems) == 0 { // the one before was cancelled
			return nil, nil
		}
		e.backends.asking(spec.Systems)
		if e.backends.findAll(r, spec.Systems, spec.Spend) {
			return nil, nil
		}
		out, err := e.open.session.Evaluate(*spec, e.page.measuring(r, len(spec.Systems)*len(e.open.session.Queries())))
		if errors.Is(err, experiment.ErrCancelled) {
			return nil, nil
		}
		return out, err
	})
	register(message.Narrow, handler{before: message.Search, blame: at("the filters")}, itself,
		func(e *Engine, _ message.Request, spec *experiment.Spec) (*message.Facets, error) {
			if e.open.session == nil {
				return nil, errNoCollection
			}
			return narrow(e.open.session, *spec)
		})
	// a query that is typed meanwhile goes first: the page asks for the curve again
	register(message.Curve, handler{before: message.Search, blame: at("the curve along a setting")}, itself, func(e *Engine, r message.Request, ask *message.AskCurve) (*experiment.Curve, error) {
		if e.open.session == nil {
			return nil, errNoCollection
		}
		if e.backends.findAll(r, ask.Spec.Systems, 0) {
			return nil, nil
		}
		c, err := e.open.session.Curve(ask.Spec, ask.Stage, ask.Param, func() bool {
			if e.page.Pause != nil {
				e.page.Pause()
			}
			return e.page.Outdated != nil && e.page.Outdated(r)
		})
		if errors.Is(err, experiment.ErrCancelled) {
			return nil, nil
		}
		return c, err
	})
}

var errNoCollection = errors.New("no collection is open")
