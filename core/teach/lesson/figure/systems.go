package figure

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// systems shows a cutoff slider under pairs of systems, with the report's interval of their difference at each
// cutoff.
var systems = Kind{Name: "systems", Minutes: 1.5, New: func(d Data) (Figure, error) {
	if len(d.Rows) != 2 || len(d.Rows[0]) < 2 || len(d.Rows[1]) < 2 {
		return nil, errors.New("names of systems and of measures")
	}
	f := &trade{names: d.Rows[0], measures: d.Rows[1], values: d.Values}
	if f.valuesPerSystem()*len(f.measures) != len(f.values) {
		return nil, errors.New("values of systems at cutoffs")
	}
	return f, nil
}}

type trade struct {
	names, measures []string
	values          []float64 // by measure: the means, then difference, interval bounds and p of each pair
}

// valuesPerSystem returns the number of values of a measure.
func (f *trade) valuesPerSystem() int { return len(f.names) + 4*(len(f.names)-1) }

func (f *trade) mean(measure, system int) float64 {
	return f.values[measure*f.valuesPerSystem()+system]
}

// pair returns the test of a system against the first.
func (f *trade) pair(measure, b int) (diff, low, high, p float64) {
	v := f.values[measure*f.valuesPerSystem()+len(f.names)+4*(b-1):]
	return v[0], v[1], v[2], v[3]
}

func (f *trade) Asks() string {
	return "Find a pair and a cutoff whose interval excludes 0: there, and only there, a test separates the two."
}

func (f *trade) Start() State { return State{0, 1} }

func (f *trade) Handles(s State) []Handle {
	var pairs []string
	for _, n := range f.names[1:] {
		pairs = append(pairs, n+" − "+f.names[0])
	}
	return []Handle{
		{Name: "k", Label: "Cutoff", Max: len(f.measures) - 1, At: s[0], Says: f.measures[s[0]]},
		{Name: "pair", Label: "Difference", Min: 1, Max: len(pairs), At: s[1], Choices: pairs},
	}
}

func (f *trade) Set(s State, m Move) State {
	s[map[string]int{"k": 0, "pair": 1}[m.Name]] = m.To
	return s
}

func (f *trade) Goals(s State) []Goal {
	_, low, high, _ := f.pair(s[0], s[1])
	return []Goal{
		{Label: f.names[0], Value: digits(f.mean(s[0], 0))},
		{Label: f.names[s[1]], Value: digits(f.mean(s[0], s[1]))},
		{Label: "95 % interval of the difference", Value: signed(low) + " to " + signed(high), Want: "without 0",
			Far: max(0, min(-low, high))},
	}
}

func (f *trade) View(s State) View {
	const w, h, left, right, zero = 320, 206, 44, 312, 94
	most := 0.0
	for i := range f.measures {
		for b := 1; b < len(f.names); b++ {
			_, low, high, _ := f.pair(i, b)
			most = max(most, high, -low)
		}
	}
	y := func(v float64) float64 { return zero - float64(v/most*84) }
	diff, low, high, chance := f.pair(s[0], s[1])
	p := &Plot{W: w, H: h, Says: "Mean difference and its 95 % interval at each cutoff; at " + f.measures[s[0]] +
		" from " +
		signed(low) + " to " + signed(high)}
	step := float64(right-left) / float64(len(f.measures))
	for i := range f.measures {
		d, low, high, _ := f.pair(i, s[1])
		x := left + float64(step*(float64(i)+0.5))
		class, dot := "off", ""
		if i == s[0] {
			class, dot = "on", "now"
		}
		p.rect(x-5, y(high), 10, y(low)-y(high), class)
		p.dot(x, y(d), 3.5, dot)
		p.text(x, h-8, "middle", f.measures[i][strings.IndexByte(f.measures[i], '@')+1:])
	}
	p.line("M"+coord(left)+" 94H"+coord(right), "axes")
	p.text(left-4, 98, "end", "0")
	p.text(left-4, 16, "end", say.Page.Signed(most, 2))
	p.text(left-4, 180, "end", say.Page.Signed(-most, 2))
	p.text(left-14, h-8, "end", "k")
	return View{Plot: p, Sums: []string{f.measures[s[0]] + ": " + f.names[s[1]] + " − " + f.names[0] + " = " +
		signed(diff) +
		", " + say.Page.PIs(chance) + ", corrected for the number of pairs"}}
}

func signed(v float64) string { return say.Page.Signed(v, 3) }

// packSystems packs the lesson's data.
func packSystems(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Reports) != 1 || len(g.Reports[0].Systems) < 2 {
		return d, errors.New("it takes one comparison of two systems or more")
	}
	r := g.Reports[0]
	var names, measures []string
	for _, s := range r.Systems {
		names = append(names, s.Label)
	}
	for i, c := range r.Columns {
		tests, err := r.TestOn(i, nil)
		if err != nil {
			return d, err
		}
		measures = append(measures, c.Measure)
		d.Values = append(d.Values, c.Means...)
		for b := 1; b < len(names); b++ {
			p, ok := tests.Pair(0, b)
			if !ok {
				return d, errors.New("a pair was not tested")
			}
			d.Values = append(d.Values, p.Diff, p.Low, p.High, p.Adjusted)
		}
	}
	d.Rows = [][]string{names, measures}
	return d, nil
}
