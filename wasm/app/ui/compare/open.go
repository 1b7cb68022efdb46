package compare

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Open says what unjudged documents and ties leave open.
type Open struct {
	part
}

// R is the report.
func (c *Open) R() *report.Report { return c.Compare.Runs.Report() }

func (c *Open) m() int { return c.Compare.View.Column }

// Given says whether the report is of given scores.
func (c *Open) Given() bool {
	_, given := c.R().Given()
	return given
}

// Measure is the measure that is looked at.
func (c *Open) Measure() string { return c.R().Measures[c.m()] }

// Share is the share of unjudged documents.
func (c *Open) Share(u report.Coverage) string {
	return say.Page.Percent(u.Share(), 1)
}

// Mean is the mean of a run.
func (c *Open) Mean(i int) string { return say.Page.Number(c.R().Columns[c.m()].Means[i], 4) }

func span(low, high float64) string {
	if math.IsNaN(low) {
		return "not bounded"
	}
	if say.Page.Number(low, 4) == say.Page.Number(high, 4) {
		return say.Page.Number(low, 4)
	}
	return say.Page.Number(low, 4) + " to " + say.Page.Number(high, 4)
}

// Residual is what the mean could become.
func (c *Open) Residual(i int) string {
	x := c.R().Columns[c.m()]
	return span(x.ResidualLow[i], x.ResidualHigh[i])
}

// Tied counts the documents that share their score.
func (c *Open) Tied(u report.Coverage) string {
	if u.Tied == 0 {
		return "none"
	}
	return say.Thousands(u.Tied) + " in " + say.Count(u.TiedIn, "query", "queries")
}

// Ties is the range of the mean over all orders of tied documents.
func (c *Open) Ties(i int) string {
	x := c.R().Columns[c.m()]
	return span(x.TieLow[i], x.TieHigh[i])
}

// HasOpen says whether there are unjudged documents.
func (c *Open) HasOpen() bool {
	if !c.R().HasRankings() {
		return false
	}
	for _, u := range c.R().Coverage {
		if u.Unjudged > 0 {
			return true
		}
	}
	return false
}

// Caption states the finding.
func (c *Open) Caption() string {
	r := c.R()
	open, looked, tied := 0, 0, 0
	widest, who := 0.0, 0
	further := false // the measure depends on unjudged documents
	for i, u := range r.Coverage {
		x := r.Columns[c.m()]
		further = further || say.Page.Number(x.ResidualLow[i], 4) != say.Page.Number(x.ResidualHigh[i], 4)
		open += u.Unjudged
		looked += u.Top
		tied += u.Tied
		if w := x.TieHigh[i] - x.TieLow[i]; w > widest {
			widest, who = w, i
		}
	}
	s := "Every top 10 document is judged."
	if open > 0 && looked > 0 {
		s = say.Thousands(open) + " of " + say.Thousands(looked) + " top 10 documents are not judged."
	} else if further {
		s += " Unjudged documents further down could still change " + c.Measure() + ", which counts all relevant ones."
	}
	switch {
	case r.GradesOnly():
		s += " " + needsDocuments
	case tied == 0:
		s += " No scores are tied."
	case say.Page.Number(widest, 4) == "0.0000":
		s += " The order of tied documents does not change " + c.Measure() + "."
	default:
		s += " The order of tied documents can move " + c.Measure() + " of " + c.R().Letter(who) + " by up to " +
			say.Page.Number(widest, 4) + "."
	}
	return s
}
