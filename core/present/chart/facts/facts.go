// Package facts finds what figures are drawn from beside a report: which parameters the runs vary, which of them are a
// pipeline that grows, what its stages are worth, and where documents of a grade lie in the lists. The first three
// follow from the names of the runs where those are pipelines. It draws nothing and measures no time.
package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Of returns what the names of a report's systems say and, where in is not nil, what their lists say.
func Of(r *report.Report, in *compare.Input) chart.Facts {
	nodes := make([]*pipeline.Node, len(r.Systems))
	place := map[string]int{} // canonical pipeline → system
	out := chart.Facts{Stages: make([]int, len(r.Systems))}
	for i := range r.Systems {
		n, err := stage.Parse(r.Systems[i].Pipeline())
		if err != nil || n.Unread() {
			continue
		}
		nodes[i] = n
		if _, ok := place[n.String()]; !ok {
			place[n.String()] = i
		}
		n.Walk(func(*pipeline.Node) { out.Stages[i]++ })
	}
	if in != nil && in.Graded == nil { // scores are not known from grades
		out.Grades = Grades(in)
	}
	if len(place) == 0 {
		out.Stages = nil
		return out
	}
	out.Sweep = sweep(nodes)
	out.Steps = steps(nodes, place)
	out.Ablation = ablation(r, nodes)
	return out
}

// steps returns the longest pipeline of which every beginning is a system; nil where no system begins another.
func steps(nodes []*pipeline.Node, place map[string]int) []chart.Growth {
	var best []chart.Growth
	for _, n := range nodes {
		if n == nil {
			continue
		}
		var chain []chart.Growth
		for {
			s, ok := place[n.String()]
			if !ok {
				break
			}
			if n.Input == nil {
				chain = append(chain, chart.Growth{System: s, Stage: n.String()})
				break
			}
			chain = append(chain, chart.Growth{System: s,
				Stage: strings.TrimPrefix(n.String(), n.Input.String()+" >> ")})
			n = n.Input
		}
		// It begins with a pipeline whose own beginning is not there
		if k := len(chain); k > 1 && nodes[chain[k-1].System].Input != nil {
			chain[k-1].Stage = nodes[chain[k-1].System].String()
		}
		if len(chain) > max(1, len(best)) {
			slices.Reverse(chain)
			best = chain
		}
	}
	return best
}

// ablation takes the largest pipeline apart of which every set of stages is a system.
func ablation(r *report.Report, nodes []*pipeline.Node) *chart.Ablation {
	named := *r
	named.Systems = slices.Clone(r.Systems)
	for i, n := range nodes {
		if n != nil {
			named.Systems[i].Label = n.String()
		}
	}
	var best *matrix.Ablation
	for i, n := range nodes {
		if n == nil {
			continue
		}
		a, err := matrix.Ablate(&named, named.Systems[i].Label, 0, nil)
		if err == nil && len(a.Stages) > 1 && (best == nil || len(a.Stages) > len(best.Stages)) {
			best = a
		}
	}
	if best == nil {
		return nil
	}
	out := &chart.Ablation{Pipeline: best.Pipeline, Measure: r.Measures[0]}
	for _, s := range best.Stages {
		out.Stages = append(out.Stages, chart.Worth{Stage: s.Stage, Lost: s.Lost, Low: s.Low, High: s.High,
			Alone: s.Alone, Shapley: s.Shapley})
	}
	return out
}

// number is a numeric parameter of a pipeline.
type number struct {
	stage, name string
	value       float64
}

// numbers returns the numeric parameters that mean anything, in order, and all that is not a number as text: of two
// pipelines with the same one the numbers correspond.
func numbers(n *pipeline.Node) (out []number, rest string) {
	var b strings.Builder
	n.Walk(func(m *pipeline.Node) {
		b.WriteString(m.Stage.Name + "/" + strconv.Itoa(len(m.Args)))
		for _, p := range m.Stage.Params {
			switch {
			case !m.Applies(p.Name):
			case p.Kind == pipeline.Number || p.Kind == pipeline.Integer:
				if v, err := strconv.ParseFloat(m.Value(p.Name), 64); err == nil {
					b.WriteString(" " + p.Name)
					out = append(out, number{m.Stage.Name, p.Name, v})
					continue
				}
				b.WriteString(" " + p.Name + "=" + m.Value(p.Name))
			default:
				b.WriteString(" " + p.Name + "=" + m.Value(p.Name))
			}
		}
		b.WriteByte('\n')
	})
	return out, b.String()
}

