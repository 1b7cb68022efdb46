package figure

import (
	"errors"
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// power shows the interval of a difference while queries are added, and how many queries a test would need.
var power = Kind{Name: "power", Minutes: 1.5, New: func(d Data) (Figure, error) {
	if len(d.Rows) != 1 || len(d.Rows[0]) < 3 || len(d.Targets) != 1 || len(d.Values)%(len(d.Rows[0])-1) != 0 {
		return nil, errors.New("values of systems, and one target")
	}
	f := &growing{names: d.Rows[0][1:], measure: d.Rows[0][0], most: int(d.Targets[0])}
	n := len(d.Values) / len(f.names)
	for b := 1; b < len(f.names); b++ {
		diff, err := significance.Differences(d.Values[:n], d.Values[b*n:(b+1)*n])
		if err != nil || n < 4 {
			return nil, errors.New("four queries or more")
		}
		f.d = append(f.d, diff)
	}
	return f, nil
}}

type growing struct {
	measure string
	names   []string
	d       [][]float64 // by system except the first, then by query
	most    int
}

func (f *growing) Asks() string {
	return "Find a difference that a test separates from 0, p below .05, with at most " + say.Count(f.most, "query",
		"queries") + "."
}

func (f *growing) Start() State { return State{5, 1} }

func (f *growing) Handles(s State) []Handle {
	var pairs []string
	for _, n := range f.names[1:] {
		pairs = append(pairs, n+" − "+f.names[0])
	}
	return []Handle{
		{Name: "n", Label: "Queries", Min: 3, Max: len(f.d[0]), At: s[0], Says: "first " + itoa(s[0])},
		{Name: "pair", Label: "Difference", Min: 1, Max: len(pairs), At: s[1], Choices: pairs},
	}
}

func (f *growing) Set(s State, m Move) State {
	s[map[string]int{"n": 0, "pair": 1}[m.Name]] = m.To
	return s
}

func (f *growing) test(pair, n int) significance.Result {
	r, _ := significance.PairedT(f.d[pair-1][:n], significance.Options{})
	return r
}

func (f *growing) Goals(s State) []Goal {
	r := f.test(s[1], s[0])
	return []Goal{
		{Label: "mean difference", Value: signed(significance.Mean(f.d[s[1]-1][:s[0]]))},
		{"p, paired t", say.Page.P(r.P), "below 0.05", conditionDistance(r.P < 0.05) * r.P},
		atMost("queries", s[0], f.most),
	}
}

func (f *growing) View(s State) View {
	const w, h, left, right, zero = 320, 176, 44, 312, 78
	all := len(f.d[0])
	x := func(n int) float64 { return scale(float64(n-3)/float64(all-3), left, right) }
	most := 0.0
	for n := 4; n <= all; n++ {
		r := f.test(s[1], n)
		most = max(most, r.High, -r.Low)
	}
	y := func(v float64) float64 { return min(150, max(6, scale(v/most, zero, 6))) }
	p := &Plot{W: w, H: h, Says: "The 95 % interval of the mean difference after each number of queries"}
	for n := 3; n <= all; n++ {
		r := f.test(s[1], n)
		if math.IsNaN(r.Low) {
			continue
		}
		class := "off"
		if n > s[0] {
			class = "todo"
		} else if n == s[0] {
			class = "on"
		}
		p.rect(x(n)-2, y(r.High), 4, y(r.Low)-y(r.High), class)
	}
	p.line("M"+coord(left)+" "+coord(zero)+"H"+coord(right), "axes")
	p.text(left-4, zero+4, "end", "0")
	p.text(left-4, 16, "end", say.Page.Signed(most, 2))
	p.text(left, h-6, "middle", "3")
	p.text(right, h-6, "end", itoa(all)+" queries")
	r := f.test(s[1], s[0])
	dz := significance.CohenDz(f.d[s[1]-1][:s[0]])
	needed := significance.QueriesNeeded(dz, 0.05, 0.8, significance.TwoSided)
	v := View{Plot: p, Sums: []string{f.measure + ": 95 % interval from " + signed(r.Low) + " to " + signed(r.High)}}
	if !math.IsNaN(needed) && !math.IsInf(needed, 0) {
		v.Sums = append(v.Sums,
			"An effect of this size, d = "+digits(dz)+", is found in four of five experiments with "+
				say.Count(int(math.Ceil(needed)), "query", "queries")+".")
	}
	return v
}

// packPower packs the lesson's data.
func packPower(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Reports) != 1 || len(g.Reports[0].Systems) < 2 {
		return d, errors.New("it takes one comparison of two systems or more")
	}
	r := g.Reports[0]
	names := []string{r.Columns[0].Measure}
	for i, s := range r.Systems {
		names = append(names, s.Label)
		d.Values = append(d.Values, r.Columns[0].Values[i]...)
	}
	d.Rows = [][]string{names}
	return d, nil
}
