package compare

import (
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
)

// Row is one document's part of a measure's value.
type Row struct {
	Rank  int // in the ranking that is measured: unjudged documents may have been taken out of it
	Place int // in the run
	ID    string
	Grade int     // Unjudged where the qrels do not name it
	Term  float64 // what the document adds to the sum
	Share float64 // Term / Divisor: what it adds to the value
	Work  string  // how the term comes about: "3 / log2(4)", "2/3", "" where it does not count
}

// Unfolded is the arithmetic of one value, as measure.Unfolding has it: Base + (sum of the terms) / Divisor = Value, within 1e-12.
type Unfolded struct {
	Measure  string // under the policy
	Query    string
	System   int
	Formula  string // of the registry
	Rows     []Row  // in the order of the ranking: all up to the cutoff (without one: up to report.Window), and every other with a term
	Sum      float64
	Divisor  float64
	By       string // what the divisor is: "IDCG@10", "relevant documents"; "" where nothing is divided
	Ideal    []Row  // of measures divided by the value of an ideal ranking, its terms; Place 0 and no ids
	Base     float64
	Value    float64
	Stepwise bool     // the measure is no sum over documents: see measure.Unfolding
	Steps    []string // the arithmetic in lines, from the terms to the value
}

// Unfold takes the value of a measure for one query and run apart, document by document.
func (c *Comparison) Unfold(notation string, system int, query string) (*Unfolded, error) {
	m, applied, err := c.measureOf(notation)
	if err != nil {
		return nil, err
	}
	if err := c.systemOf(system); err != nil {
		return nil, err
	}
	q, err := c.queryOf(query)
	if err != nil {
		return nil, err
	}
	var t measure.Topic
	c.topic(&t, system, q)
	p := applied.Unfold(&t)
	u := &Unfolded{Measure: applied.String(), Query: query, System: system, Formula: m.Info().Formula, Sum: p.Sum, Divisor: p.Divisor, By: p.By, Base: p.Base, Value: p.Value, Stepwise: p.Stepwise, Steps: p.Steps()}
	list, _ := c.entries(system, q)
	show := m.Cutoff()
	if show == 0 {
		show = report.Window
	}
	for i, part := range p.Parts {
		if part.Term == 0 && (part.Rank == 0 && part.Place > show || part.Rank > show) {
			continue
		}
		r := rowOf(part)
		r.ID = list[i].Doc
		u.Rows = append(u.Rows, r)
	}
	for _, part := range p.Ideal {
		u.Ideal = append(u.Ideal, rowOf(part))
	}
	return u, nil
}

func rowOf(p measure.Part) Row {
	return Row{Rank: p.Rank, Place: p.Place, Grade: int(p.Grade), Term: p.Term, Share: p.Share, Work: p.Work}
}
