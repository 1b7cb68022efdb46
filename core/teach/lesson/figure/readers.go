package figure

import (
	"math"

	"github.com/rankbox/rankbox/core/measure"
)

// readers shows a reader who walks down two lists: RR's, RBP's with patience p, or ERR's.
var readers = Kind{Name: "readers", Minutes: 2, New: func(d Data) (Figure, error) {
	if err := d.need(2, 0); err != nil {
		return nil, err
	}
	return &walk{[2]list{{d.Tables[0]}, {d.Tables[1]}}}, nil
}}

type walk struct{ of [2]list }

// Indices in a state of walk.
const (
	patience = iota // in twentieths
	reader
	ranksRead
)

func (f *walk) Asks() string {
	return "Find a patience p with which Boris prefers the second list, as Erin does."
}

func (f *walk) Start() State { return State{10, 1, f.ranks()} }

func (f *walk) Handles(s State) []Handle {
	return []Handle{
		{Name: "reader", Label: "Reader", Max: 2, At: s[reader], Choices: []string{"Rhea, RR", "Boris, RBP",
			"Erin, ERR"}},
		{Name: "p", Label: "Boris's patience p", Min: 1, Max: 19, At: s[patience], Says: "p = " +
			brief(float64(s[patience])/20)},
		{Name: "rank", Label: "Read down to rank", Min: 1, Max: f.ranks(), At: s[ranksRead], Says: "rank " +
			itoa(s[ranksRead])},
	}
}

func (f *walk) ranks() int { return min(len(f.of[0].t.Lists[0]), len(f.of[1].t.Lists[0])) }

func (f *walk) Set(s State, m Move) State {
	s[map[string]int{"p": patience, "reader": reader, "rank": ranksRead}[m.Name]] = m.To
	return s
}

func (f *walk) measure(s State, who int) string {
	switch who {
	case 0:
		return "RR"
	case 1:
		return "RBP(p=" + brief(float64(s[patience])/20) + ",rel=1)"
	}
	return "ERR(max_rel=3)@" + itoa(f.ranks())
}

// gained returns what a reader has gained from a list down to the current rank.
func (f *walk) gained(s State, who, list int) float64 {
	t := f.of[list].t.Topic(0)
	t.Ranked = t.Ranked[:s[ranksRead]]
	return scoreOf(f.measure(s, who), t)
}

func (f *walk) Goals(s State) []Goal {
	prefers := func(v [2]float64) string {
		switch d := v[0] - v[1]; {
		case math.Abs(d) < 1e-9:
			return "neither"
		case d > 0:
			return "first list"
		}
		return "second list"
	}
	var out []Goal
	whole := State{s[patience], s[reader], f.ranks()}
	for who, name := range []string{"Rhea", "Boris", "Erin"} {
		v := [2]float64{f.gained(whole, who, 0), f.gained(whole, who, 1)}
		g := Goal{Label: name + " " + digits(v[0]) + " : " + digits(v[1]), Value: prefers(v)}
		switch who {
		case 1:
			g.Want = "second list"
		case 2:
			g.Want = "second list"
		}
		if g.Want != "" && g.Want != g.Value {
			g.Far = max(1e-6, v[0]-v[1])
		}
		out = append(out, g)
	}
	return out
}

func (f *walk) View(s State) View {
	name := f.measure(s, s[reader])
	v := View{First: "First list", Heads: []string{"adds", "second list", "adds"}}
	const w, h, left, right, low, top = 320, 176, 44, 314, 138, 14
	p := &Plot{W: w, H: h, Says: "What each rank of both lists adds for this reader"}
	var u [2]*measure.Unfolding
	most := 0.0
	for i := range u {
		u[i] = arithmeticOf(name, f.of[i].t.Topic(0))
		for _, part := range u[i].Parts {
			most = max(most, part.Share)
		}
	}
	for i := range f.ranks() {
		a, b := u[0].Parts[i], u[1].Parts[i]
		r := Row{Key: itoa(i), Rank: itoa(i + 1), Grade: formatGrade(a.Grade),
			Title: f.of[0].t.Docs[f.of[0].t.Lists[0][i]].Label,
			Cells: []string{formatTerm(a.Share), "grade " + formatGrade(b.Grade), formatTerm(b.Share)}}
		switch {
		case i+1 == s[ranksRead]:
			r.Class = "lit"
		case i >= s[ranksRead]:
			r.Class = "under"
		}
		v.Rows = append(v.Rows, r)
		step := float64(right-left) / float64(f.ranks())
		x, half := left+float64(step*float64(i)), math.Floor(step/2)
		for j, part := range []measure.Part{a, b} {
			tall := float64(part.Share / max(most, 1e-9) * (low - top))
			class := [2]string{"on", "off"}[j]
			if i >= s[ranksRead] {
				class = "todo"
			}
			p.rect(x+4+float64(j*(int(half)-3)), low-tall, half-5, tall, class)
		}
		p.text(scale(0.5, x, x+step), low+14, "middle", itoa(i+1))
	}
	p.axes(left, top, low, right, "0", digits(most))
	p.text((left+right)/2, h-4, "middle", "rank: first list, second list")
	v.Plot = p
	v.Sums = []string{name + " down to rank " + itoa(s[ranksRead]) + ": first list " +
		digits(f.gained(s, s[reader], 0)) +
		", second list " + digits(f.gained(s, s[reader], 1))}
	return v
}
