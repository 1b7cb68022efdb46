package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

var types = Figure{
	Name: "types", Title: "Kinds of queries as a table",
	Doc: "The mean of every run (columns) over the queries of a kind (rows); a stronger colour means a higher value. " +
		"It shows the data of Kinds of queries for many runs. " +
		"A kind with few queries tells little.",
	Needs: "queries of at least two kinds",
	draw:  drawTypes,
}

func drawTypes(in *Input) *Drawing {
	r, col := in.Report, in.column()
	var names []string
	var groups []report.Group
	d := &Drawing{Head: append([]string{"Kind", "n"}, in.letters()...),
		Data: [][]string{{"field", "kind", "queries", "run", "measure", "mean"}}}
	for _, f := range r.Kinds() {
		if len(f.Groups) < 2 || len(f.Groups) > mostKinds {
			continue
		}
		for _, g := range f.Groups {
			names, groups = append(names, f.Name+": "+say.Brief(g.Value,
				60)+" ("+say.Thousands(g.Queries)+")"), append(groups, g)
			row := []string{f.Name + ": " + say.Brief(g.Value, 60), say.Thousands(g.Queries)}
			for s, v := range g.Means[in.Column] {
				row = append(row, in.Style.Number(v, 3))
				d.Data = append(d.Data, []string{f.Name, g.Value, say.Exact(float64(g.Queries)), r.Systems[s].Label,
					col.Measure, say.Exact(v)})
			}
			d.Rows = append(d.Rows, row)
		}
	}
	if groups == nil {
		return nil
	}
	d.cells("run", in.letters(), names, func(y, x int) cell {
		v := groups[y].Means[in.Column][x]
		return cell{v, in.Style.Number(v, 2)}
	})
	d.X.Title = "mean " + col.Measure + " by kind of query (rows, number of queries in brackets) and run (columns)"
	easy, hard, mean := 0, 0, make([]float64, len(groups))
	for i, g := range groups {
		mean[i] = measure.Mean(g.Means[in.Column])
		if mean[i] < mean[easy] == col.Lower && mean[i] != mean[easy] {
			easy = i
		}
		if mean[i] > mean[hard] == col.Lower && mean[i] != mean[hard] {
			hard = i
		}
	}
	d.Sentence = "Over all runs " + col.Measure + " is best on " + names[easy] + ", " + in.Style.Number(mean[easy], 3) +
		", and worst on " + names[hard] + ", " + in.Style.Number(mean[hard], 3) + "."
	if mean[easy] == mean[hard] {
		d.Sentence = "Over all runs " + col.Measure + " is the same on every kind of query, " +
			in.Style.Number(mean[easy], 3) + "."
	}
	return d
}
