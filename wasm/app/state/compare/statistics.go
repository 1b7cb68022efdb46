package compare

import (
	"github.com/rankbox/rankbox/core/message"
)

// The forms in which the agreement of rankings is shown.
const (
	AgreeRBO    = "rbo"
	AgreeTau    = "tau"
	AgreeTauAP  = "tauap"
	AgreeCommon = "common"
)

// ShowTests shows every test of the pair that is looked at, or hides them.
func (c *Compare) ShowTests(on bool) {
	if c.Report() != nil {
		c.look(choosing, func(c *Compare) { c.Tests = on })
	}
}

// SetMargin sets within which difference two runs are equivalent.
func (c *Compare) SetMargin(v float64) {
	if v > 0 && v <= 1e6 {
		c.look(how{kind: "margin", undone: true}, func(c *Compare) { c.Margin = v })
	}
}

// ShowAgreement shows how alike the rankings are, in one of the forms; "" hides it.
func (c *Compare) ShowAgreement(form string) {
	if c.Report() != nil {
		c.look(choosing, func(c *Compare) { c.Agree = form })
	}
}

// lookTests asks for every test of the pair, where somebody looks.
func (c *Compare) lookTests() {
	r := c.Report()
	_, waiting := c.App.Engine.Asked(message.Statistics)
	switch {
	case r != nil && c.Tests && c.A != c.B:
		if c.PairTests != nil && c.PairTests.Measure != r.Measures[c.Column] {
			c.PairTests = nil
		}
		c.App.Engine.Request(message.Statistics, &message.AskStatistics{A: c.A, B: c.B, Measure: r.Measures[c.Column], Margin: c.Margin})
	default:
		c.PairTests = nil
		if waiting { // the worker need not finish
			c.App.Engine.Request(message.Statistics, &message.AskStatistics{})
		}
	}
}

// lookAgreement asks how alike the rankings are, where somebody looks.
func (c *Compare) lookAgreement() {
	r := c.Report()
	if r == nil || c.Agree == "" || len(r.Systems) < 2 || !r.HasRankings() {
		c.Agreed = nil
		return
	}
	c.App.Engine.Request(message.Agreement, &message.AskAgreement{Measure: r.Measures[c.Column]})
}

// agreed takes what was compared so far, and asks for more as long as somebody looks.
func (c *Compare) agreed(d *message.Agreed) {
	if c.Agree == "" {
		return
	}
	if c.Agreed = d; d.Done < d.Total {
		c.lookAgreement()
	}
}
