//go:build !first

package evaluation

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Row is one document's part of a measure's value.
type Row struct {
	Rank  int // in the ranking that is measured: a policy may have taken unjudged documents out of it
	Place int // in the ranking as it was given
	ID    string
	Title string  // "" if the corpus is not known
	Grade float64 // measure.Unjudged if nobody judged it
	Term  float64 // what the document adds to the sum
	Share float64 // Term / Divisor: what it adds to the value
	Work  string  // how the term comes about: "3 / log2(4)", "2/3"; "" if it does not count
}

// Unfolded is the arithmetic of one value, as measure.Unfolding has it: Base + (sum of the terms) / Divisor = Value,
// within 1e-12.
type Unfolded struct {
	Measure  string // under the policy
	Query    string
	System   int
	Formula  string // of the registry
	Rows     []Row  // in rank order: all up to the cutoff (report.Window without one), and every other with a term
	Sum      float64
	Divisor  float64
	By       string // names the divisor: "IDCG@10", "relevant documents"; "" if nothing is divided
	Ideal    []Row  // the terms of the ideal ranking, if the divisor comes from one; Place 0 and no ids
	Base     float64
	Value    float64
	Stepwise bool     // the measure is no sum over documents: see measure.Unfolding
	Steps    []string // the arithmetic in lines, from the terms to the value
}

// Unfold takes the value of a measure for one ranking apart, document by document. asked is the measure as it was
// written, applied what the policy makes of it; document returns the id and title at a place of the ranking, from 0.
func Unfold(t *measure.Topic, asked, applied measure.Measure, system int,
	document func(place int) (id, title string)) *Unfolded {
	p := applied.Unfold(t)
	u := &Unfolded{Measure: applied.String(), Query: t.Query, System: system, Formula: asked.Info().Formula, Sum: p.Sum,
		Divisor: p.Divisor, By: p.By, Base: p.Base, Value: p.Value, Stepwise: p.Stepwise, Steps: p.Steps()}
	show := asked.Cutoff()
	if show == 0 {
		show = report.Window
	}
	for i, part := range p.Parts {
		if part.Term == 0 && (part.Rank == 0 && part.Place > show || part.Rank > show) {
			continue
		}
		r := rowOf(part)
		r.ID, r.Title = document(i)
		u.Rows = append(u.Rows, r)
	}
	for _, part := range p.Ideal {
		u.Ideal = append(u.Ideal, rowOf(part))
	}
	return u
}

func rowOf(p measure.Part) Row {
	return Row{Rank: p.Rank, Place: p.Place, Grade: p.Grade, Term: p.Term, Share: p.Share, Work: p.Work}
}

// Wire walks the arithmetic.
func (u *Unfolded) Wire(c *wire.Codec) {
	c.Fields(&u.Measure, &u.Query, &u.Formula, &u.By, &u.System)
	wire.Structs(c, &u.Rows)
	wire.Structs(c, &u.Ideal)
	c.Fields(&u.Sum, &u.Divisor, &u.Base, &u.Value, &u.Stepwise, &u.Steps)
}

// Wire walks the row.
func (r *Row) Wire(c *wire.Codec) {
	c.Fields(&r.Rank, &r.Place, &r.ID, &r.Title)
	c.Grade(&r.Grade)
	c.Fields(&r.Term, &r.Share, &r.Work)
}
