package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var waterfall = Figure{
	Name: Waterfall, Title: "Stage by stage",
	Doc: "A growing pipeline: the first bar is the mean of its first stage, each further bar the change by the next " +
		"stage. The table has the 95 % interval of that change of the report's first measure. The order is that of " +
		"the pipeline; " +
		"a stage may add a different amount elsewhere (see What stages are worth).",
	Needs: "runs that are the beginnings of one pipeline: bm25, bm25 >> rm3, bm25 >> rm3 >> mmr",
	draw:  drawWaterfall,
}

func drawWaterfall(in *Input) *Drawing {
	r, col, steps := in.Report, in.column(), in.Facts.Steps
	if len(steps) < 2 {
		return nil
	}
	d := &Drawing{Head: []string{"Stage", col.Measure, "change", "95 % interval"},
		Data: [][]string{{"stage", "run", "measure", "mean", "change", "low", "high"}}}
	up, down, start := Layer{Kind: Bars, Role: Gain, Name: "better"}, Layer{Kind: Bars, Role: Loss,
		Name: "worse"}, of(steps[0].System, Bars)
	words, joins := Layer{Kind: Words, Role: Muted}, Layer{Kind: Rules, Role: Muted}
	lo, hi := col.Means[steps[0].System], col.Means[steps[0].System]
	most, at := 0.0, 0
	for i, s := range steps {
		v, y := col.Means[s.System], float64(i)
		lo, hi = min(lo, v), max(hi, v)
		name := s.Stage
		if i > 0 {
			name = "+ " + name
		}
		d.Y.Bands = append(d.Y.Bands, Band{name, -1})
		row := []string{say.Brief(name, 60), in.Style.Number(v, 4), in.Style.None(), in.Style.None()}
		data := []string{s.Stage, r.Systems[s.System].Label, col.Measure, say.Exact(v), "", "", ""}
		if i == 0 {
			words.Marks = append(words.Marks, Mark{X: v, Y: y, Text: in.Style.Number(v, 3)})
		} else {
			before := col.Means[steps[i-1].System]
			change := v - before
			o, there := r.Pair(steps[i-1].System, s.System)
			row[2] = in.Style.Signed(change, 4)
			data[4] = say.Exact(change)
			if there && in.Column == 0 { // the report tests the first measure
				row[3] = in.Style.Signed(o.Low, 4) + " to " + in.Style.Signed(o.High, 4)
				data[5], data[6] = say.Exact(o.Low), say.Exact(o.High)
			}
			m := Mark{X: min(before, v), X2: max(before, v), Y: y - 0.36, Y2: y + 0.36,
				Said: in.Style.Signed(change, 3) + " to " + in.Style.Number(v, 3)}
			if change > 0 != col.Lower {
				up.Marks = append(up.Marks, m)
			} else if change != 0 {
				down.Marks = append(down.Marks, m)
			}
			joins.Marks = append(joins.Marks, Mark{X: before, X2: before, Y: y - 1 + 0.36, Y2: y + 0.36})
			words.Marks = append(words.Marks, Mark{X: max(before, v), Y: y, Text: in.Style.Signed(change, 3) + "  " +
				in.Style.Number(v, 3)})
			if change*change > most*most {
				most, at = change, i
			}
		}
		d.Rows = append(d.Rows, row)
		d.Data = append(d.Data, data)
	}
	d.X.Low, d.X.High = 0, hi*1.02
	if lo < 0 || hi <= 0 {
		d.X.Low, d.X.High = scale.Span(min(lo, 0), max(hi, 0))
	}
	d.X.Title = "mean " + col.Measure
	start.Marks = []Mark{{X: min(0, col.Means[steps[0].System]), X2: max(0, col.Means[steps[0].System]), Y: -0.36,
		Y2: 0.36}}
	d.Layers = []Layer{joins, start, up, down, words}
	first, last := col.Means[steps[0].System], col.Means[steps[len(steps)-1].System]
	d.Sentence = "From " + say.Brief(steps[0].Stage, 60) + " to the whole pipeline " + col.Measure + " goes from " +
		in.Style.Number(first, 3) + " to " + in.Style.Number(last, 3)
	if at > 0 {
		d.Sentence += "; the largest step is that of " + say.Brief(steps[at].Stage, 60) + ", " +
			in.Style.Signed(most, 3)
	}
	d.Sentence += "."
	return d
}
