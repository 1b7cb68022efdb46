package chart

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var bump = Figure{
	Name: "bump", Title: "Places by parameter",
	Doc: "The rank by mean of each value of one parameter, as another parameter grows; 1 is best. If lines cross, " +
		"the best value of one depends on the other, so tune them together.",
	Needs: "runs of one pipeline that differ in two numbers",
	draw:  drawBump,
}

// mostLines is how many lines are drawn.
const mostLines = 20

func drawBump(in *Input) *Drawing {
	w := in.Facts.Sweep
	if w == nil || len(w.X.Values) < 2 || len(w.Y.Values) < 2 || len(w.Y.Values) > mostLines {
		return nil
	}
	col := in.column()
	for _, row := range w.System {
		for _, s := range row {
			if s < 0 {
				return nil // places among some are not places among all
			}
		}
	}
	n := len(w.Y.Values)
	d := &Drawing{Head: []string{w.Y.Name + " \\ " + w.X.Name},
		Data: [][]string{{w.Y.Name, w.X.Name, "measure", "mean", "place"}}, Height: max(160, 26*float64(n))}
	places := make([][]float64, n)
	for x := range w.X.Values {
		d.Head = append(d.Head, say.Exact(w.X.Values[x]))
		for y := range n {
			place := 1.0
			mine := col.Means[w.System[y][x]]
			for o := range n {
				v := col.Means[w.System[o][x]]
				switch {
				case o != y && v == mine:
					place += 0.5
				case v != mine && v > mine != col.Lower:
					place++
				}
			}
			places[y] = append(places[y], place)
			d.Data = append(d.Data, []string{say.Exact(w.Y.Values[y]), say.Exact(w.X.Values[x]), col.Measure,
				say.Exact(mine), say.Exact(place)})
		}
	}
	changes := 0
	for y := range n {
		var marks []Mark
		row := []string{say.Exact(w.Y.Values[y])}
		for x, p := range places[y] {
			marks = append(marks, Mark{X: float64(x), Y: float64(n) + 1 - p})
			row = append(row, say.Exact(p))
			if x > 0 && p != places[y][x-1] {
				changes++
			}
		}
		l, p := like(y, Lines, marks...), like(y, Points, marks...)
		l.Label = say.Exact(w.Y.Values[y])
		p.Label = l.Label
		d.Layers = append(d.Layers, l, p)
		d.Rows = append(d.Rows, row)
	}
	d.X = Axis{Low: -0.2, High: float64(len(w.X.Values)) - 0.8, Bare: true, Title: w.X.Name + ": " +
		say.Exact(w.X.Values[0]) + " to " + say.Exact(w.X.Values[len(w.X.Values)-1]) + " in " +
		strconv.Itoa(len(w.X.Values)) + " steps; the best place is at the top"}
	d.Y = Axis{Low: 0.5, High: float64(n) + 0.5, Bare: true, Title: "place among the values of " + w.Y.Name +
		" (lines) by " + col.Measure}
	first := func(x int) (string, []int) {
		var top []int
		for y := range n {
			ahead := true
			for o := range n {
				ahead = ahead && places[o][x] >= places[y][x]
			}
			if ahead {
				top = append(top, y)
			}
		}
		return say.Exact(w.X.Values[x]), top
	}
	_, begin := first(0)
	_, end := first(len(w.X.Values) - 1)
	d.Sentence = "At " + w.X.Name + " " + say.Exact(w.X.Values[0]) + " " + w.Y.Name + " " +
		say.Exact(w.Y.Values[begin[0]]) + " is best by " + col.Measure + ", at " +
		say.Exact(w.X.Values[len(w.X.Values)-1]) + " " + say.Exact(w.Y.Values[end[0]]) +
		"; places change " + say.Count(changes, "time", "times") + " on the way."
	return d
}
