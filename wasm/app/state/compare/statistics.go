package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share/packed"
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
	if c.Runs.Report() != nil {
		c.View.look(choosing, func(x *packed.View) { x.Tests = on })
	}
}

// SetMargin sets within which difference two runs are equivalent.
func (c *Compare) SetMargin(within float64) {
	if within > 0 && within <= 1e6 {
		c.View.look(how{kind: "margin", undone: true}, func(x *packed.View) { x.Margin = within })
	}
}

// ShowAgreement shows how alike the rankings are, in one of the forms; "" hides it.
func (c *Compare) ShowAgreement(form string) {
	if c.Runs.Report() != nil {
		c.View.look(choosing, func(x *packed.View) { x.Agree = form })
	}
}

// lookTests asks for every test of the pair, where somebody looks.
func (c *Compare) lookTests() {
	r := c.Runs.Report()
	_, waiting := c.App.Asked(message.Statistics)
	switch {
	case r != nil && c.View.Tests && c.View.A != c.View.B:
		if c.PairTests != nil && c.PairTests.Measure != r.Measures[c.View.Column] {
			c.PairTests = nil
		}
		c.App.Request(message.Statistics, &message.AskStatistics{A: c.View.A, B: c.View.B, Measure: r.Measures[c.View.Column], Margin: c.View.Margin})
	default:
		c.PairTests = nil
		if waiting { // the worker need not finish
			c.App.Request(message.Statistics, &message.AskStatistics{})
		}
	}
}

// lookAgreement asks how alike the rankings are, where somebody looks.
func (c *Compare) lookAgreement() {
	r := c.Runs.Report()
	if r == nil || c.View.Agree == "" || len(r.Systems) < 2 || !r.HasRankings() {
		c.Agreed = nil
		return
	}
	c.App.Request(message.Agreement, &message.AskAgreement{Measure: r.Measures[c.View.Column]})
}

// agreed takes what was compared so far, and asks for more as long as somebody looks.
func (c *Compare) agreed(d *message.Agreed) {
	if c.View.Agree == "" {
		return
	}
	if c.Agreed = d; d.Done < d.Total {
		c.lookAgreement()
	}
}