// sweep finds the most systems that differ in one or two numbers alone.
func sweep(nodes []*pipeline.Node) *chart.Sweep {
	groups := map[string][]int{}
	values := make([][]number, len(nodes))
	var order []string
	for i, n := range nodes {
		if n == nil {
			continue
		}
		var rest string
		values[i], rest = numbers(n)
		if groups[rest] == nil {
			order = append(order, rest)
		}
		groups[rest] = append(groups[rest], i)
	}
	var best *chart.Sweep
	most := 2
	for _, rest := range order {
		if members := groups[rest]; len(members) > most {
			if s := over(members, values); s != nil {
				best, most = s, len(members)
			}
		}
	}
	return best
}

// over lays systems out by the one or two parameters in which they differ, nil where that is another number of them.
func over(members []int, values [][]number) *chart.Sweep {
	var differ []int
	first := values[members[0]]
	for p := range first {
		for _, s := range members {
			if values[s][p].value != first[p].value {
				differ = append(differ, p)
				break
			}
		}
	}
	if len(differ) == 0 || len(differ) > 2 {
		return nil
	}
	param := func(p int) chart.Param {
		out := chart.Param{Name: first[p].name}
		for i, o := range first {
			if i != p && o.name == first[p].name {
				out.Name = first[p].stage + " " + first[p].name
			}
		}
		for _, s := range members {
			if v := values[s][p].value; !slices.Contains(out.Values, v) {
				out.Values = append(out.Values, v)
			}
		}
		slices.Sort(out.Values)
		return out
	}
	w := &chart.Sweep{X: param(differ[0])}
	if len(differ) == 2 {
		w.Y = param(differ[1])
	}
	w.System = make([][]int, max(1, len(w.Y.Values)))
	for y := range w.System {
		w.System[y] = slices.Repeat([]int{-1}, len(w.X.Values))
	}
	for _, s := range slices.Backward(members) {
		y := 0
		if len(differ) == 2 {
			y = slices.Index(w.Y.Values, values[s][differ[1]].value)
		}
		w.System[y][slices.Index(w.X.Values, values[s][differ[0]].value)] = s
	}
	if len(differ) == 2 {
		thin(w)
	}
	if len(w.X.Values) < 2 || len(differ) == 2 && len(w.Y.Values) < 2 {
		return nil
	}
	return w
}

// thin drops the rows and columns of which less than half is there, and those of one run where there are more than two,
// the emptiest first: a run beside a grid is no part of it.
func thin(w *chart.Sweep) {
	for len(w.Y.Values) > 0 && len(w.X.Values) > 0 {
		rows, columns := make([]int, len(w.Y.Values)), make([]int, len(w.X.Values))
		for y := range rows {
			for x := range columns {
				if w.System[y][x] >= 0 {
					rows[y]++
					columns[x]++
				}
			}
		}
		row, rest := emptiest(rows, len(columns))
		column, left := emptiest(columns, len(rows))
		switch {
		case row >= 0 && (column < 0 || rest <= left):
			w.Y.Values, w.System = slices.Delete(w.Y.Values, row, row+1), slices.Delete(w.System, row, row+1)
		case column >= 0:
			w.X.Values = slices.Delete(w.X.Values, column, column+1)
			for y := range w.System {
				w.System[y] = slices.Delete(w.System[y], column, column+1)
			}
		default:
			return
		}
	}
}

// emptiest returns the line with the smallest share of its cells, and that share; -1 where each has enough.
func emptiest(counts []int, of int) (line int, share float64) {
	line = -1
	for i, n := range counts {
		if s := float64(n) / float64(of); (s < 0.5 || n == 1 && of > 1 && len(counts) > 2) && (line < 0 || s < share) {
			line, share = i, s
		}
	}
	return line, share
}
