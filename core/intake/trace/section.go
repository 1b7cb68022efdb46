package trace

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Part is the part of the page on which the sections of agents stand.
const Part = "Traces"

// sentence sums an outcome up.
func (o *Outcome) sentence(style say.Style) string {
	return "after the last step recall is " + style.Number(o.Recall, 4) + " on " +
		say.Count(len(o.Queries), "query", "queries") + "; " + o.Hop + " of everything retrieved, in order, " +
		style.Number(o.Merged, 4) + "."
}

// Section is an outcome as the terminal and the page show it: recall by step and tokens with the measure of each hop,
// Any@k and All@k, and where each relevant document was found.
func (o *Outcome) Section(style say.Style) analysis.Section {
	out := analysis.Section{Name: o.System, Part: Part, Title: say.Brief(o.System, shown),
		Sentence: "A" + o.sentence(style)[1:], Notes: o.Notes()}
	t := analysis.Table{Caption: "Recall so far is a mean over all judged queries. Found counts relevant " +
		"documents that " +
		"no earlier step had. The measure of a step is a mean over the queries that have it.",
		Columns: []string{"step", "queries", "recall", "found", o.Hop + " of the step"}}
	if o.Tokens {
		t.Columns = append(t.Columns, "tokens so far")
	}
	for _, x := range o.Steps {
		row := []analysis.Cell{analysis.Whole(x.Step), analysis.Whole(x.Queries), analysis.Number(x.Recall, 4),
			analysis.Whole(x.New), analysis.Number(x.Hop, 4)}
		if o.Tokens {
			tokens := analysis.Number(math.Round(x.Tokens), 0)
			tokens.Text = say.Thousands(int(math.Round(x.Tokens)))
			row = append(row, tokens)
		}
		t.Rows = append(t.Rows, row)
	}
	out.Tables = append(out.Tables, t)
	t = analysis.Table{Caption: "The share of queries with any or all of their relevant documents among the first " +
		"k documents over all steps.", Columns: []string{"k", "Any@k", "All@k"}}
	for _, d := range o.Depths {
		t.Rows = append(t.Rows, []analysis.Cell{analysis.Whole(d.K), analysis.Number(d.Any, 4),
			analysis.Number(d.All, 4)})
	}
	out.Tables = append(out.Tables, t)
	t = analysis.Table{Caption: "The step and rank at which each relevant document was first retrieved.",
		Columns: []string{"query", "document", "grade", "step", "rank", "asked"}}
	for _, q := range o.Queries {
		for _, f := range q.Found {
			never, none := analysis.Number(math.NaN(), 0), analysis.Number(math.NaN(), 0)
			never.Text, none.Text = "never", " "
			row := []analysis.Cell{analysis.Words(say.Brief(q.ID, shown)), analysis.Words(say.Brief(f.Doc, shown)),
				analysis.Grade(f.Grade), never, none, analysis.Words("")}
			if f.Step > 0 {
				row[3], row[4], row[5] = analysis.Whole(f.Step), analysis.Whole(f.Rank),
					analysis.Words(say.Brief(f.Query, shown))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	out.Tables = append(out.Tables, t)
	return out
}

// Course is an outcome as figures draw it.
func (o *Outcome) Course() chart.Course {
	var c chart.Course
	for _, s := range o.Steps {
		c.Recall, c.Queries = append(c.Recall, s.Recall), append(c.Queries, s.Queries)
		if o.Tokens {
			c.Tokens = append(c.Tokens, s.Tokens)
		}
	}
	return c
}
