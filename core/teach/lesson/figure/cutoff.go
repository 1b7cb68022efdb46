package figure

// cutoff shows a list with a movable cutoff, and precision and recall as counters.
var cutoff = Kind{Name: "cutoff", Minutes: 1.5, New: func(d Data) (Figure, error) {
	if err := d.need(1, 2); err != nil {
		return nil, err
	}
	return &cut{list{d.Tables[0]}, d.Targets}, nil
}}

type cut struct {
	list
	want []float64 // targets of precision and recall
}

func (f *cut) Asks() string {
	return "Find a cutoff with a precision of at least " + brief(f.want[0]) + " and a recall of at least " +
		brief(f.want[1]) + "."
}

func (f *cut) Start() State { return State{3} }

func (f *cut) Handles(s State) []Handle {
	return []Handle{{Name: "k", Label: "Cutoff k", Min: 1, Max: len(f.t.Lists[0]), At: s[0], Says: "k = " + itoa(s[0])}}
}

func (f *cut) Set(s State, m Move) State { return State{m.To} }

func (f *cut) at(measure string, k int) float64 { return scoreOf(measure+"@"+itoa(k), f.t.Topic(0)) }

func (f *cut) Goals(s State) []Goal {
	return []Goal{atLeast("precision, P@"+itoa(s[0]), f.at("P", s[0]), f.want[0]),
		atLeast("recall, R@"+itoa(s[0]), f.at("R", s[0]), f.want[1])}
}

func (f *cut) View(s State) View {
	v := View{Rows: f.rows(f.start())[:len(f.t.Lists[0])], Cut: s[0]}
	for i := range v.Rows {
		if i >= s[0] && v.Rows[i].Class == "" {
			v.Rows[i].Class = "under"
		}
	}
	const w, h = 320, 150
	n := len(f.t.Lists[0])
	x := func(k int) float64 { return scale(float64(k-1)/float64(n-1), 26, w-34) }
	y := func(v float64) float64 { return scale(v, h-24, 8) }
	p := &Plot{W: w, H: h, Says: "Precision and recall at every cutoff, with a line at k = " + itoa(s[0])}
	for i, m := range []string{"P", "R"} {
		var l path
		for k := 1; k <= n; k++ {
			l.to(x(k), y(f.at(m, k)))
		}
		p.line(l.d, "c"+itoa(i))
		p.line("M26 "+coord(y(f.want[i]))+"H"+coord(x(n)), "want c"+itoa(i))
		p.dot(x(s[0]), y(f.at(m, s[0])), 4, "c"+itoa(i))
		p.text(x(n)+6, y(f.at(m, n))+4, "start", m)
	}
	p.line("M"+coord(x(s[0]))+" 8V"+coord(y(0)), "now")
	p.axes(26, y(1), y(0), x(n), "0", "1")
	p.text(x(1), h-8, "middle", "1")
	p.text(x(n), h-8, "middle", "k = "+itoa(n))
	v.Plot = p
	v.Sums = []string{resultOf("P@"+itoa(s[0]), f.t.Topic(0)), resultOf("R@"+itoa(s[0]), f.t.Topic(0))}
	return v
}

// axes draws the two axes of a plot and labels the ends of the vertical one.
func (p *Plot) axes(left, top, bottom, right float64, low, high string) {
	p.line("M"+coord(left)+" "+coord(top)+"V"+coord(bottom)+"H"+coord(right), "axes")
	p.text(left-4, top+4, "end", high)
	p.text(left-4, bottom, "end", low)
}
