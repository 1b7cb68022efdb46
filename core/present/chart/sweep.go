package chart

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var sweep = Figure{
	Name: "sweep", Title: "By parameter",
	Doc: "The mean by the value of one parameter, as a line, or of two, as a table; a stronger colour means higher. " +
		"A flat line or an even table means that the value hardly matters; a steep edge at the end of the range " +
		"means that the best value lies beyond it. Choosing the best of many on few queries flatters it.",
	Needs: "runs of one pipeline that differ in one or two numbers",
	draw:  drawSweep,
}

func drawSweep(in *Input) *Drawing {
	w := in.Facts.Sweep
	if w == nil || len(w.X.Values) < 2 {
		return nil
	}
	r, col := in.Report, in.column()
	two := len(w.Y.Values) > 0
	d := &Drawing{Data: [][]string{{"run", w.X.Name, w.Y.Name, "measure", "mean"}}}
	if !two {
		d.Data[0] = []string{"run", w.X.Name, "measure", "mean"}
	}
	best, worst := -1, -1
	var where [2]int
	edge := false
	for y, row := range w.System {
		for x, s := range row {
			if s < 0 {
				continue
			}
			v := col.Means[s]
			data := []string{r.Systems[s].Label, say.Exact(w.X.Values[x])}
			if two {
				data = append(data, say.Exact(w.Y.Values[y]))
			}
			d.Data = append(d.Data, append(data, col.Measure, say.Exact(v)))
			if best < 0 || v != col.Means[best] && v > col.Means[best] != col.Lower {
				best, where = s, [2]int{x, y}
				edge = x == 0 || x == len(w.X.Values)-1 || two && (y == 0 || y == len(w.Y.Values)-1)
			}
			if worst < 0 || v != col.Means[worst] && v < col.Means[worst] != col.Lower {
				worst = s
			}
		}
	}
	if best < 0 {
		return nil
	}
	if two {
		d.grid(in, w)
	} else {
		d.line(in, w)
	}
	at := w.X.Name + " " + say.Exact(w.X.Values[where[0]])
	if two {
		at += " and " + w.Y.Name + " " + say.Exact(w.Y.Values[where[1]])
	}
	d.Sentence = col.Measure + " is best at " + at + ", " + in.Style.Number(col.Means[best], 3)
	if col.Means[best] == col.Means[worst] {
		d.Sentence = col.Measure + " is the same at every value, " + in.Style.Number(col.Means[best], 3) + "."
		return d
	}
	d.Sentence += ", and " + in.Style.Number(math.Abs(col.Means[best]-col.Means[worst]), 3) +
		" better than at its worst"
	if edge {
		d.Sentence += "; that is an end of the tried range, so better values may lie beyond"
	}
	d.Sentence += "."
	return d
}

// line draws one parameter.
func (d *Drawing) line(in *Input, w *Sweep) {
	r, col := in.Report, in.column()
	d.Head = []string{w.X.Name, col.Measure, "95 % interval"}
	var marks []Mark
	spans := Layer{Kind: Spans, Role: Muted}
	for x, s := range w.System[0] {
		if s < 0 {
			continue
		}
		at := w.X.Values[x]
		marks = append(marks, Mark{X: at, Y: col.Means[s], Text: r.Systems[s].Label})
		if col.Low[s] == col.Low[s] {
			spans.Marks = append(spans.Marks, Mark{X: at, X2: at, Y: col.Low[s], Y2: col.High[s]})
		}
		d.Rows = append(d.Rows, []string{say.Exact(at), in.Style.Number(col.Means[s], 4),
			col.Interval(s, in.Style, 4)})
	}
	spans.Kind = Rules
	line, points := like(0, Lines, marks...), like(0, Points, marks...)
	d.Layers = []Layer{spans, line, points}
	first, last := w.X.Values[0], w.X.Values[len(w.X.Values)-1]
	d.X = Axis{Title: w.X.Name + "; the bars are 95 % intervals over the queries", From: first, To: last}
	d.X.Low, d.X.High = scale.Span(first, last)
	d.Y.Low, d.Y.High = scale.Span(col.Reach())
	d.Y.Title = "mean " + col.Measure
}

// grid draws two.
func (d *Drawing) grid(in *Input, w *Sweep) {
	col := in.column()
	var columns, rows []string
	for _, v := range w.X.Values {
		columns = append(columns, say.Exact(v))
	}
	d.Head = append([]string{w.Y.Name + " \\ " + w.X.Name}, columns...)
	for y, v := range w.Y.Values {
		rows = append(rows, w.Y.Name+" "+say.Exact(v))
		row := []string{say.Exact(v)}
		for _, s := range w.System[y] {
			if s < 0 {
				row = append(row, in.Style.None())
				continue
			}
			row = append(row, in.Style.Number(col.Means[s], 4))
		}
		d.Rows = append(d.Rows, row)
	}
	d.cells(w.X.Name, columns, rows, func(y, x int) cell {
		s := w.System[y][x]
		if s < 0 {
			return cell{value: math.NaN()}
		}
		return cell{col.Means[s], in.Style.Number(col.Means[s], 3)}
	})
	d.X.Title = "mean " + col.Measure + " by " + w.X.Name + " (columns) and " + w.Y.Name + " (rows)"
}
