package figure

import (
	"errors"
	"math"

	"github.com/rankbox/rankbox/core/measure"
)

// centre shows the queries of two systems as points; moving one query moves mean, median and geometric mean.
var centre = Kind{Name: "centre", Minutes: 2, New: func(d Data) (Figure, error) {
	if len(d.Rows) < 3 || len(d.Rows[0]) != 2 || len(d.Values) != 2*(len(d.Rows)-1) || len(d.Targets) != 2 {
		return nil, errors.New("queries with two values each, and two targets")
	}
	f := &spread{names: d.Rows[0], up: d.Targets[0], still: d.Targets[1]}
	for i, r := range d.Rows[1:] {
		if len(r) != 1 {
			return nil, errors.New("a query is its text")
		}
		f.queries = append(f.queries, r[0])
		for j := range f.v {
			f.v[j] = append(f.v[j], d.Values[2*i+j])
		}
	}
	return f, nil
}}

type spread struct {
	names     []string
	queries   []string
	v         [2][]float64
	up, still float64
}

func (f *spread) Asks() string {
	return "Move one query of " + f.names[0] + " so that the geometric mean rises by at least " + brief(f.up) +
		" while the mean rises by less than " + brief(f.still) + "."
}

// A state holds the moved query and its value in hundredths, −1 for the measured one.
func (f *spread) Start() State { return State{0, -1} }

func (f *spread) Handles(s State) []Handle {
	to := s[1]
	if to < 0 {
		to = int(math.Round(100 * f.v[0][s[0]]))
	}
	return []Handle{
		{Name: "query", Label: "Query", Max: len(f.queries) - 1, At: s[0], Says: f.queries[s[0]]},
		{Name: "value", Label: "Its AP", Max: 100, At: to, Says: digits(f.values(s)[s[0]])},
	}
}

func (f *spread) Set(s State, m Move) State {
	if m.Name == "query" {
		return State{m.To, -1}
	}
	s[1] = m.To
	return s
}

// values returns the values of the first system.
func (f *spread) values(s State) []float64 {
	out := append([]float64{}, f.v[0]...)
	if s[1] >= 0 {
		out[s[0]] = float64(s[1]) / 100
	}
	return out
}

// summaries returns mean, geometric mean and median.
func summaries(v []float64) [3]float64 {
	r := measure.Result{Values: [][]float64{v}}
	return [3]float64{r.Mean(0), r.GeometricMean(0), r.Median(0)}
}

func (f *spread) Goals(s State) []Goal {
	was, now := summaries(f.v[0]), summaries(f.values(s))
	return []Goal{
		{"mean " + digits(now[0]), signed(now[0] - was[0]), "less than +" + brief(f.still), max(0,
			now[0]-was[0]-f.still+1e-6)},
		{"geometric mean " + digits(now[1]), signed(now[1] - was[1]), "at least +" + brief(f.up), max(0,
			f.up-now[1]+was[1])},
		{Label: "median " + digits(now[2]), Value: signed(now[2] - was[2])},
	}
}

func (f *spread) View(s State) View {
	const w, h, left, right = 320, 190, 20, 304
	x := func(v float64) float64 { return scale(v, left, right) }
	p := &Plot{W: w, H: h, Says: "AP of each query under " + f.names[0] + " and " + f.names[1] +
		", with mean, geometric mean and median of both"}
	for j := range f.v {
		v := f.v[j]
		if j == 0 {
			v = f.values(s)
		}
		y := float64(76 + 92*j)
		p.line("M"+coord(left)+" "+coord(y)+"H"+coord(right), "axes")
		p.text(left, y-60, "start", f.names[j])
		for i, a := range v {
			class := ""
			if i == s[0] {
				class = "now"
			}
			p.dot(x(a), y-float64(i%4*5), 3.5, class)
		}
		for i, m := range summaries(v) {
			p.line("M"+coord(x(m))+" "+coord(y-28)+"V"+coord(y+6), "c"+itoa(i))
			p.text(x(m), y-31-float64(14*i), "middle", []string{"mean", "geo", "median"}[i])
		}
		p.text(left, y+16, "middle", "0")
		p.text(right, y+16, "middle", "1")
	}
	was, now, other := summaries(f.v[0]), summaries(f.values(s)), summaries(f.v[1])
	v := View{Plot: p}
	for i, name := range []string{"Mean", "Geometric mean", "Median"} {
		v.Sums = append(v.Sums,
			name+": "+f.names[0]+" "+digits(was[i])+" → "+digits(now[i])+"; "+f.names[1]+" "+digits(other[i]))
	}
	return v
}

// packCentre packs the lesson's data.
func packCentre(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Reports) != 1 || len(g.Reports[0].Systems) < 2 {
		return d, errors.New("it takes one comparison of two systems")
	}
	r := g.Reports[0]
	d.Rows = [][]string{{r.Systems[0].Label, r.Systems[1].Label}}
	for i, q := range r.Queries {
		d.Rows = append(d.Rows, []string{q.Text})
		d.Values = append(d.Values, r.Columns[0].Values[0][i], r.Columns[0].Values[1][i])
	}
	return d, nil
}
