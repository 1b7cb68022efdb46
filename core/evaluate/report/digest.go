package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// Seal sets the hash of the report: the SHA-256 of what was measured and of every choice that figures follow from. It
// covers the ids and relevant documents of the queries, the grades, the measures as the policy makes them, the values of
// every system by query, which system is the baseline, the decisions that are not at their default, and the queries for
// which a backend gave nothing. It covers no name, text, date, path or route, and of the collection only its judged
// queries: runs retrieved here, exported and imported again have the same hash. Queries count in the order of their ids,
// measures in that of the report, and systems in none. What follows from all that, means, intervals and tests, is not
// covered: verify computes it again.
func (r *Report) Seal() {
	order := r.canonical()
	systems := make([]string, len(r.Systems))
	for s := range systems {
		systems[s] = sha256.Hex(wire.Marshal(&sealed{r, order, s}))
	}
	slices.Sort(systems)
	r.Hash = sha256.Hex(wire.Marshal(&sealedAll{r, order, systems}))
}

// sealed is a system as the hash reads it. It is never read back.
type sealed struct {
	*Report
	order  []int // of the queries
	system int
}

// Wire walks what counts of a system.
func (d *sealed) Wire(c *wire.Codec) {
	baseline := d.system == d.Baseline
	c.Bool(&baseline)
	for m := range d.Columns {
		values := d.Columns[m].Values[d.system]
		for _, q := range d.order {
			v := values[q]
			if v-v != 0 { // JSON has one word for all that are no number
				v = math.NaN()
			}
			c.Float(&v)
		}
	}
	fell := slices.Clone(d.Fell(d.system))
	slices.Sort(fell)
	c.Strings(&fell)
}

// sealedAll is a report as the hash reads it.
type sealedAll struct {
	*Report
	order   []int
	systems []string // their hashes, ascending
}

// Wire walks what counts.
func (d *sealedAll) Wire(c *wire.Codec) {
	form := "rankbox figures 2"
	c.String(&form)
	for _, q := range d.order {
		c.Fields(&d.Queries[q].ID, &d.Queries[q].Relevant)
	}
	wire.List(c, &d.Stats.Grades, func(g *Grade) { g.Wire(c) })
	for m := range d.Columns {
		asked := d.Columns[m].Applied
		if asked == "" {
			asked = d.Columns[m].Measure
		}
		c.String(&asked)
	}
	for _, x := range d.Decisions {
		if !x.Default {
			c.Fields(&x.Name, &x.Option)
		}
	}
	c.Strings(&d.systems)
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

// On returns the report with only the queries that a column has values of: the report itself, unless it is of a table
// of scores that lacks some of the column's. Figures over the other columns stay.
func (r *Report) On(column int) *Report {
	if _, given := r.Given(); !given {
		return r
	}
	var keep []int
	for q := range r.Queries {
		for _, v := range r.Columns[column].Values {
			if v[q] == v[q] {
				keep = append(keep, q)
				break
			}
		}
	}
	if len(keep) == len(r.Queries) {
		return r
	}
	out := *r
	out.Queries, out.Columns = nil, slices.Clone(r.Columns)
	for _, q := range keep {
		out.Queries = append(out.Queries, r.Queries[q])
	}
	for m := range out.Columns {
		c := &out.Columns[m]
		c.Values = make([][]float64, len(c.Values))
		for s, v := range r.Columns[m].Values {
			for _, q := range keep {
				c.Values[s] = append(c.Values[s], v[q])
			}
		}
	}
	return &out
}

// values returns the values of a column in the canonical order of the queries that it has values of.
func (r *Report) values(column int) [][]float64 {
	on := r.On(column)
	return on.ordered(&on.Columns[column])
}

// PartlyScored are the warnings about the columns that lack values of some queries.
func (r *Report) PartlyScored() (out []Warning) {
	for m := range r.Columns {
		if n := len(r.On(m).Queries); n < len(r.Queries) {
			out = append(out, Warning{Kind: PartlyScored, System: -1, Column: m, N: n})
		}
	}
	return out
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
