package figure

import "github.com/rankbox/rankbox/core/measure"

// gains shows nDCG as bars of gain under a discount curve, with the ideal beside it. The gain bends from linear to
// exponential, the discount from that of today's tools to that of the original paper, from rank 2 to 5.
var gains = Kind{Name: "gains", Minutes: 2.5, New: func(d Data) (Figure, error) {
	if err := d.need(1, 1); err != nil {
		return nil, err
	}
	return &gain{list{d.Tables[0]}, d.Targets[0]}, nil
}}

type gain struct {
	list
	want float64
}

// gainCut is the cutoff of the measure.
const gainCut = 5

func (f *gain) Asks() string {
	return "Bring nDCG@" + itoa(gainCut) + " to at least " + brief(f.want) +
		". Sorting the list is not enough: the ideal has articles that it misses."
}

// Indices in a state; the list follows them.
const (
	gainBent = iota
	discountBent
	gainList
)

func (f *gain) Start() State { return append(State{0, 0}, f.start()...) }

func (f *gain) Handles(s State) []Handle {
	discount := "log2(rank + 1)"
	if b := s[discountBent]; b > 0 {
		discount = "log" + itoa(1+b) + "(rank), from rank " + itoa(1+b) + " on"
	}
	return append([]Handle{
		{Name: "bend", Label: "Worth of grade 3", Max: 4, At: s[gainBent],
			Says: itoa(3+s[gainBent]) + map[int]string{0: ": linear gain", 4: ": gain 2^grade − 1"}[s[gainBent]]},
		{Name: "discount", Label: "Discount", Max: 4, At: s[discountBent], Says: discount},
	}, f.handles(s[gainList:])...)
}

func (f *gain) Set(s State, m Move) State {
	switch m.Name {
	case "bend":
		s[gainBent] = m.To
		return s
	case "discount":
		s[discountBent] = m.To
		return s
	}
	return append(s[:gainList:gainList], f.set(s[gainList:], m)...)
}

// measure returns nDCG with the gains of a state, from 1, 2, 3 to 1, 3, 7, and its discount.
func (f *gain) measure(s State) string {
	return "nDCG(gains={1:1,2:" + brief(float64(8+s[gainBent])/4) + ",3:" + itoa(3+s[gainBent]) + "}" + f.base(s) +
		")@" + itoa(gainCut)
}

// base returns the discount parameter of a state.
func (f *gain) base(s State) string {
	if s[discountBent] == 0 {
		return ""
	}
	return ",base=" + itoa(1+s[discountBent])
}

func (f *gain) Goals(s State) []Goal {
	v := scoreOf(f.measure(s), f.table(s[gainList:]).Topic(0))
	return []Goal{atLeast("nDCG@"+itoa(gainCut), v, f.want), {Label: "steps", Value: itoa(s[gainList])}}
}

func (f *gain) View(s State) View {
	t := f.table(s[gainList:]).Topic(0)
	u := arithmeticOf(f.measure(s), t)
	v := View{Heads: []string{"gain / discount"}, Rows: f.rows(s[gainList:]), Cut: gainCut}
	for i := range v.Rows {
		cell := ""
		if i < len(u.Parts) && u.Parts[i].Term != 0 {
			cell = u.Parts[i].Work + " = " + digits(u.Parts[i].Term)
		}
		if i >= gainCut && v.Rows[i].Class == "" {
			v.Rows[i].Class = "under"
		}
		v.Rows[i].Cells = []string{cell}
	}
	const w, h, left, right, low, top = 320, 190, 30, 314, 152, 10
	most := float64(3 + s[gainBent])
	y := func(v float64) float64 { return scale(v/most, low, top) }
	p := &Plot{W: w, H: h, Says: "Discounted gain of the first " + itoa(gainCut) +
		" ranks beside that of the ideal order"}
	step := float64(right-left) / gainCut
	ones := arithmeticOf("DCG(gains={3:"+itoa(3+s[gainBent])+"}"+f.base(s)+")@"+itoa(gainCut), onesTopic(gainCut))
	var curve path
	for i := range gainCut {
		x := left + float64(step*float64(i))
		if i < len(u.Ideal) {
			p.rect(x+step/2, y(u.Ideal[i].Term), step/2-8, low-y(u.Ideal[i].Term), "off")
		}
		if i < len(u.Parts) {
			p.rect(x+6, y(u.Parts[i].Term), step/2-8, low-y(u.Parts[i].Term), "on")
		}
		if i < len(ones.Parts) {
			curve.to(x+step/2, y(ones.Parts[i].Term))
		}
		p.text(x+step/2, low+14, "middle", itoa(i+1))
	}
	p.line(curve.d, "second")
	p.axes(left, top, low, right, "0", brief(most))
	p.text((left+right)/2, h-6, "middle", "rank: list and ideal; the line is a grade 3 there")
	v.Plot = p
	v.Sums = []string{"DCG = " + digits(u.Sum), "ideal DCG = " + digits(u.Divisor), "nDCG@" + itoa(gainCut) + " = " +
		digits(u.Sum) + " / " + digits(u.Divisor) + " = " + digits(u.Value)}
	return v
}

// onesTopic is a list with the highest grade at every rank.
func onesTopic(n int) *measure.Topic {
	t := &measure.Topic{}
	for range n {
		t.Ranked = append(t.Ranked, MaxGrade)
	}
	t.Judged = t.Ranked
	return t
}
