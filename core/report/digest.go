package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/wire"
)

// Seal sets the hash, the figures digest: the SHA-256 of what was measured. It covers the ids and relevant documents of
// the queries, the grades, the measures as the policy makes them, their values by query, the baseline, the intervals
// and tests of the differences, every decision that is not at its default, and the queries for which a backend gave
// nothing. It covers no name, text, date, path or route, and of the collection only its judged queries: runs retrieved
// here, exported and imported again have the same digest. Queries count in the order of their ids, systems and measures
// in the order of the report.
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
	for _, w := range d.Warnings {
		if w.Kind == FellBack {
			c.Fields(&w.System, &w.Names)
		}
	}
}

// canonical is the order in which queries count, that of CompareIDs, so that no figure depends on the order of a file.
func (r *Report) canonical() []int {
	order := make([]int, len(r.Queries))
	for q := range order {
		order[q] = q
	}
	slices.SortStableFunc(order, func(a, b int) int { return CompareIDs(r.Queries[a].ID, r.Queries[b].ID) })
	return order
}

// ordered returns the values of a column in the canonical order of the queries.
func (r *Report) ordered(c *Column) [][]float64 {
	order := r.canonical()
	if slices.IsSorted(order) {
		return c.Values
	}
	out := make([][]float64, len(c.Values))
	for s, values := range c.Values {
		for _, q := range order {
			out[s] = append(out[s], values[q])
		}
	}
	return out
}

// CompareIDs orders ids as people do: runs of digits by their number, everything else by its bytes.
func CompareIDs(a, b string) int {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := digits(a[i:]), digits(b[j:])
		if x == "" || y == "" {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i, j = i+1, j+1
			continue
		}
		p, q := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
			return c
		}
		i, j = i+len(x), j+len(y)
	}
	return cmp.Compare(a, b)
}

// digits are those that s begins with.
func digits(s string) string {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n]
}

// Figures are the bytes of a report in the form that saved baselines were digested in. The form is frozen.
func (r *Report) Figures() []byte { return wire.Marshal((*frozen)(r)) }

// frozen is a report in that form.
type frozen Report

// Wire walks it.
func (s *frozen) Wire(c *wire.Codec) { (*Report)(s).figures(c) }
