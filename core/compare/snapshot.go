package compare

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// snapshot1 is a Report as version 1 of the packed form has it. It names every field itself and leaves out none of those that
// there were: what Report gains later has its zero value in a report read from a version 1.
type snapshot1 Report

// Wire walks the snapshot. It is frozen: a change is a version 2.
func (s *snapshot1) Wire(c *wire.Codec) {
	r := (*Report)(s)
	for _, p := range []*string{&r.Collection.ID, &r.Collection.Name, &r.Collection.Hash, &r.Collection.Licence, &r.Collection.Analyzer} {
		c.String(p)
	}
	for _, p := range []*int{&r.Collection.Documents, &r.Collection.Queries, &r.Collection.Judgments, &r.Baseline} {
		c.Int(p)
	}
	wire.List(c, &r.Systems, func(s *experiment.System) {
		c.String(&s.Notation)
		c.String(&s.Label)
		c.Int(&s.Missing)
		c.String(&s.Why)
	})
	c.Strings(&r.Measures)
	c.Strings(&r.Applied)
	wire.List(c, &r.Queries, func(t *experiment.Topic) {
		for _, p := range []*string{&t.ID, &t.Text, &t.Type, &t.Difficulty} {
			c.String(p)
		}
		c.Int(&t.Relevant)
	})
	wire.List(c, &r.Columns, func(m *experiment.Column) {
		c.String(&m.Measure)
		wire.List(c, &m.Values, c.Floats)
		c.Floats(&m.Means)
		c.Floats(&m.Low)
		c.Floats(&m.High)
		c.Strings(&m.Groups)
		c.Float(&m.Best)
	})
	wire.List(c, &r.Extra, func(e *Extra) {
		for _, p := range []*[]float64{&e.Geometric, &e.Median, &e.TieLow, &e.TieHigh, &e.ResidualLow, &e.ResidualHigh} {
			c.Floats(p)
		}
		c.Bool(&e.Lower)
	})
	wire.List(c, &r.Pairs, func(p *experiment.Pair) {
		for _, i := range []*int{&p.A, &p.B, &p.Better, &p.Worse, &p.Equal} {
			c.Int(i)
		}
		for _, f := range []*float64{&p.Diff, &p.Low, &p.High, &p.P, &p.Adjusted, &p.Effect} {
			c.Float(f)
		}
	})
	for _, p := range []*string{&r.Test.Name, &r.Test.Why, &r.Finding, &r.Note, &r.Hash} {
		c.String(p)
	}
	c.Strings(&r.Test.Warnings)
	wire.List(c, &r.Policies, func(s *Setting) {
		c.String(&s.Name)
		c.String(&s.Option)
		c.String(&s.Doc)
		c.Bool(&s.Default)
	})
	wire.List(c, &r.Runs, func(u *Run) {
		c.String(&u.Tag)
		c.Strings(&u.Missing)
		for _, p := range []*int{&u.Queries, &u.Foreign, &u.Entries, &u.Unjudged, &u.Looked, &u.Tied, &u.TiedIn} {
			c.Int(p)
		}
	})
	for _, p := range []*int{&r.Stats.Queries, &r.Stats.Judgments, &r.Stats.Relevant, &r.Stats.Barren, &r.Stats.RelevantMin, &r.Stats.RelevantMax} {
		c.Int(p)
	}
	c.Float(&r.Stats.RelevantMedian)
	wire.List(c, &r.Stats.Grades, func(g *Grade) { c.Int(&g.Grade); c.Int(&g.Count) })
	wire.List(c, &r.Fields, func(f *Field) {
		c.String(&f.Name)
		wire.List(c, &f.Groups, func(g *Group) {
			c.String(&g.Value)
			c.Int(&g.Queries)
			wire.List(c, &g.Means, c.Floats)
		})
	})
	c.Strings(&r.Skipped)
	c.Strings(&r.Warnings)
}

// whole checks that a report that was read has the shape that everything relies on.
func (r *Report) whole() bool {
	n, q := len(r.Systems), len(r.Queries)
	if n == 0 || len(r.Columns) == 0 || len(r.Columns) != len(r.Measures) || r.Baseline < 0 || r.Baseline >= n || len(r.Hash) != 64 || !r.fits() {
		return false
	}
	for _, c := range r.Columns {
		if len(c.Values) != n || len(c.Means) != n || len(c.Low) != n || len(c.High) != n || len(c.Groups) != n {
			return false
		}
		for _, v := range c.Values {
			if len(v) != q {
				return false
			}
		}
	}
	for _, p := range r.Pairs {
		if p.A < 0 || p.A >= n || p.B < 0 || p.B >= n || p.A == p.B {
			return false
		}
	}
	return true
}
