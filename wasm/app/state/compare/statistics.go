package compare

import (
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Statistics is what the worker said of the pairs of runs beyond the report: paired tests and the agreement of
// rankings.
type Statistics struct {
	app  *state.App
	runs *Runs
	view *View

	// on the measure that is looked at, where it is not the first; nil until they are there
	Further   *report.Tests
	PairTests *message.PairTests // every test of the pair that is looked at, nil until they are there
	Agreed    *message.Agreed    // how alike the rankings are, of as many queries as were compared
}

func (s *Statistics) forget() { s.Further, s.PairTests, s.Agreed = nil, nil, nil }

// The forms in which the agreement of rankings is shown.
const (
	AgreeRBO    = "rbo"
	AgreeTau    = "tau"
	AgreeTauAP  = "tauap"
	AgreeCommon = "common"
)

// ShowTests shows every test of the pair that is looked at, or hides them.
func (s *Statistics) ShowTests(on bool) {
	if s.runs.Report() != nil {
		s.view.look(choosing, func(x *packed.View) { x.Tests = on })
	}
}

// SetMargin sets within which difference two runs are equivalent.
func (s *Statistics) SetMargin(within float64) {
	if within > 0 && within <= 1e6 {
		s.view.look(how{kind: "margin", undone: true}, func(x *packed.View) { x.Margin = within })
	}
}

// ShowAgreement shows how alike the rankings are, in one of the forms; "" hides it.
func (s *Statistics) ShowAgreement(form string) {
	if s.runs.Report() != nil {
		s.view.look(choosing, func(x *packed.View) { x.Agree = form })
	}
}

// askTests asks for every test of the pair if its table is open.
func (s *Statistics) askTests() {
	r := s.runs.Report()
	_, waiting := s.app.Engine.Asked(message.Statistics)
	switch {
	case r != nil && s.view.Tests && s.view.A != s.view.B:
		if s.PairTests != nil && s.PairTests.Measure != r.Measures[s.view.Column] {
			s.PairTests = nil
		}
		s.app.Engine.Request(message.Statistics, &message.AskStatistics{A: s.view.A, B: s.view.B,
			Measure: r.Measures[s.view.Column], Margin: s.view.Margin})
	default:
		s.PairTests = nil
		if waiting { // the worker need not finish
			s.app.Engine.Request(message.Statistics, &message.AskStatistics{})
		}
	}
}

// askAgreement asks how alike the rankings are if that table is open.
func (s *Statistics) askAgreement() {
	r := s.runs.Report()
	if r == nil || s.view.Agree == "" || len(r.Systems) < 2 || !r.HasRankings() {
		s.Agreed = nil
		return
	}
	s.app.Engine.Request(message.Agreement, &message.AskAgreement{Measure: r.Measures[s.view.Column]})
}

// agreed takes what was compared so far, and asks for more as long as it is shown.
func (s *Statistics) agreed(d *message.Agreed) {
	if s.view.Agree == "" {
		return
	}
	if s.Agreed = d; d.Done < d.Total {
		s.askAgreement()
	}
}

// askPairs asks for the paired tests on the measure that is looked at, where the report does not have them.
func (s *Statistics) askPairs() {
	s.Further = nil
	if r := s.runs.Report(); r != nil && s.view.Column > 0 && len(r.Systems) > 1 {
		s.app.Engine.Request(message.Tests, &message.AskTests{Measure: r.Measures[s.view.Column]})
	}
}

// Tested is the paired tests on the measure that is looked at, nil while they are worked out.
func (s *Statistics) Tested() *report.Tests {
	r := s.runs.Report()
	switch {
	case r == nil:
		return nil
	case s.view.Column == 0:
		return &report.Tests{Pairs: r.Pairs, Test: r.Test}
	case s.Further != nil && s.Further.Column == s.view.Column:
		return s.Further
	}
	return nil
}
