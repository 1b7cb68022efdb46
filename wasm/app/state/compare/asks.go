package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
)

// lookQuery asks for the rankings of the open query.
func (c *Compare) lookQuery() {
	r := c.Runs.Report()
	if r == nil || c.View.Open == "" || !r.HasRankings() {
		c.Detail = nil
		return
	}
	c.App.Request(message.Query, &message.AskQuery{A: c.View.A, B: c.View.B, Measure: r.Measures[c.View.Column], Query: c.View.Open, Depth: c.View.Depth})
}

// AskOpinions asks what other tools say.
func (c *Compare) AskOpinions() {
	if r := c.Runs.Report(); r != nil && r.HasRankings() {
		c.App.Request(message.Opinions, &message.AskOpinions{Measure: r.Measures[c.View.Column]})
	}
}

// lookPairs asks for the paired tests on the measure that is looked at, where the report does not have them.
func (c *Compare) lookPairs() {
	c.Further = nil
	if r := c.Runs.Report(); r != nil && c.View.Column > 0 && len(r.Systems) > 1 {
		c.App.Request(message.Tests, &message.AskTests{Measure: r.Measures[c.View.Column]})
	}
}

// Tested is the paired tests on the measure that is looked at, nil while they are worked out.
func (c *Compare) Tested() *report.Tests {
	r := c.Runs.Report()
	switch {
	case r == nil:
		return nil
	case c.View.Column == 0:
		return &report.Tests{Pairs: r.Pairs, Test: r.Test}
	case c.Further != nil && c.Further.Column == c.View.Column:
		return c.Further
	}
	return nil
}

// viewChanged asks for what the view shows now and did not before; turned says that the page of the table holds other
// queries.
func (c *Compare) viewChanged(was packed.View, turned bool) {
	now := &c.View.View
	pair := was.A != now.A || was.B != now.B || was.Column != now.Column
	if pair || turned {
		c.lookRows()
	}
	if pair || was.Open != now.Open || was.Depth != now.Depth {
		c.lookQuery()
	}
	if pair || was.Tests != now.Tests || was.Margin != now.Margin {
		c.lookTests()
	}
	if was.Claim != now.Claim || was.Column != now.Column && c.lacks() {
		c.lookAnalyses()
	}
	if was.Column != now.Column || (was.Agree == "") != (now.Agree == "") {
		c.lookAgreement()
	}
	if was.Column != now.Column {
		c.lookPairs()
		c.lookOpinions()
	}
}

// lookOpinions asks for the opinions again, if they are shown or waited for.
func (c *Compare) lookOpinions() {
	if _, waiting := c.App.Asked(message.Opinions); c.Opinions != nil || waiting {
		c.Opinions = nil
		c.AskOpinions()
	}
}

// lookRows asks why the queries of the page of the table changed.
func (c *Compare) lookRows() {
	r := c.Runs.Report()
	if r == nil || c.View.A == c.View.B || !r.HasRankings() {
		c.Why = nil
		return
	}
	var ids []string
	for _, q := range c.View.PageRows() {
		ids = append(ids, r.Queries[q].ID)
	}
	c.Why = nil
	if len(ids) > 0 {
		c.App.Request(message.Reasons, &message.AskReasons{A: c.View.A, B: c.View.B, Measure: r.Measures[c.View.Column], Queries: ids})
	}
}
