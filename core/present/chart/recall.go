package chart

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

var recall = Figure{
	Name: "precision-recall", Title: "Precision and recall",
	Doc: "Interpolated precision at 11 levels of recall, mean over the queries, one line for each run: the share of " +
		"relevant documents in the ranking after a share of the relevant ones is found. " +
		"The mean of the 11 points is the area that the sentence names.",
	Needs: "the measures IPrec@0.0, IPrec@0.1 … IPrec@1.0",
	Measures: func(string) []string {
		var out []string
		for _, m := range measure.RecallLevels() {
			out = append(out, m.String())
		}
		return out
	},
	draw: drawRecall,
}

func drawRecall(in *Input) *Drawing {
	r := in.Report
	var at []float64
	var columns []int
	for c := range r.Columns {
		if m, err := measure.Parse(r.Columns[c].Measure); err == nil {
			if v, ok := m.RecallLevel(); ok {
				at, columns = append(at, v), append(columns, c)
			}
		}
	}
	if len(at) < 3 {
		return nil
	}
	order := descending(len(at), func(i int) float64 { return -at[i] })
	d := &Drawing{Head: []string{"Run", "mean"}, Data: [][]string{{"run", "recall", "precision"}}}
	curves := make([][]Mark, len(r.Systems))
	area := make([]float64, len(r.Systems))
	for _, i := range order {
		d.Head = append(d.Head, in.Style.Number(at[i], 1))
		for s := range r.Systems {
			v := r.Columns[columns[i]].Means[s]
			curves[s] = append(curves[s], Mark{X: at[i], Y: v})
			area[s] += v
		}
	}
	top := 0
	for s, c := range curves {
		area[s] /= float64(len(at))
		if area[s] > area[top] {
			top = s
		}
		row := []string{in.named(s), in.Style.Number(area[s], 3)}
		for _, m := range c {
			row = append(row, in.Style.Number(m.Y, 3))
			d.Data = append(d.Data, []string{r.Systems[s].Label, say.Exact(m.X), say.Exact(m.Y)})
		}
		d.Rows = append(d.Rows, row)
	}
	d.curves(in, curves)
	d.X = Axis{Low: 0, High: 1, Title: "recall"}
	d.Y = Axis{Low: 0, High: 1, Title: "interpolated precision, mean over " +
		say.Count(len(r.Queries), "query", "queries")}
	d.Sentence = r.Letter(top) + " has the largest area under precision by recall, " + in.Style.Number(area[top], 3)
	if len(curves) > 1 {
		over := 0
		for i, m := range curves[top] {
			ahead := true
			for s := range curves {
				ahead = ahead && curves[s][i].Y <= m.Y
			}
			if ahead {
				over++
			}
		}
		d.Sentence += ", and leads at " + strconv.Itoa(over) + " of " + say.Count(len(at), "level", "levels") +
			" of recall"
	}
	d.Sentence += "."
	return d
}
