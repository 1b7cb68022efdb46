package ui

import (
	"math"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// CompareAgreement is how alike the rankings of the runs are, and the orders of the runs by the measures.
type CompareAgreement struct {
	part
}

// AgreeForm is one way to say how alike two rankings are.
type AgreeForm struct{ Name, Short, Title, Doc string }

var agreeForms = []AgreeForm{
	{state.AgreeRBO, "RBO", "RBO", "rank-biased overlap, p = 0.9 (Webber, Moffat and Zobel 2010): 0 where nothing is in common, 1 where the rankings are the same; the first places count most"},
	{state.AgreeTau, "τ", "Kendall's τ", "Kendall's τ over the documents that both rank: pairs in the same order less pairs in the other one, as a share; −1 to 1"},
	{state.AgreeTauAP, "τ_AP", "τ_AP", "τ_AP (Yilmaz, Aslam and Robertson 2008) over the documents that both rank: as τ, errors at the top of the reference counting more; the row is the reference"},
	{state.AgreeCommon, "common", "documents in common", "documents that are among the first of both rankings, a query"},
}

// S is the state of the screen.
func (c *CompareAgreement) S() *state.Compare { return &c.App.Compare }

// D is the answer of the worker, nil while it is waited for.
func (c *CompareAgreement) D() *message.Agreed { return c.S().Agreed }

// Forms are the ways there are.
func (c *CompareAgreement) Forms() []AgreeForm { return agreeForms }

func (c *CompareAgreement) form() AgreeForm {
	for _, f := range agreeForms {
		if f.Name == c.S().Agree {
			return f
		}
	}
	return agreeForms[0]
}

// Doc says what the chosen one means.
func (c *CompareAgreement) Doc() string { return c.form().Doc }

// To is where it is defined.
func (c *CompareAgreement) To() string {
	if c.form().Name == state.AgreeTauAP {
		return toTest("tau_ap")
	}
	return toTest(c.form().Name)
}

// Set chooses one.
func (c *CompareAgreement) Set(event vugu.DOMEvent) {
	c.App.ShowAgreement(event.PropString("target", "value"))
}

// Corner is the head of the first column.
func (c *CompareAgreement) Corner() string { return c.form().Short }

// Name is the name of a run.
func (c *CompareAgreement) Name(i int) string { return brief(c.S().Report().Systems[i].Label) }

// Working says how far it is, "" where it is done.
func (c *CompareAgreement) Working() string {
	d := c.D()
	switch {
	case d == nil:
		return "Comparing the rankings …"
	case d.Done < d.Total:
		return "Comparing the rankings: " + thousands(d.Done) + " of " + plural(d.Total, "query", "queries") + ". The figures are those of the queries so far."
	}
	return ""
}

func (c *CompareAgreement) value(g *compare.Agreement) float64 {
	switch c.form().Name {
	case state.AgreeTau:
		return g.Tau
	case state.AgreeTauAP:
		return g.TauAP
	case state.AgreeCommon:
		return g.Common
	}
	return g.RBO
}

func (c *CompareAgreement) text(v float64) string {
	if c.form().Name == state.AgreeCommon {
		return fixed(v, 1)
	}
	return fixed(v, 2)
}

// Cell is what stands where two runs meet: nothing where they were not compared. τ_AP has its reference in the row, and one run of a pair is
// the reference.
func (c *CompareAgreement) Cell(i, j int) string {
	for k := range c.D().Rankings {
		g := &c.D().Rankings[k]
		if g.A == i && g.B == j || g.A == j && g.B == i && c.form().Name != state.AgreeTauAP {
			return c.text(c.value(g))
		}
	}
	return ""
}

// Finding says which rankings are most alike.
func (c *CompareAgreement) Finding() string {
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
		return "No two rankings of a query have enough in common to be compared in this way."
	}
	pair := func(k int) string {
		g := &d.Rankings[k]
		unit := c.form().Short + " " + c.text(c.value(g))
		if c.form().Name == state.AgreeCommon {
			unit = c.text(g.Common) + " in common"
		}
		return letter(g.A) + " and " + letter(g.B) + " (" + unit + ")"
	}
	g := &d.Rankings[most]
	s := letter(g.A) + " and " + letter(g.B) + " have " + fixed(g.Common, 1) + " of their first " + plural(compare.AgreementDepth, "document", "documents") + " in common; " + c.form().Short + " " + c.text(c.value(g))
	if c.form().Name == state.AgreeCommon {
		s = letter(g.A) + " and " + letter(g.B) + " have " + fixed(g.Common, 1) + " of their first " + plural(compare.AgreementDepth, "document", "documents") + " in common"
	}
	if len(d.Rankings) > 1 {
		s = "Most alike rank " + pair(most) + ", least " + pair(least)
	}
	s += ": means over those of " + plural(d.Done, "query", "queries") + " that both have, of their first " + plural(compare.AgreementDepth, "document", "documents") + "."
	if n := len(c.S().Report().Systems); len(d.Rankings) < n*(n-1)/2 {
		s += " With so many runs and queries only the pairs with the baseline are compared."
	}
	return s
}

// OrderFinding says whether the measures put the runs into one order.
func (c *CompareAgreement) OrderFinding() string {
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
	runs := plural(len(c.S().Report().Systems), "run", "runs")
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
		return say.And(same) + verb(same, " puts", " put") + " the " + runs + " into the same order as " + d.Measure + "."
	case len(same) == 0:
		return say.And(other) + verb(other, " puts", " put") + " the " + runs + " into another order than " + d.Measure + verb(other, "", ", "+d.Orders[least].Measure+" most of all") + tau(d.Orders[least].Tau) + "."
	}
	return say.And(same) + verb(same, " puts", " put") + " the " + runs + " into the same order as " + d.Measure + "; " + say.And(other) + verb(other, " does not"+tau(d.Orders[least].Tau), " do not, "+d.Orders[least].Measure+" least of all"+tau(d.Orders[least].Tau)) + "."
}

func tau(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return " (τ " + fixed(v, 2) + ")"
}
