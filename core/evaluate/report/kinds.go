package report

import (
	"slices"
	"strconv"
	"strings"
)

// Kinds are Fields and two more by which every report can group its queries: the number of documents that are relevant
// to them and, where their texts are known, of words, in ranges; those of only one group are left out. They follow from
// the report, which does not hold them.
func (r *Report) Kinds() []Field {
	out := append([]Field(nil), r.Fields...)
	for _, f := range []Field{
		{"relevant documents", r.By(func(q int) string { return countRange(r.Queries[q].Relevant) })},
		{"words", r.By(func(q int) string { return countRange(len(strings.Fields(r.Queries[q].Text))) })},
	} {
		if len(f.Groups) > 1 {
			out = append(out, f)
		}
	}
	return out
}

// countRange puts a count into a range that few queries do not make too narrow.
func countRange(n int) string {
	for _, r := range [][2]int{{1, 3}, {4, 6}, {7, 10}} {
		if n >= r[0] && n <= r[1] {
			return strconv.Itoa(r[0]) + " to " + strconv.Itoa(r[1])
		}
	}
	if n > 10 {
		return "more than 10"
	}
	return "none"
}

// By aggregates the queries by anything that can be said of them: of returns the value of query q (a place in Queries).
// The groups are in the order of their values.
func (r *Report) By(of func(q int) string) []Group {
	members := map[string][]int{}
	for q := range r.Queries {
		v := of(q)
		members[v] = append(members[v], q)
	}
	var values []string
	for v := range members {
		values = append(values, v)
	}
	slices.Sort(values)
	var out []Group
	for _, v := range values {
		g := Group{Value: v, Queries: len(members[v])}
		for _, c := range r.Columns {
			means := make([]float64, len(c.Values))
			for s, row := range c.Values {
				sum := 0.0
				for _, q := range members[v] {
					sum += row[q]
				}
				means[s] = sum / float64(g.Queries)
			}
			g.Means = append(g.Means, means)
		}
		out = append(out, g)
	}
	return out
}
