package chart

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var grades = Figure{
	Name: "grades", Title: "Scores by grade",
	Doc: "The scores of the documents of each grade, scaled from the lowest score of a list (0) to its highest (1). " +
		"The point is the median, the thick line the middle half, the thin line 90 of 100. A run whose " +
		"scores separate grades shows them above each other with little overlap. Of more than six runs it shows the " +
		"compared two.",
	Needs: "the lists of the runs, and two grades or unjudged documents",
	draw:  drawGrades,
}

func drawGrades(in *Input) *Drawing {
	r := in.Report
	shown := func(s int) bool { return len(r.Systems) <= 6 || s == in.A || s == in.B }
	d := &Drawing{Head: []string{"Run", "grade", "documents", "median", "middle half", "90 of 100"},
		Data: [][]string{{"run", "grade", "documents", "p5", "p25", "median", "p75", "p95"}}}
	d.X = Axis{Low: -0.02, High: 1.02, From: 0, To: 1, Title: "score within its list, 0 the lowest and 1 the highest"}
	last, kinds := -1, 0
	type ends struct{ low, high *Graded }
	apart, system := -2.0, -1
	of1 := map[int]*ends{}
	for i := range in.Facts.Grades {
		g := &in.Facts.Grades[i]
		if g.System < 0 || g.System >= len(r.Systems) || !shown(g.System) || g.N == 0 {
			continue
		}
		if g.System != last {
			d.Y.Bands = append(d.Y.Bands, Band{r.Systems[g.System].Label, g.System})
			last = g.System
			of1[last] = &ends{}
		}
		name := "unjudged"
		if g.Judged {
			name = "grade " + say.Plain.Grade(g.Grade)
			if e := of1[last]; e.low == nil {
				e.low, e.high = g, g
			} else {
				e.high = g
			}
		}
		kinds++
		y := float64(len(d.Y.Bands))
		d.Y.Bands = append(d.Y.Bands, Band{name + " (" + say.Thousands(g.N) + ")", -1})
		d.Layers = append(d.Layers, of(g.System, Rules, Mark{X: g.Low, X2: g.High, Y: y, Y2: y}),
			of(g.System, Thick, Mark{X: g.Lower, X2: g.Upper, Y: y, Y2: y}), of(g.System, Points,
				Mark{X: g.Median, Y: y}))
		d.Rows = append(d.Rows, []string{in.named(g.System), name, say.Thousands(g.N), in.Style.Number(g.Median, 3),
			in.Style.Span(g.Lower, g.Upper, 3), in.Style.Span(g.Low, g.High, 3)})
		d.Data = append(d.Data, []string{r.Systems[g.System].Label, name, strconv.Itoa(g.N), say.Exact(g.Low),
			say.Exact(g.Lower), say.Exact(g.Median), say.Exact(g.Upper), say.Exact(g.High)})
	}
	if kinds < 2 {
		return nil
	}
	for s := range r.Systems {
		if e := of1[s]; e != nil && e.low != nil && e.low != e.high {
			if gap := e.high.Median - e.low.Median; gap > apart {
				apart, system = gap, s
			}
		}
	}
	if system < 0 {
		d.Sentence = "The documents of the lists have one grade or none."
		return d
	}
	e := of1[system]
	d.Sentence = r.Letter(system) + " holds the grades farthest apart: half of the documents of grade " +
		say.Plain.Grade(e.high.Grade) + " lie above " + in.Style.Number(e.high.Median, 3) +
		" of their list, half of those of grade " +
		say.Plain.Grade(e.low.Grade) + " above " + in.Style.Number(e.low.Median, 3) + "."
	return d
}
