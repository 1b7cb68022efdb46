package ui

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/compare"
)

// CompareKinds is one measure by the kinds of queries: their fields, how long they are, how much is relevant to them.
type CompareKinds struct {
	part
}

// KindRow is the queries of one kind.
type KindRow struct {
	Name, Number, Class string
	Values              []KindValue // one a run
}

// KindValue is a mean; the best of its row has the class "best".
type KindValue struct{ Text, Class string }

// R is the report.
func (c *CompareKinds) R() *compare.Report { return c.App.Compare.Report() }

func (c *CompareKinds) m() int { return c.App.Compare.Column }

// Rows are the ways to sum up all queries, then every kind of every field that has more than one.
func (c *CompareKinds) Rows() []KindRow {
	r, m := c.R(), c.m()
	x := r.Extra[m]
	n := strconv.Itoa(len(r.Queries))
	rows := []KindRow{
		c.row("all: mean", n, r.Columns[m].Means),
		c.row("all: median", n, x.Median),
		c.row("all: geometric mean", n, x.Geometric),
	}
	fields := append([]compare.Field(nil), r.Fields...)
	fields = append(fields,
		compare.Field{Name: "relevant documents", Groups: r.By(func(q int) string { return bucket(r.Queries[q].Relevant) })},
		compare.Field{Name: "words", Groups: r.By(func(q int) string { return bucket(len(strings.Fields(r.Queries[q].Text))) })})
	for _, f := range fields {
		if len(f.Groups) < 2 {
			continue
		}
		for i, g := range f.Groups {
			row := c.row(f.Name+": "+shown(g.Value), strconv.Itoa(g.Queries), g.Means[m])
			if i == 0 {
				row.Class = "first"
			}
			rows = append(rows, row)
		}
	}
	return rows[:min(len(rows), 40)]
}

func (c *CompareKinds) row(name, number string, means []float64) KindRow {
	row := KindRow{Name: name, Number: number}
	best := 0
	for i, v := range means {
		if v > means[best] {
			best = i
		}
	}
	for i, v := range means {
		k := KindValue{Text: fixed(v, 3)}
		if len(means) > 1 && i == best {
			k.Class = "best"
		}
		row.Values = append(row.Values, k)
	}
	return row
}

// bucket puts a count into a range that few queries do not make too narrow.
func bucket(n int) string {
	switch {
	case n == 0:
		return "none"
	case n <= 3:
		return "1 to 3"
	case n <= 6:
		return "4 to 6"
	case n <= 10:
		return "7 to 10"
	}
	return "more than 10"
}

// Caption describes the judgments.
func (c *CompareKinds) Caption() string {
	r := c.R()
	s := r.Stats
	grades := make([]string, 0, len(s.Grades))
	for _, g := range s.Grades {
		grades = append(grades, strconv.Itoa(int(g.Grade))+": "+thousands(g.Count))
	}
	text := r.Measures[c.m()] + ". " + thousands(s.Judgments) + " judgments of " + plural(s.Queries, "query", "queries") + ", " + thousands(s.Relevant) + " relevant (" +
		strconv.Itoa(s.RelevantMin) + " to " + strconv.Itoa(s.RelevantMax) + " a query, median " + strconv.FormatFloat(s.RelevantMedian, 'f', -1, 64) + "); grades " + strings.Join(grades, ", ") + "."
	if s.Barren > 0 {
		text += " " + plural(s.Barren, "query has", "queries have") + " no relevant document."
	}
	return text
}
