package compare

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Kinds is one measure by the kinds of queries: their fields, how long they are, how much is relevant to them.
type Kinds struct {
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
func (c *Kinds) R() *report.Report { return c.Compare.Runs.Report() }

func (c *Kinds) m() int { return c.Compare.View.Column }

// all are the ways to sum up all queries, then every kind of every field that has more than one.
func (c *Kinds) all() []KindRow {
	r, m := c.R(), c.m()
	x := r.Columns[m]
	n := strconv.Itoa(len(r.Queries))
	rows := []KindRow{
		c.row("all: mean", n, r.Columns[m].Means),
		c.row("all: median", n, x.Median),
		c.row("all: geometric mean", n, x.Geometric),
	}
	for _, f := range r.Kinds() {
		for i, g := range f.Groups {
			row := c.row(f.Name+": "+say.Visible(g.Value), strconv.Itoa(g.Queries), g.Means[m])
			if i == 0 {
				row.Class = "first"
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// shownKinds is how many kinds of queries are shown: a field may have another value for every query.
const shownKinds = 40

// Rows are the kinds that are shown.
func (c *Kinds) Rows() []KindRow {
	rows := c.all()
	return rows[:min(len(rows), shownKinds)]
}

func (c *Kinds) row(name, number string, means []float64) KindRow {
	row := KindRow{Name: name, Number: number}
	best := 0
	for i, v := range means {
		if v > means[best] != c.R().Columns[c.m()].Lower && v != means[best] {
			best = i
		}
	}
	for _, v := range means {
		k := KindValue{Text: say.Page.Number(v, 3)}
		if len(means) > 1 && v == means[best] {
			k.Class = "best"
		}
		row.Values = append(row.Values, k)
	}
	return row
}

// Caption describes the judgments.
func (c *Kinds) Caption() string {
	r := c.R()
	s := r.Stats
	grades := make([]string, 0, len(s.Grades))
	for _, g := range s.Grades {
		grades = append(grades, say.Page.Grade(g.Grade)+": "+say.Thousands(g.Count))
	}
	text := r.Measures[c.m()] + ". " + say.Count(s.Judgments, "judgment", "judgments") + " of " + say.Count(s.Queries,
		"query", "queries") + ", " + say.Thousands(s.Relevant) + " relevant (" +
		strconv.Itoa(s.RelevantMin) + " to " + strconv.Itoa(s.RelevantMax) + " a query, median " +
		strconv.FormatFloat(s.RelevantMedian, 'f', -1, 64) + "); grades " + strings.Join(grades, ", ") + "."
	if s.Barren > 0 {
		text += " " + say.Count(s.Barren, "query has", "queries have") + " no relevant document."
	}
	if n := len(c.all()) - shownKinds; n > 0 {
		text += " " + say.Count(n, "further kind is", "further kinds are") + " only in the exports."
	}
	return text
}
