package chart

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

var matrix = Figure{
	Name: "matrix", Title: "Queries and runs",
	Doc: "Every query is a column, every run a row; a stronger colour means a higher value. Queries on which the " +
		"runs behave alike are neighbours: they are ordered by their " +
		"angle between the first two principal components (Friendly and Kwan 2003, Computational Statistics & Data " +
		"Analysis 43), hard ones at both ends. Of more than 240 queries neighbours share a " +
		"column, which has their mean.",
	Needs: "two runs and three queries",
	draw:  drawMatrix,
}

// mostColumns is how many columns are drawn.
const mostColumns = 240

// drawMatrix is one figure: marks, names and table of the same cells.
func drawMatrix(in *Input) *Drawing {
	r, col := in.Report, in.column()
	k, n := len(r.Systems), len(r.Queries)
	if k < 2 || n < 3 {
		return nil
	}
	order := seriate(col.Values, n)
	sign := 1.0
	if in.lower(in.Column) {
		sign = -1
	}
	rows := descending(k, func(s int) float64 { return sign * col.Means[s] })
	lo, hi := in.reach()
	d := &Drawing{Head: []string{"Run", "best alone", "worst alone", "at the lowest value"},
		Data: [][]string{{"query"}}}
	layers := make([]Layer, Steps)
	for i := range layers {
		layers[i] = Layer{Kind: Bars, Role: Step(i), Queries: true}
	}
	columns := min(n, mostColumns)
	for y, s := range rows {
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		d.Data[0] = append(d.Data[0], r.Systems[s].Label)
		for c := range columns {
			from, to := c*n/columns, (c+1)*n/columns
			sum := 0.0
			for _, q := range order[from:to] {
				sum += col.Values[s][q]
			}
			v := sum / float64(to-from)
			m := Mark{X: float64(from), X2: float64(to), Y: float64(y) - 0.46, Y2: float64(y) + 0.46,
				Said: in.Style.Number(v, 3)}
			if to == from+1 {
				m.Text = r.Queries[order[from]].ID
			}
			step := min(int((v-lo)/(hi-lo)*Steps), Steps-1)
			layers[step].Marks = append(layers[step].Marks, m)
		}
	}
	d.Layers = layers
	d.X = Axis{High: float64(n), Bare: true, Title: say.Count(n, "query", "queries") +
		", those on which the runs behave alike side by side; the stronger the colour, the higher " + col.Measure +
		" (" + in.Style.Short(lo) + " to " + in.Style.Short(hi) + " in " + in.Style.Int(Steps) + " steps)"}
	bestAlone, worstAlone, lowest := make([]int, k), make([]int, k), make([]int, k)
	none, apart := 0, 0
	for _, q := range order {
		row := []string{r.Queries[q].ID}
		top, foot := math.Inf(-1), math.Inf(1)
		for _, s := range rows {
			v := col.Values[s][q]
			row = append(row, say.Exact(v))
			top, foot = max(top, v), min(foot, v)
			if v == lo {
				lowest[s]++
			}
		}
		d.Data = append(d.Data, row)
		if top == lo {
			none++
		}
		if top-foot >= float64((hi-lo)/2)-1e-12 { // 0.7 - 0.2 is half, too
			apart++
		}
		count := func(v float64, alone []int) {
			which, times := 0, 0
			for s := range k {
				if col.Values[s][q] == v {
					which = s
					times++
				}
			}
			if times == 1 {
				alone[which]++
			}
		}
		if in.lower(in.Column) {
			top, foot = foot, top
		}
		count(top, bestAlone)
		count(foot, worstAlone)
	}
	for _, s := range rows {
		d.Rows = append(d.Rows, []string{in.named(s), say.Thousands(bestAlone[s]), say.Thousands(worstAlone[s]),
			say.Thousands(lowest[s])})
	}
	d.Sentence = "Of " + say.Count(n, "query", "queries") + ", " + say.Count(none, "is", "are") + " at " +
		in.Style.Short(lo) + " by " + col.Measure + " in every run, and on " + say.Thousands(apart) +
		" the runs are " + in.Style.Short((hi-lo)/2) + " or more apart."
	return d
}

// seriate orders the queries by their angle in the plane of the first two principal components of the systems' values,
// from the side that is low in all systems round to it again. Equal angles keep their order. Cost: n k² + k³.
func seriate(values [][]float64, n int) []int {
	k := len(values)
	mean := make([]float64, k)
	for s, v := range values {
		for _, x := range v {
			mean[s] += x
		}
		mean[s] /= float64(n)
	}
	cov := make([][]float64, k)
	for i := range cov {
		cov[i] = make([]float64, k)
	}
	for i := range k {
		for j := range i + 1 {
			sum := 0.0
			for q := range n {
				sum += float64((values[i][q] - mean[i]) * (values[j][q] - mean[j]))
			}
			cov[i][j], cov[j][i] = sum, sum
		}
	}
	first, second := components(cov)
	angle := make([]float64, n)
	for q := range n {
		var x, y float64
		for s := range k {
			x += float64((values[s][q] - mean[s]) * first[s])
			y += float64((values[s][q] - mean[s]) * second[s])
		}
		angle[q] = diamond(-x, y)
	}
	return descending(n, func(q int) float64 { return -angle[q] })
}

// diamond grows with the angle of a vector from 0 (along x) to 4, as the angle does to 2π; 0 for no vector.
func diamond(x, y float64) float64 {
	sum := math.Abs(x) + math.Abs(y)
	switch {
	case sum == 0:
		return 0
	case y < 0:
		return 3 + x/sum
	}
	return 1 - x/sum
}

// components returns the eigenvectors of the two largest eigenvalues of a symmetric matrix, which it overwrites; the
// sum of each is not negative. Jacobi's method, cyclic.
func components(a [][]float64) (first, second []float64) {
	k := len(a)
	vec := make([][]float64, k) // vec[i] is column i
	for i := range vec {
		vec[i] = make([]float64, k)
		vec[i][i] = 1
	}
	for range 50 {
		off := 0.0
		for i := range k {
			for j := range i {
				off += math.Abs(a[i][j])
			}
		}
		if off == 0 {
			break
		}
		for i := range k {
			for j := i + 1; j < k; j++ {
				if a[i][j] == 0 {
					continue
				}
				theta := (a[j][j] - a[i][i]) / (2 * a[i][j])
				t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
				if theta < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(float64(t*t)+1)
				s := t * c
				for m := range k {
					x, y := a[m][i], a[m][j]
					a[m][i], a[m][j] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
				for m := range k {
					x, y := a[i][m], a[j][m]
					a[i][m], a[j][m] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
				a[i][j], a[j][i] = 0, 0
				for m := range k {
					x, y := vec[i][m], vec[j][m]
					vec[i][m], vec[j][m] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
				}
			}
		}
	}
	order := descending(k, func(i int) float64 { return a[i][i] })
	first, second = vec[order[0]], vec[order[1]]
	for _, v := range [][]float64{first, second} {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		if sum < 0 {
			for i := range v {
				v[i] = -v[i]
			}
		}
	}
	return first, second
}
