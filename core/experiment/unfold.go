package experiment

import (
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// Arithmetic is the value of a measure for one ranking, term by term: Base + Sum / Divisor = Value, as measure.Unfolding has it.
type Arithmetic struct {
	System   int
	Measure  string
	Formula  string
	Rows     []Term // in the order of the ranking: all up to the cutoff (without one, the first ten), and every other with a term
	Ideal    []Term // of measures divided by the value of an ideal ranking, its terms; without documents
	Sum      float64
	Divisor  float64
	By       string // what the divisor is; "" where nothing is divided
	Base     float64
	Value    float64
	Stepwise bool
	Steps    []string // the arithmetic in lines
}

// Term is what one document adds.
type Term struct {
	Place     int // in the ranking, from 1
	ID, Title string
	Grade     int // NoGrade where there is none
	Value     float64
	Work      string // how it comes about, "3 / log2(4)"; "" where the document does not count
}

// Unfold takes the value of the measure with number column for the judged query of spec and the ranking of a system apart. The error says
// what there is not.
func (s *Session) Unfold(spec Spec, system, column int) (*Arithmetic, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	q, qi, err := s.queryOf(spec)
	switch {
	case err != nil:
		return nil, err
	case qi < 0:
		return nil, say.Faultf("experiment", "unfold: the query has no judgments")
	case system < 0 || system >= len(nodes) || column < 0 || column >= len(ms):
		return nil, say.Faultf("experiment", "unfold: there is no system %d or no measure %d", system, column)
	}
	s.want(nodes)
	r, err := s.Ranker(nodes[system])
	if err != nil {
		return nil, err
	}
	hits, err := r.Rank(q, Depth, s.Filter(spec.Filter), nil)
	if err != nil {
		return nil, err
	}
	var topic measure.Topic
	s.topic(&topic, qi, hits)
	m := ms[column]
	p := m.Unfold(&topic)
	out := &Arithmetic{System: system, Measure: m.String(), Formula: m.Info().Formula, Sum: p.Sum, Divisor: p.Divisor, By: p.By, Base: p.Base, Value: p.Value, Stepwise: p.Stepwise, Steps: p.Steps()}
	show := m.Cutoff()
	if show == 0 {
		show = 10
	}
	for i, part := range p.Parts {
		if part.Term == 0 && part.Place > show {
			continue
		}
		c := s.b.Cards[hits[i].Doc]
		t := term(part)
		t.ID, t.Title = c.ID, c.Title
		out.Rows = append(out.Rows, t)
	}
	for _, part := range p.Ideal {
		out.Ideal = append(out.Ideal, term(part))
	}
	return out, nil
}

func term(p measure.Part) Term {
	t := Term{Place: p.Place, Grade: int(p.Grade), Value: p.Term, Work: p.Work}
	if p.Grade == measure.Unjudged {
		t.Grade = NoGrade
	}
	return t
}

// Wire walks the arithmetic.
func (a *Arithmetic) Wire(c *wire.Codec) {
	c.Fields(&a.System, &a.Measure, &a.Formula, &a.By)
	wire.Structs(c, &a.Rows)
	wire.Structs(c, &a.Ideal)
	c.Fields(&a.Sum, &a.Divisor, &a.Base, &a.Value, &a.Stepwise, &a.Steps)
}

// Wire walks the term.
func (t *Term) Wire(c *wire.Codec) {
	c.Fields(&t.Place, &t.ID, &t.Title, &t.Grade, &t.Value, &t.Work)
}
