package chart

import (
	"sort"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

var judged = Figure{
	Name: "judged", Title: "Judged by cutoff",
	Doc: "The share of judged documents of every run, by cutoff. If a line falls below the others, fewer documents " +
		"of that run were " +
		"judged, and measures that count unjudged documents as not relevant underrate it.",
	Needs: "the measures Judged@1, Judged@5 … Judged@100",
	Measures: func(string) []string {
		var out []string
		for _, k := range []int{1, 5, 10, 20, 50, 100} {
			out = append(out, "Judged@"+strconv.Itoa(k))
		}
		return out
	},
	draw: drawJudged,
}

func drawJudged(in *Input) *Drawing {
	r := in.Report
	type at struct{ k, column int }
	var points []at
	for c := range r.Columns {
		if n, k, ok := cutoff(r.Columns[c].Measure); ok && n == "Judged" {
			points = append(points, at{k, c})
		}
	}
	if len(points) < 2 {
		return nil
	}
	before := func(a, b at) int { return a.k - b.k }
	sort.Slice(points, func(i, j int) bool { return before(points[i], points[j]) < 0 })
	d := &Drawing{Head: []string{"Run"}, Data: [][]string{{"run", "cutoff", "judged"}}}
	curves := make([][]Mark, len(r.Systems))
	for _, p := range points {
		d.Head = append(d.Head, "@"+strconv.Itoa(p.k))
	}
	for s := range r.Systems {
		row := []string{in.named(s)}
		for _, p := range points {
			v := r.Columns[p.column].Means[s]
			curves[s] = append(curves[s], Mark{X: float64(p.k), Y: v})
			row = append(row, in.Style.Percent(v, 1))
			d.Data = append(d.Data, []string{r.Systems[s].Label, strconv.Itoa(p.k), say.Exact(v)})
		}
		d.Rows = append(d.Rows, row)
	}
	d.curves(in, curves)
	first, last := points[0], points[len(points)-1]
	d.X = Axis{Low: float64(first.k), High: float64(last.k), Log: last.k >= 10*first.k, Whole: true,
		Title: "cutoff: documents read of each ranking"}
	d.Y = Axis{High: 1, Title: "share that is judged, mean over " + say.Count(len(r.Queries), "query", "queries")}
	most, least := 0, 0
	for s, c := range curves {
		end := len(c) - 1
		if c[end].Y > curves[most][end].Y {
			most = s
		}
		if c[end].Y < curves[least][end].Y {
			least = s
		}
	}
	end := len(points) - 1
	share := func(s int) string { return in.Style.Percent(curves[s][end].Y, 1) }
	d.Sentence = "Of the first " + strconv.Itoa(last.k) + " documents " + share(least) + " are judged in " +
		r.Letter(least)
	if most != least {
		d.Sentence += ", the fewest, and " + share(most) + " in " + r.Letter(most) + ", the most"
	}
	d.Sentence += "; of the first " + strconv.Itoa(first.k) + ", " + in.Style.Percent(curves[least][0].Y, 1)
	if most != least {
		d.Sentence += " and " + in.Style.Percent(curves[most][0].Y, 1)
	}
	d.Sentence += "."
	return d
}
