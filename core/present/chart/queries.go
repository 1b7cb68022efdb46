package chart

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var queries = Figure{
	Name: "queries", Title: "Values by run",
	Doc: "The distribution of query values in every run: one dot per query, equal ones stacked; above 300 queries, " +
		"counts in 40 bins of equal width. " +
		"Two runs with the same mean may be even, or good on one half and empty on the other.",
	Needs: "a query",
	draw:  drawQueries,
}

// mostDots is how many queries are drawn one by one, and bins how many classes there are of more.
const (
	mostDots = 300
	bins     = 40
)

func drawQueries(in *Input) *Drawing {
	r, col := in.Report, in.column()
	n := len(r.Queries)
	if n == 0 {
		return nil
	}
	lo, hi := in.reach()
	d := &Drawing{Head: []string{"Run", "lowest", "lower quarter", "median", "upper quarter", "highest"},
		Data: [][]string{{"query"}}}
	d.X = Axis{Title: col.Measure + " of " + say.Count(n, "query", "queries")}
	d.X.Low, d.X.High = scale.Span(lo, hi)
	most := 1
	counts := make([][bins]int, len(r.Systems))
	for s := range r.Systems {
		for _, v := range col.Values[s] {
			b := bin(v, lo, hi)
			counts[s][b]++
			most = max(most, counts[s][b])
		}
	}
	width := (hi - lo) / bins
	widest, gap := 0, math.Inf(-1)
	for s := range r.Systems {
		y := float64(s)
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		d.Layers = append(d.Layers, Layer{Kind: Frame, Marks: []Mark{{X: lo, Y: y}, {X: hi, Y: y}}})
		if n <= mostDots {
			place := scale.Scale{Low: lo, High: hi, To: 936}
			l := of(s, Dots)
			l.Queries = true
			for q, m := range scale.Stack(col.Values[s], place) {
				l.Marks = append(l.Marks, Mark{X: lo + (hi-lo)*m.X/936, Y: y + m.Y/44, Text: r.Queries[q].ID})
			}
			d.Layers = append(d.Layers, l)
		} else {
			l := of(s, Bars)
			l.classes(counts[s][:], most, y, func(b float64) float64 { return lo + float64(width*b) },
				func(v float64) string { return in.Style.Number(v, 3) })
			d.Layers = append(d.Layers, l)
		}
		v := slices.Sorted(slices.Values(col.Values[s]))
		at := func(share float64) float64 { return report.Quantile(v, share) }
		d.Rows = append(d.Rows, []string{in.named(s)})
		for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
			d.Rows[s] = append(d.Rows[s], in.Style.Number(at(share), 3))
		}
		if w := at(0.75) - at(0.25); w > gap {
			widest, gap = s, w
		}
		d.Data[0] = append(d.Data[0], r.Systems[s].Label)
	}
	if n > mostDots {
		d.X.Title += ", in " + strconv.Itoa(bins) + " classes; the height is the root of their number"
	}
	for q := range r.Queries {
		row := []string{r.Queries[q].ID}
		for s := range r.Systems {
			row = append(row, say.Exact(col.Values[s][q]))
		}
		d.Data = append(d.Data, row)
	}
	w := d.Rows[widest]
	d.Sentence = "By " + col.Measure + " half of the queries lie between " + w[2] + " and " + w[4] + " in " +
		r.Letter(widest)
	if len(r.Systems) > 1 {
		d.Sentence += ", whose values are farthest apart"
	}
	d.Sentence += "; its median is " + w[3] + "."
	return d
}

// reach returns the ends of the axis of the column's values: from 0 to 1, or to the first of 0.5, 0.2, 0.1 … that holds
// them all, where they are between 0 and 1.
func (in *Input) reach(systems ...int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for s, values := range in.column().Values {
		if systems != nil && !slices.Contains(systems, s) {
			continue
		}
		for _, v := range values {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	switch {
	case !(lo >= 0 && hi <= 1):
		if !(hi > lo) {
			hi = lo + 1
		}
		return lo, hi
	case hi == 0:
		return 0, 1
	}
	end := 1.0
	for _, v := range []float64{0.5, 0.2, 0.1, 0.05, 0.02, 0.01} {
		if hi <= v {
			end = v
		}
	}
	return 0, end
}

// classes adds a bar about y for each class that has any queries, as high as the root of their number, so that a class
// of few can be seen beside one of most. edge is where class b begins, and number writes that.
func (l *Layer) classes(counts []int, most int, y float64, edge func(b float64) float64, number func(float64) string) {
	for b, c := range counts {
		if c > 0 {
			h := float64(0.42 * math.Sqrt(float64(c)/float64(most)))
			l.Marks = append(l.Marks, Mark{X: edge(float64(b) + 0.1), X2: edge(float64(b) + 0.9), Y: y - h, Y2: y + h,
				Text: strconv.Itoa(c), Said: say.Count(c, "query", "queries") + " from " + number(edge(float64(b)))})
		}
	}
}

// bin is the class of a value.
func bin(v, lo, hi float64) int { return min(max(int((v-lo)/(hi-lo)*bins), 0), bins-1) }
