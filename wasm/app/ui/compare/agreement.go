package compare

import (
	"math"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Agreement is how alike the rankings of the runs are, and the orders of the runs by the measures.
type Agreement struct {
	part
}

// AgreeForm is one way to say how alike two rankings are.
type AgreeForm struct{ Name, Short, Title, Doc string }

var agreeForms = []AgreeForm{
	{screen.AgreeRBO, "RBO", "RBO", "rank-biased overlap, p = " + say.Page.Short(significance.Persistence) +
		" (Webber, Moffat and Zobel 2010): 0 = nothing in common, 1 = the same ranking; top ranks count most"},
	{screen.AgreeTau, "τ", "Kendall's τ",
		"Kendall's τ over the documents that both rank: share of pairs in the same order minus those reversed; " +
			"−1 to 1"},
	{screen.AgreeTauAP, "τ_AP", "τ_AP",
		"τ_AP (Yilmaz, Aslam and Robertson 2008) over the documents that both rank: as τ, but errors at the top " +
			"count more; the row is the reference"},
	{screen.AgreeCommon, "common", "documents in common", "documents a query that both rankings have at the top"},
}

// S is the state of the screen.
func (c *Agreement) S() *screen.Compare { return c.Compare }

// D is the answer of the worker, nil while it is waited for.
func (c *Agreement) D() *message.Agreed { return c.S().Statistics.Agreed }

// Forms are the ways there are.
func (c *Agreement) Forms() []AgreeForm { return agreeForms }

func (c *Agreement) form() AgreeForm {
	for _, f := range agreeForms {
		if f.Name == c.S().View.Agree {
			return f
		}
	}
	return agreeForms[0]
}

// Doc says what the chosen one means.
func (c *Agreement) Doc() string { return c.form().Doc }

// To is where it is defined.
func (c *Agreement) To() string {
	if c.form().Name == screen.AgreeTauAP {
		return ui.ToTest("tau_ap")
	}
	return ui.ToTest(c.form().Name)
}

// Set chooses one.
func (c *Agreement) Set(event vugu.DOMEvent) {
	c.Compare.Statistics.ShowAgreement(event.PropString("target", "value"))
}

// Corner is the head of the first column.
func (c *Agreement) Corner() string { return c.form().Short }

// Name is the name of a run.
func (c *Agreement) Name(i int) string { return ui.Brief(c.S().Runs.Report().Systems[i].Label) }

// Working says how far it is, "" where it is done.
func (c *Agreement) Working() string {
	d := c.D()
	switch {
	case d == nil:
		return "Comparing the rankings …"
	case d.Done < d.Total:
		return "Comparing the rankings: " + say.Thousands(d.Done) + " of " + say.Count(d.Total, "query", "queries") +
			". These figures cover the queries so far."
	}
	return ""
}

func (c *Agreement) value(g *compare.Agreement) float64 {
	switch c.form().Name {
	case screen.AgreeTau:
		return g.Tau
	case screen.AgreeTauAP:
		return g.TauAP
	case screen.AgreeCommon:
		return g.Common
	}
	return g.RBO
}

func (c *Agreement) text(v float64) string {
	if c.form().Name == screen.AgreeCommon {
		return say.Page.Number(v, 1)
	}
	return say.Page.Number(v, 2)
}

// Cell is what stands where two runs meet: nothing where they were not compared. τ_AP has its reference in the row, and
// one run of a pair is the reference.
func (c *Agreement) Cell(i, j int) string {
	for k := range c.D().Rankings {
		g := &c.D().Rankings[k]
		if g.A == i && g.B == j || g.A == j && g.B == i && c.form().Name != screen.AgreeTauAP {
			return c.text(c.value(g))
		}
	}
	return ""
}

// Finding says which rankings are most alike.
func (c *Agreement) Finding() string {
	d := c.D()
	most, least := -1, -1
	for k := range d.Rankings {
		v := c.value(&d.Rankings[k])
		if v != v {
			continue
		}
		if most < 0 || v > c.value(&d.Rankings[most]) {
			most = k
		}
		if least < 0 || v < c.value(&d.Rankings[least]) {
			least = k
		}
	}
	if most < 0 {
		return "No two rankings have enough documents in common for this measure."
	}
	pair := func(k int) string {
		g := &d.Rankings[k]
		unit := c.form().Short + " " + c.text(c.value(g))
		if c.form().Name == screen.AgreeCommon {
			unit = c.text(g.Common) + " in common"
		}
		return c.S().Runs.Report().Letter(g.A) + " and " + c.S().Runs.Report().Letter(g.B) + " (" + unit + ")"
	}
	g := &d.Rankings[most]
	s := c.S().Runs.Report().Letter(g.A) + " and " + c.S().Runs.Report().Letter(g.B) + " have " +
		say.Page.Number(g.Common, 1) + " of their first " + say.Count(compare.AgreementDepth, "document", "documents") +
		" in common; " + c.form().Short + " " + c.text(c.value(g))
	if c.form().Name == screen.AgreeCommon {
		s = c.S().Runs.Report().Letter(g.A) + " and " + c.S().Runs.Report().Letter(g.B) + " have " +
			say.Page.Number(g.Common, 1) + " of their first " + say.Count(compare.AgreementDepth, "document",
			"documents") + " in common"
	}
	if len(d.Rankings) > 1 {
		s = "Most alike rank " + pair(most) + ", least " + pair(least)
	}
	s += ": means over those of " + say.Count(d.Done, "query", "queries") + " that both have, of their first " +
		say.Count(compare.AgreementDepth, "document", "documents") + "."
	if n := len(c.S().Runs.Report().Systems); len(d.Rankings) < n*(n-1)/2 {
		s += " With this many runs and queries, only pairs with the baseline are compared."
	}
	return s
}

// OrderFinding says whether the measures put the runs into one order.
func (c *Agreement) OrderFinding() string {
	d := c.D()
	var same, other []string
	least := 0
	for k, o := range d.Orders {
		if o.Tau > 1-1e-12 {
			same = append(same, o.Measure)
			continue
		}
		other = append(other, o.Measure)
		if !(o.Tau >= d.Orders[least].Tau) || len(other) == 1 {
			least = k
		}
	}
	runs := say.Count(len(c.S().Runs.Report().Systems), "run", "runs")
	verb := func(s []string, one, many string) string {
		if len(s) == 1 {
			return one
		}
		return many
	}
	switch {
	case len(other) == 0:
		if len(same) == 0 {
			return ""
		}
		return say.And(same) + verb(same, " puts", " put") + " the " + runs + " into the same order as " + d.Measure +
			"."
	case len(same) == 0:
		return say.And(other) + verb(other, " puts", " put") + " the " + runs + " into another order than " +
			d.Measure + verb(other, "", ", "+d.Orders[least].Measure+" most of all") + tau(d.Orders[least].Tau) + "."
	}
	return say.And(same) + verb(same, " puts", " put") + " the " + runs + " into the same order as " + d.Measure +
		"; " + say.And(other) + verb(other, " does not"+tau(d.Orders[least].Tau), " do not, "+d.Orders[least].Measure+
		" least of all"+tau(d.Orders[least].Tau)) + "."
}

func tau(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return " (τ " + say.Page.Number(v, 2) + ")"
}
