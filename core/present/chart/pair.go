package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var pair = Figure{
	Name: "pair", Title: "Run against run",
	Doc: "One point per query: x is its value in the first run of the pair, y in the second. Points on the line are " +
		"equal in both; " +
		"the farther from it, the larger the difference. It shows whether easy or hard queries make the difference.",
	Needs: "a pair of runs",
	draw:  drawPair,
}

func drawPair(in *Input) *Drawing {
	r, col, a, b := in.Report, in.column(), in.A, in.B
	n := len(r.Queries)
	if a == b || n == 0 {
		return nil
	}
	lo, hi := in.reach(a, b)
	low, high := scale.Span(lo, hi)
	d := &Drawing{Square: true, Head: []string{"", "Queries", "Mean of " + r.Letter(a), "Mean of " + r.Letter(b)}}
	d.X = Axis{Low: low, High: high, From: lo, To: hi, Title: col.Measure + " of " + in.called(a)}
	d.Y = Axis{Low: low, High: high, From: lo, To: hi, Title: col.Measure + " of " + in.called(b)}
	up, same, down := Layer{Kind: Dots, Role: Gain, Name: "better", Queries: true}, Layer{Kind: Dots, Role: Muted,
		Name: "equal", Queries: true}, Layer{Kind: Dots, Role: Loss, Name: "worse", Queries: true}
	d.Data = [][]string{{"query", r.Systems[a].Label, r.Systems[b].Label}}
	for q := range n {
		x, y := col.Values[a][q], col.Values[b][q]
		m := Mark{X: x, Y: y, Text: r.Queries[q].ID}
		d.Data = append(d.Data, []string{r.Queries[q].ID, say.Exact(x), say.Exact(y)})
		switch {
		case significance.Difference(x, y) == 0:
			same.Marks = append(same.Marks, m)
		case y > x != in.lower(in.Column):
			up.Marks = append(up.Marks, m)
		default:
			down.Marks = append(down.Marks, m)
		}
	}
	d.Layers = []Layer{{Kind: Frame, Marks: []Mark{{X: lo, Y: lo}, {X: hi, Y: hi}}}, same, down, up}
	for _, l := range []Layer{up, same, down} {
		row := []string{r.Letter(b) + " " + l.Name, say.Thousands(len(l.Marks)), in.Style.None(), in.Style.None()}
		if k := float64(len(l.Marks)); k > 0 {
			var sx, sy float64
			for _, m := range l.Marks {
				sx += m.X
				sy += m.Y
			}
			row[2], row[3] = in.Style.Number(sx/k, 3), in.Style.Number(sy/k, 3)
		}
		d.Rows = append(d.Rows, row)
	}
	equal := "none is equal"
	if len(same.Marks) > 0 {
		equal = say.Count(len(same.Marks), "is equal", "are equal")
	}
	d.Sentence = "Where " + r.Letter(b) + " is better than " + r.Letter(a) + " (" +
		say.Count(len(up.Marks), "query", "queries") + "), " + col.Measure + " goes from " + d.Rows[0][2] + " to " +
		d.Rows[0][3] +
		" in the mean; where it is worse (" + say.Count(len(down.Marks), "query", "queries") + "), from " +
		d.Rows[2][2] + " to " + d.Rows[2][3] + "; " + equal + "."
	switch {
	case len(same.Marks) == n:
		d.Sentence = r.Letter(a) + " and " + r.Letter(b) + " are equal by " + col.Measure + " on " +
			say.Count(n, "query", "queries") + "."
	case len(down.Marks) == 0:
		d.Sentence = r.Letter(b) + " is better than " + r.Letter(a) + " by " + col.Measure + " on " +
			say.Count(len(up.Marks), "query", "queries") + " (from " + d.Rows[0][2] + " to " + d.Rows[0][3] +
			" in the mean), worse on none; " + equal + "."
	case len(up.Marks) == 0:
		d.Sentence = r.Letter(b) + " is worse than " + r.Letter(a) + " by " + col.Measure + " on " +
			say.Count(len(down.Marks), "query", "queries") + " (from " + d.Rows[2][2] + " to " + d.Rows[2][3] +
			" in the mean), better on none; " + equal + "."
	}
	return d
}
