package chart

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var kinds = Figure{
	Name: "kinds", Title: "Kinds of queries",
	Doc: "The mean of every run over the queries of a kind: those that share a type, a difficulty, a domain, the " +
		"number of relevant documents or of words. A kind with few queries (n) tells little: " +
		"its mean moves with every one of them. Fields of more than 12 kinds are left out.",
	Needs: "queries of at least two kinds",
	draw:  drawKinds,
}

// mostKinds is how many kinds of a field are drawn.
const mostKinds = 12

func drawKinds(in *Input) *Drawing {
	r, col := in.Report, in.column()
	var fields []report.Field
	for _, f := range r.Kinds() {
		if len(f.Groups) > 1 && len(f.Groups) <= mostKinds {
			fields = append(fields, f)
		}
	}
	if fields == nil {
		return nil
	}
	d := &Drawing{Legend: true, Head: []string{"Kind", "n"},
		Data: [][]string{{"field", "kind", "queries", "run", "measure", "mean"}}}
	layers := make([]Layer, len(r.Systems))
	for s := range r.Systems {
		layers[s] = of(s, Points)
		layers[s].Label, layers[s].Name = r.Letter(s), r.Systems[s].Label
		d.Head = append(d.Head, r.Letter(s))
	}
	lines := Layer{Kind: Rules, Role: Muted}
	best := in.best()
	total, ahead := 0, 0
	least, other, where := math.Inf(1), -1, "" // where another run leads by most
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, f := range fields {
		d.Y.Bands = append(d.Y.Bands, Band{f.Name, -1})
		for _, g := range f.Groups {
			y := float64(len(d.Y.Bands))
			name := g.Value + " (" + say.Thousands(g.Queries) + ")"
			d.Y.Bands = append(d.Y.Bands, Band{name, -1})
			means := g.Means[in.Column]
			row := []string{f.Name + ": " + say.Brief(g.Value, 60), say.Thousands(g.Queries)}
			from, to, top := means[0], means[0], 0
			for s, v := range means {
				from, to = min(from, v), max(to, v)
				if v > means[top] != col.Lower && v != means[top] {
					top = s
				}
				layers[s].Marks = append(layers[s].Marks, Mark{X: v, Y: y})
				row = append(row, in.Style.Number(v, 3))
				d.Data = append(d.Data, []string{f.Name, g.Value, say.Exact(float64(g.Queries)), r.Systems[s].Label,
					col.Measure, say.Exact(v)})
			}
			lines.Marks = append(lines.Marks, Mark{X: from, X2: to, Y: y, Y2: y})
			lo, hi = min(lo, from), max(hi, to)
			d.Rows = append(d.Rows, row)
			total++
			if means[best] == means[top] {
				ahead++
			} else if gap := -math.Abs(means[top] - means[best]); gap < least {
				least, other, where = gap, top, f.Name+": "+say.Brief(name, 60)
			}
		}
	}
	d.Layers = append([]Layer{lines}, layers...)
	d.X.Low, d.X.High = scale.Span(lo, hi)
	d.X.Title = "mean " + col.Measure + " by kind of query, number of queries in brackets"
	d.Sentence = r.Letter(best) + ", the best by " + col.Measure + " over all queries, is the best of " +
		say.Thousands(ahead) + " of " + say.Count(total, "kind", "kinds")
	if other >= 0 {
		d.Sentence += "; it is farthest behind " + r.Letter(other) + ", by " + in.Style.Number(-least, 3) + ", on " +
			where
	}
	d.Sentence += "."
	return d
}
