package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

var bars = Figure{
	Name: "bars", Title: "Means",
	Doc: "The mean of every measure with values from 0 to 1: one bar per run, with its value and its change from " +
		"the baseline. " +
		"Beyond 40 bars, only those of the selected measure.",
	Needs: "a measure between 0 and 1",
	draw:  drawBars,
}

// mostBars is how many bars are drawn.
const mostBars = 40

// drawBars is one figure: scale, marks, names and table of the same rows.
func drawBars(in *Input) *Drawing {
	r := in.Report
	var columns []int
	for c := range r.Columns {
		ok := true
		for _, v := range r.Columns[c].Means {
			ok = ok && v >= 0 && v <= 1
		}
		if ok {
			columns = append(columns, c)
		}
	}
	if len(columns)*len(r.Systems) > mostBars {
		kept := columns[:0]
		for _, c := range columns {
			if c == in.Column {
				kept = append(kept, c)
			}
		}
		columns = kept
	}
	if len(columns) == 0 {
		return nil
	}
	d := &Drawing{Head: []string{"Run"}, X: Axis{High: 1}, Data: [][]string{{"run", "measure", "mean"}}}
	layers := make([]Layer, len(r.Systems))
	words := Layer{Kind: Words, Role: Muted}
	top := 0.0
	for _, c := range columns {
		col := &r.Columns[c]
		d.Head = append(d.Head, col.Measure)
		d.Y.Bands = append(d.Y.Bands, Band{col.Measure, -1})
		for s, v := range col.Means {
			y := float64(len(d.Y.Bands))
			d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
			layers[s].Marks = append(layers[s].Marks, Mark{X2: v, Y: y - 0.36, Y2: y + 0.36})
			text := in.Style.Number(v, 3)
			if base := col.Means[r.Baseline]; s != r.Baseline && base != 0 {
				text += "  " + in.Style.Change(base, v)
			}
			words.Marks = append(words.Marks, Mark{X: v, Y: y, Text: text})
			top = max(top, v)
			d.Data = append(d.Data, []string{r.Systems[s].Label, col.Measure, say.Exact(v)})
		}
	}
	if d.X.High = top * 1.02; top == 0 {
		d.X.High = 1
	}
	for s := range layers {
		d.Layers = append(d.Layers, of(s, Bars, layers[s].Marks...))
		row := []string{in.named(s)}
		for _, c := range columns {
			row = append(row, in.Style.Number(r.Columns[c].Means[s], 4))
		}
		d.Rows = append(d.Rows, row)
	}
	d.Layers = append(d.Layers, words)
	d.X.Title = "mean over " + say.Count(len(r.Queries), "query", "queries")
	if len(r.Systems) > 1 {
		d.X.Title += ", change from " + in.called(r.Baseline)
	}
	leads := make([][]string, len(r.Systems))
	for _, c := range columns {
		for _, s := range r.Best(c) {
			leads[s] = append(leads[s], r.Columns[c].Measure)
		}
	}
	var parts []string
	for s, ms := range leads {
		switch {
		case len(ms) == 0:
			continue
		case len(ms) == len(columns) && len(ms) > 1:
			parts = append(parts, r.Letter(s)+" has the best mean by all "+say.Thousands(len(ms))+" measures")
		default:
			parts = append(parts, r.Letter(s)+" by "+say.And(ms))
			if len(parts) == 1 {
				parts[0] = r.Letter(s) + " has the best mean by " + say.And(ms)
			}
		}
	}
	d.Sentence = strings.Join(parts, "; ") + "."
	return d
}
