package chart

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var cutoffs = Figure{
	Name: "cutoffs", Title: "By cutoff",
	Doc: "The mean of the measure by cutoff, one line per run: nDCG@1, @5, @10 and so on. If lines cross, the better " +
		"run depends on " +
		"how far readers look. With Judged it shows how deep the judgments reach.",
	Needs: "the measure at two or more cutoffs, such as nDCG@5 and nDCG@10",
	Measures: func(notation string) []string {
		name, _, ok := cutoff(notation)
		if !ok {
			return nil
		}
		var out []string
		for _, k := range []int{1, 3, 5, 10, 20, 50, 100} {
			out = append(out, name+"@"+strconv.Itoa(k))
		}
		return out
	},
	draw: drawCutoffs,
}

// cutoff takes a notation apart: "P(rel=2)@10" is "P(rel=2)" and 10.
func cutoff(notation string) (name string, k int, ok bool) {
	m, err := measure.Parse(notation)
	if err != nil || m.Cutoff() == 0 {
		return "", 0, false
	}
	name, _, ok = strings.Cut(m.String(), "@")
	return name, m.Cutoff(), ok
}

func drawCutoffs(in *Input) *Drawing {
	r := in.Report
	name, _, ok := cutoff(in.column().Measure)
	if !ok {
		return nil
	}
	type at struct{ k, column int }
	var points []at
	for c := range r.Columns {
		if n, k, ok := cutoff(r.Columns[c].Measure); ok && n == name {
			points = append(points, at{k, c})
		}
	}
	if len(points) < 2 {
		return nil
	}
	before := func(a, b at) int { return a.k - b.k }
	sort.Slice(points, func(i, j int) bool { return before(points[i], points[j]) < 0 })
	d := &Drawing{Head: []string{"Run"}, Data: [][]string{{"run", "cutoff", name}}}
	curves := make([][]Mark, len(r.Systems))
	for _, p := range points {
		d.Head = append(d.Head, "@"+strconv.Itoa(p.k))
		for s := range r.Systems {
			curves[s] = append(curves[s], Mark{X: float64(p.k), Y: r.Columns[p.column].Means[s]})
		}
	}
	lo, hi := curves[0][0].Y, curves[0][0].Y
	for s, c := range curves {
		row := []string{in.named(s)}
		for i, m := range c {
			lo, hi = min(lo, m.Y), max(hi, m.Y)
			row = append(row, in.Style.Number(m.Y, 3))
			d.Data = append(d.Data, []string{r.Systems[s].Label, strconv.Itoa(points[i].k), say.Exact(m.Y)})
		}
		d.Rows = append(d.Rows, row)
	}
	d.curves(in, curves)
	first, last := points[0], points[len(points)-1]
	d.X = Axis{Low: float64(first.k), High: float64(last.k), Log: last.k >= 10*first.k, Whole: true,
		Title: "cutoff: documents read of each ranking"}
	d.Y.Low, d.Y.High = scale.Span(lo, hi)
	d.Y.Title = name + " by cutoff, mean over " + say.Count(len(r.Queries), "query", "queries")
	top := func(c int) []int {
		var out []int
		for s, v := range r.Columns[c].Means {
			if v == r.Columns[c].Best {
				out = append(out, s)
			}
		}
		return out
	}
	d.Sentence = leaders(r, name+" is best for ", len(points),
		func(i int) (string, []int) { return "@" + strconv.Itoa(points[i].k), top(points[i].column) })
	return d
}

// curves adds a line and its points a system.
func (d *Drawing) curves(in *Input, curves [][]Mark) {
	for s, c := range curves {
		l := of(s, Lines, c...)
		l.Label, l.Name = in.Report.Letter(s), in.Report.Systems[s].Label
		p := of(s, Points, c...)
		p.Label, p.Name = l.Label, l.Name
		d.Layers = append(d.Layers, l, p)
	}
}

// leaders says which systems lead along a line of places: "… A at @1 and @3, B from @5 on."
func leaders(r *report.Report, before string, n int, at func(i int) (place string, best []int)) string {
	var parts []string
	for i := 0; i < n; {
		from, best := at(i)
		j := i
		for j+1 < n {
			if _, next := at(j + 1); !slices.Equal(next, best) {
				break
			}
			j++
		}
		var letters []string
		for _, s := range best {
			letters = append(letters, r.Letter(s))
		}
		who := say.Few(letters, 4)
		if len(letters) <= 4 {
			who = say.And(letters)
		}
		to, _ := at(j)
		switch {
		case i == 0 && j == n-1:
			parts = append(parts, who+" throughout, from "+from+" to "+to)
		case i == j:
			parts = append(parts, who+" at "+from)
		default:
			parts = append(parts, who+" from "+from+" to "+to)
		}
		i = j + 1
	}
	if len(parts) > 4 {
		parts = append(parts[:3], "then changes "+say.Count(len(parts)-3, "more time", "more times"))
	}
	return before + strings.Join(parts, ", ") + "."
}
