package figure

import (
	"errors"
	"strconv"

	"github.com/rankbox/rankbox/core/measure/significance"
)

// judges shows two judges' grades of the same documents as a grid, with kappa cell by cell.
var judges = Kind{Name: "judges", Minutes: 2, New: func(d Data) (Figure, error) {
	if len(d.Rows) < 2 || len(d.Values) != 2*len(d.Rows) || len(d.Targets) != 2 {
		return nil, errors.New("articles with two grades each, and two targets")
	}
	f := &grid{want: d.Targets[0], most: int(d.Targets[1])}
	for i, r := range d.Rows {
		a, b := int(d.Values[2*i]), int(d.Values[2*i+1])
		if len(r) != 1 || a < 0 || a > MaxGrade || b < 0 || b > MaxGrade {
			return nil, errors.New("an article has a title and two grades")
		}
		f.titles, f.first, f.second = append(f.titles, r[0]), append(f.first, a), append(f.second, b)
	}
	return f, nil
}}

type grid struct {
	titles        []string
	first, second []int
	want          float64
	most          int
}

func (f *grid) Asks() string {
	return "Change the second judge's grades until kappa is at least " + brief(f.want) + ". Change at most " +
		itoa(f.most) +
		" articles."
}

// A state holds the second judge's grades.
func (f *grid) Start() State { return append(State{}, f.second...) }

func (f *grid) Handles(s State) (out []Handle) {
	for i := range s {
		out = append(out, Handle{Name: "grade" + itoa(i+1), Label: "Second judge", Row: i + 1, Max: MaxGrade, At: s[i],
			Choices: []string{"0", "1", "2", "3"}})
	}
	return out
}

func (f *grid) Set(s State, m Move) State {
	if i, err := strconv.Atoi(m.Name[len("grade"):]); err == nil && i > 0 && i <= len(s) {
		s[i-1] = m.To
	}
	return s
}

func (f *grid) changed(s State) int {
	n := 0
	for i := range s {
		if s[i] != f.second[i] {
			n++
		}
	}
	return n
}

func (f *grid) Goals(s State) []Goal {
	same := 0
	for i := range s {
		if s[i] == f.first[i] {
			same++
		}
	}
	k, err := significance.CohenKappa(f.first, s, significance.Unweighted)
	g := Goal{"kappa", "none", "at least " + brief(f.want), 1}
	if err == nil && k == k {
		g = atLeast("kappa", k, f.want)
	}
	return []Goal{{Label: "same grade", Value: itoa(same) + " of " + itoa(len(s))}, g,
		atMost("articles changed", f.changed(s), f.most)}
}

func (f *grid) View(s State) View {
	v := View{Heads: []string{"first judge", "second judge"}}
	for i, title := range f.titles {
		r := Row{Key: itoa(i), Title: title, Cells: []string{itoa(f.first[i])}}
		if f.first[i] != s[i] {
			r.Class = "hole"
		}
		v.Rows = append(v.Rows, r)
	}
	const w, h, left, top, cell = 320, 210, 96, 40, 40
	p := &Plot{W: w, H: h, Says: "How many articles have which pair of grades; the diagonal is agreement"}
	for a := range MaxGrade + 1 {
		y := float64(top + cell*(MaxGrade-a))
		p.text(left-8, y+cell/2+4, "end", itoa(a))
		p.text(float64(left+cell*(MaxGrade-a)+cell/2), top-8, "middle", itoa(a))
		for b := range MaxGrade + 1 {
			x := float64(left + cell*(MaxGrade-b))
			n := 0
			for i := range s {
				if f.first[i] == a && s[i] == b {
					n++
				}
			}
			class := "cell"
			if a == b {
				class = "cell on"
			}
			p.rect(x, y, cell-2, cell-2, class)
			if n > 0 {
				p.dot(x+cell/2-1, y+cell/2-1, 15, "count")
				p.text(x+cell/2-1, y+cell/2+3, "middle", itoa(n))
			}
		}
	}
	p.text(left+2*cell, 14, "middle", "second judge")
	p.text(left-28, top+2*cell+4, "end", "first judge")
	v.Plot = p
	sum, _ := Kappa(f.first, s)
	v.Sums = []string{sum}
	return v
}

// packJudges packs the lesson's data.
func packJudges(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	for _, x := range g.Graded {
		d.Rows = append(d.Rows, []string{x.Title})
		d.Values = append(d.Values, float64(x.First), float64(x.Second))
	}
	return d, nil
}
