package chart

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var bounds = Figure{
	Name: "bounds", Title: "Ties and unjudged documents",
	Doc: "The range of every run's mean over all orders of tied documents (thick), and over all grades of unjudged " +
		"documents (thin; " +
		"not every measure has such bounds). Runs with overlapping thin lines may swap after more judging.",
	Needs: "imported runs",
	draw:  drawBounds,
}

func drawBounds(in *Input) *Drawing {
	r, col := in.Report, in.column()
	if col.TieLow == nil || r.GradesOnly() {
		return nil
	}
	d := &Drawing{Head: []string{"Run", col.Measure, "orders of ties", "unjudged"},
		Data: [][]string{{"run", "measure", "mean", "tie low", "tie high", "residual low", "residual high"}}}
	lo, hi := math.Inf(1), math.Inf(-1)
	widest, open := 0, 0.0 // the longest thin line
	tied := 0.0
	for s := range r.Systems {
		y := float64(s)
		mean, low, high := col.Means[s], col.TieLow[s], col.TieHigh[s]
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		lo, hi = min(lo, mean, low), max(hi, mean, high)
		unjudged := in.Style.None()
		if x, y2 := col.ResidualLow[s], col.ResidualHigh[s]; x == x && y2 == y2 {
			lo, hi = min(lo, x), max(hi, y2)
			d.Layers = append(d.Layers, of(s, Spans, Mark{X: x, X2: y2, Y: y, Y2: y}))
			unjudged = in.Style.Span(x, y2, 3)
			if y2-x > open {
				widest, open = s, y2-x
			}
		}
		if high > low {
			d.Layers = append(d.Layers, of(s, Thick, Mark{X: low, X2: high, Y: y, Y2: y}))
		}
		tied = max(tied, high-low)
		d.Layers = append(d.Layers, of(s, Points, Mark{X: mean, Y: y}))
		d.Rows = append(d.Rows, []string{in.named(s), in.Style.Number(mean, 4), in.Style.Span(low, high, 4), unjudged})
		d.Data = append(d.Data, []string{r.Systems[s].Label, col.Measure, say.Exact(mean), say.Exact(low),
			say.Exact(high), say.Exact(col.ResidualLow[s]), say.Exact(col.ResidualHigh[s])})
	}
	d.X.Low, d.X.High = scale.Span(lo, hi)
	d.X.Title = col.Measure + ": mean, its range over orders of tied documents, and over grades of unjudged ones"
	d.Sentence = "The order of tied documents changes no mean of " + col.Measure
	if tied > 0 {
		d.Sentence = "The order of tied documents changes a mean of " + col.Measure + " by up to " +
			in.Style.Number(tied, 3)
	}
	switch {
	case open > 0:
		d.Sentence += "; unjudged documents leave up to " + in.Style.Number(open, 3) + " open, for " +
			r.Letter(widest) + "."
	case d.Rows[0][3] == in.Style.None():
		d.Sentence += "; what unjudged documents leave open is not known for it."
	default:
		d.Sentence += "; unjudged documents leave nothing open."
	}
	return d
}
