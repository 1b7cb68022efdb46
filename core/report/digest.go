package report

import (
	"cmp"
	"slices"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/wire"
)

// Seal sets the hash, the figures digest: the SHA-256 of what was measured. It covers the ids and relevant documents of the
// queries, the grades, the measures as the policy makes them, their values by query, the baseline, the intervals and tests
// of the differences, and every decision that is not at its default. It covers no name, date, path or route, no text, and
// nothing about the collection beyond its judged queries: runs retrieved here, exported and imported again have the same
// digest. Queries count in the order of their ids; systems and measures count in the order of the report.
func (r *Report) Seal() { r.Hash = sha256.Hex(wire.Marshal((*digested)(r))) }

// digested is a report as the figures digest reads it. It is never read back.
type digested Report

// Wire walks what counts.
func (d *digested) Wire(c *wire.Codec) {
	form := "rankbox figures 1"
	c.String(&form)
	order := (*Report)(d).canonical()
	for _, q := range order {
		c.Fields(&d.Queries[q].ID, &d.Queries[q].Relevant)
	}
	wire.List(c, &d.Stats.Grades, func(g *Grade) { c.Fields(&g.Grade, &g.Count) })
	c.Int(&d.Baseline)
	for m := range d.Columns {
		x := &d.Columns[m]
		asked := x.Applied
		if asked == "" {
			asked = x.Measure
		}
		c.Fields(&asked, &x.Means, &x.Low, &x.High)
		for _, values := range x.Values {
			for _, q := range order {
				c.Float(&values[q])
			}
		}
	}
	wire.Structs(c, &d.Pairs)
	for _, x := range d.Decisions {
		if !x.Default {
			c.Fields(&x.Name, &x.Option)
		}
	}
}

// canonical is the order in which queries count: that of their ids, as bytes.
func (r *Report) canonical() []int {
	order := make([]int, len(r.Queries))
	for q := range order {
		order[q] = q
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Queries[a].ID, r.Queries[b].ID) })
	return order
}

// Figures are the bytes of a report in the form that saved baselines were digested in. The form is frozen.
func (r *Report) Figures() []byte { return wire.Marshal((*frozen)(r)) }

// frozen is a report in that form.
type frozen Report

// Wire walks it.
func (s *frozen) Wire(c *wire.Codec) { (*Report)(s).figures(c) }
