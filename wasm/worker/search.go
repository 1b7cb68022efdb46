package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Search, handler{quick: true, blame: at("this search")}, toSearches, (*searches).search)
	register(message.Explain, handler{quick: true, blame: func(p *message.Problem, question wire.Wirer) {
		if ask, ok := question.(*message.AskWhy); ok {
			p.Where = "the explanation of document " + ask.Focus.Document
		}
	}}, toSearches, (*searches).explain)
	register(message.Evaluate, handler{blame: at("the comparison over all judged queries")}, toSearches,
		(*searches).evaluate)
	register(message.Narrow, handler{before: message.Search, blame: at("the filters")}, toSearches, (*searches).narrow)
	// a query that is typed meanwhile goes first: the page asks for the curve again
	register(message.Curve, handler{before: message.Search, blame: at("the curve along a setting")}, toSearches,
		(*searches).curve)
}

// searches are what typed and judged queries ask of the open collection.
type searches struct {
	open     *openCollection
	backends *backends
	page     *page
}

func toSearches(e *Engine) *searches { return &e.searches }

// search ranks the documents for a query. If their texts take long, the lists are answered twice: without and with
// them.
func (sr *searches) search(r message.Request, spec *experiment.Spec) (*experiment.Results, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	sr.backends.asking(spec.Systems)
	spent := sr.backends.find(spec)
	defer sr.ahead(r)()
	out, err := sr.open.session.Search(*spec)
	if err == nil {
		out.Spent += spent
		sr.backends.unfound(out)
	}
	return out, err
}

// explain takes the score of a document apart.
func (sr *searches) explain(_ message.Request, ask *message.AskWhy) (*experiment.Why, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	sr.backends.findOne(ask)
	return sr.open.session.Explain(ask.Spec, ask.Focus)
}

// evaluate compares systems over the judged queries. No systems cancel the comparison before.
func (sr *searches) evaluate(r message.Request, spec *experiment.Spec) (*report.Report, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	if len(spec.Systems) == 0 {
		return nil, nil
	}
	sr.backends.asking(spec.Systems)
	if sr.backends.findAll(r, spec.Systems, spec.Spend) {
		return nil, nil
	}
	rankings := len(spec.Systems) * len(sr.open.session.Queries.Described())
	out, err := sr.open.session.Evaluate(*spec, sr.page.measuring(r, rankings))
	if errors.Is(err, experiment.ErrCancelled) {
		return nil, nil
	}
	return out, err
}

// narrow counts the documents that each value of a filter would leave.
func (sr *searches) narrow(_ message.Request, spec *experiment.Spec) (*message.Facets, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	return narrow(sr.open.session, *spec)
}

// curve measures a system along one of its settings.
func (sr *searches) curve(r message.Request, ask *message.AskCurve) (*experiment.Curve, error) {
	if sr.open.session == nil {
		return nil, errNoCollection
	}
	if sr.backends.findAll(r, ask.Spec.Systems, 0) {
		return nil, nil
	}
	c, err := sr.open.session.Curve(ask.Spec, ask.Stage, ask.Param, func() bool {
		sr.page.letIn()
		return sr.page.isOutdated(r)
	})
	if errors.Is(err, experiment.ErrCancelled) {
		return nil, nil
	}
	return c, err
}

var errNoCollection = errors.New("no collection is open")
