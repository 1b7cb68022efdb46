package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

var differences = Figure{
	Name: "differences", Title: "Difference by query",
	Doc: "One bar per query: the change of the measure from the first run of the pair to the second, sorted. Up is " +
		"better, down is worse; " +
		"the shape says whether a few queries make the difference or many.",
	Needs: "a pair of runs",
	draw:  drawDifferences,
}

// classes of the table beside the differences.
var classes = []float64{-0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5}

func drawDifferences(in *Input) *Drawing {
	r, col, a, b := in.Report, in.column(), in.A, in.B
	n := len(r.Queries)
	if a == b || n == 0 {
		return nil
	}
	d := &Drawing{Head: []string{"Change in " + col.Measure, "Queries"}}
	diff := func(q int) float64 { return significance.Difference(col.Values[a][q], col.Values[b][q]) }
	order := descending(n, diff)
	top := max(math.Abs(diff(order[0])), math.Abs(diff(order[n-1])))
	d.Y = Axis{Low: -top, High: top, Signed: true}
	if top == 0 {
		d.Y.Low, d.Y.High = -1, 1
	}
	d.X = Axis{High: float64(n), Bare: true, Title: say.Count(n, "query", "queries") + ", sorted by the change of " +
		col.Measure + " from " + in.called(a) + " to " + in.called(b)}
	up, down := Layer{Kind: Bars, Role: Gain, Name: "better", Queries: true}, Layer{Kind: Bars, Role: Loss,
		Name: "worse", Queries: true}
	if in.lower(in.Column) {
		up.Role, up.Name, down.Role, down.Name = Loss, "worse", Gain, "better"
	}
	d.Data = [][]string{{"query", r.Systems[a].Label, r.Systems[b].Label, "change"}}
	for i, q := range order {
		v := diff(q)
		d.Data = append(d.Data, []string{r.Queries[q].ID, say.Exact(col.Values[a][q]), say.Exact(col.Values[b][q]),
			say.Exact(v)})
		m := Mark{X: float64(i) + 0.1, X2: float64(i) + 0.9, Y2: v, Text: r.Queries[q].ID}
		switch {
		case v > 0:
			up.Marks = append(up.Marks, m)
		case v < 0:
			down.Marks = append(down.Marks, m)
		}
	}
	d.Layers = []Layer{up, down, {Kind: Frame, Marks: []Mark{{}, {X: float64(n)}}}}
	d.Rows = in.classed(n, diff)
	better, worse := len(up.Marks), len(down.Marks)
	if in.lower(in.Column) {
		better, worse = worse, better
	}
	side, on, other, rest := "better", better, "worse", worse
	if better == 0 && worse > 0 {
		side, on, other, rest = other, rest, side, on
	}
	d.Sentence = r.Letter(b) + " is " + side + " than " + r.Letter(a) + " by " + col.Measure + " on " +
		say.Thousands(on) + " of " + say.Count(n, "query", "queries") + " and " + other + " on "
	if rest > 0 {
		d.Sentence += say.Thousands(rest)
	} else {
		d.Sentence += "none"
	}
	if top > 0 {
		most := order[0]
		if math.Abs(diff(order[n-1])) > math.Abs(diff(most)) {
			most = order[n-1]
		}
		d.Sentence += "; the largest change is " + in.Style.Signed(diff(most), 3) + " on query " +
			say.Brief(r.Queries[most].ID, 60)
	}
	d.Sentence += "."
	return d
}

// classed counts the queries in classes of their change, largest first.
func (in *Input) classed(n int, diff func(q int) float64) [][]string {
	counts := make([]int, len(classes)+1)
	same := 0
	for q := range n {
		v := diff(q)
		if v == 0 {
			same++
			continue
		}
		k := 0
		for k < len(classes) && v > classes[k] {
			k++
		}
		counts[k]++
	}
	var rows [][]string
	for k := len(classes); k >= 0; k-- {
		name := ""
		switch {
		case k == 0:
			name = in.Style.Signed(classes[0], 1) + " and below"
		case k == len(classes):
			name = "above " + in.Style.Signed(classes[k-1], 1)
		case classes[k-1] == 0:
			name = "above 0 to " + in.Style.Signed(classes[k], 1)
		case classes[k] == 0:
			name = in.Style.Signed(classes[k-1], 1) + " to below 0"
		default:
			name = in.Style.Signed(classes[k-1], 1) + " to " + in.Style.Signed(classes[k], 1)
		}
		rows = append(rows, []string{name, say.Thousands(counts[k])})
		if k > 0 && classes[k-1] == 0 {
			rows = append(rows, []string{"no change", say.Thousands(same)})
		}
	}
	return rows
}

// descending returns 0 to n-1, the largest values first, equal ones in their order.
func descending(n int, value func(i int) float64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(value(y), value(x)) })
	return order
}
