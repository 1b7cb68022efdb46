package chart

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var steps = Figure{
	Name: "steps", Title: "Recall by step",
	Doc: "The share of relevant documents that an agent had retrieved after each of its steps, mean over the judged " +
		"queries, one line for each agent. A query with fewer steps keeps what it has. Where a line is flat, further " +
		"steps found nothing new.",
	Needs: "traces of agents",
	draw:  drawSteps,
}

func drawSteps(in *Input) *Drawing {
	r := in.Report
	if len(in.Facts.Courses) != len(r.Systems) {
		return nil
	}
	d := &Drawing{Head: []string{"Run", "steps", "first step", "last step"},
		Data: [][]string{{"run", "step", "queries", "recall", "tokens"}}}
	curves := make([][]Mark, len(r.Systems))
	longest, best := 0, -1
	last := func(s int) float64 { return in.Facts.Courses[s].Recall[len(in.Facts.Courses[s].Recall)-1] }
	for s, c := range in.Facts.Courses {
		if len(c.Recall) == 0 {
			continue
		}
		longest = max(longest, len(c.Recall))
		for k, v := range c.Recall {
			curves[s] = append(curves[s], Mark{X: float64(k + 1), Y: v})
			tokens := ""
			if k < len(c.Tokens) && !math.IsNaN(c.Tokens[k]) {
				tokens = say.Exact(c.Tokens[k])
			}
			d.Data = append(d.Data, []string{r.Systems[s].Label, strconv.Itoa(k + 1), strconv.Itoa(c.Queries[k]),
				say.Exact(v), tokens})
		}
		d.Rows = append(d.Rows, []string{in.named(s), strconv.Itoa(len(c.Recall)), in.Style.Number(c.Recall[0], 3),
			in.Style.Number(last(s), 3)})
		if best < 0 || last(s) > last(best) {
			best = s
		}
	}
	if best < 0 {
		return nil
	}
	d.curves(in, curves)
	d.X = Axis{From: 1, To: float64(longest), Title: "step", Whole: true}
	d.X.Low, d.X.High = scale.Span(1, float64(max(longest, 2)))
	d.Y = Axis{Low: 0, High: 1, Title: "recall so far, mean over " + say.Count(len(r.Queries), "query", "queries")}
	top := in.Facts.Courses[best].Recall
	d.Sentence = r.Letter(best) + " had found " + in.Style.Percent(top[0], 0) +
		" of the relevant documents of a query " +
		"after its first step and " + in.Style.Percent(last(best), 0)
	at := slices.Index(top, last(best)) + 1
	d.Sentence += " after step " + strconv.Itoa(at)
	if at < len(top) {
		d.Sentence += "; its later steps found nothing new"
	}
	d.Sentence += "."
	return d
}
