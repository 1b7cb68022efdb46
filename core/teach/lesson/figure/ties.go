package figure

import (
	"math/rand/v2"
	"slices"

	"github.com/rankbox/rankbox/core/measure"
)

// ties shows a group of tied documents that is shuffled while the observed range of a measure grows.
var ties = Kind{Name: "ties", Minutes: 2, New: func(d Data) (Figure, error) {
	if err := d.need(1, 1); err != nil {
		return nil, err
	}
	return &tied{list{d.Tables[0]}, d.Targets[0]}, nil
}}

type tied struct {
	list
	want float64 // share of the possible range
}

// A state of tied holds the number of tied documents from the top, the number of shuffles, and then the orders seen
// so far, a number each. The last one is shown.
const tieHead = 2

// The numbered orders: as printed, by grade from either end, and the shuffles.
const (
	printed = -iota
	best
	worst
)

func (f *tied) Asks() string {
	return "All articles above the line have the same score. Let tools order them, until you have seen at least " +
		say100(f.want) + " of the range of AP that the ties allow, with at most six orders."
}

func (f *tied) Start() State { return State{len(f.t.Lists[0]), 0, printed} }

func (f *tied) Handles(s State) []Handle {
	return []Handle{
		{Name: "tied", Label: "Articles with the same score", Min: 2, Max: len(f.t.Lists[0]), At: s[0],
			Says: itoa(s[0])},
		{Name: "shuffle", Label: "Shuffle the tie", Press: true},
		{Name: "best", Label: "Relevant first", Press: true},
		{Name: "worst", Label: "Relevant last", Press: true},
	}
}

func (f *tied) Set(s State, m Move) State {
	switch m.Name {
	case "tied":
		return State{m.To, 0, printed}
	case "shuffle":
		s[1]++
		s = append(s, s[1])
	case "best":
		s = append(s, best)
	case "worst":
		s = append(s, worst)
	}
	if len(s) > tieHead+mostOrders { // drop the second oldest, to keep the state small
		s = slices.Delete(s, tieHead+1, tieHead+2)
	}
	return s
}

const mostOrders = 40

// order returns the list in the order with a number; only the first n, which are tied, move.
func (f *tied) order(n, number int) State {
	s := f.start()
	tie := s[1 : 1+n]
	g := func(d int) int32 { return f.t.Docs[d].Grade }
	switch {
	case number == best:
		slices.SortStableFunc(tie, func(a, b int) int { return int(g(b)) - int(g(a)) })
	case number == worst:
		slices.SortStableFunc(tie, func(a, b int) int { return int(g(a)) - int(g(b)) })
	case number > 0:
		rng := rand.New(rand.NewPCG(uint64(number), uint64(n)))
		rng.Shuffle(n, func(i, j int) { tie[i], tie[j] = tie[j], tie[i] })
	}
	return s
}

// seen returns the values of a measure in all orders of a state.
func (f *tied) seen(s State, notation string) (out []float64) {
	for _, number := range s[tieHead:] {
		out = append(out, scoreOf(notation, f.table(f.order(s[0], number)).Topic(0)))
	}
	return out
}

// allowed returns the range over all orders of ties.
func (f *tied) allowed(s State, notation string) measure.Range {
	t := f.table(f.order(s[0], printed)).Topic(0)
	for i := range t.Ranked {
		t.Scores = append(t.Scores, -float64(max(0, i-s[0]+1)))
	}
	m, err := measure.Parse(notation)
	if err != nil {
		return measure.Range{}
	}
	return m.TieRange(t)
}

func (f *tied) Goals(s State) []Goal {
	v, r := f.seen(s, "AP"), f.allowed(s, "AP")
	share := 0.0
	if r.High > r.Low {
		share = (slices.Max(v) - slices.Min(v)) / (r.High - r.Low)
	}
	return []Goal{
		{Label: "AP seen", Value: digits(slices.Min(v)) + " to " + digits(slices.Max(v))},
		{"of the possible range", say100(share), "at least " + say100(f.want), max(0, f.want-share)},
		atMost("orders seen", len(v), 6),
	}
}

func (f *tied) View(s State) View {
	now := f.order(s[0], s[len(s)-1])
	v := View{Rows: f.rows(now)[:len(now)-1], Cut: s[0]}
	const w, h, left, right = 320, 118, 34, 308
	p := &Plot{W: w, H: h, Says: "RR and AP of every order that was seen, inside of the range that the ties allow"}
	x := func(v float64) float64 { return scale(v, left, right) }
	for i, m := range []string{"RR", "AP"} {
		y := float64(24 + 42*i)
		r, seen := f.allowed(s, m), f.seen(s, m)
		p.rect(x(r.Low), y-9, x(r.High)-x(r.Low), 18, "off")
		p.rect(x(slices.Min(seen)), y-9, x(slices.Max(seen))-x(slices.Min(seen)), 18, "on")
		for j, a := range seen {
			class := ""
			if j == len(seen)-1 {
				class = "now"
			}
			p.dot(x(a), y, 4, class)
		}
		p.text(left-8, y+4, "end", m)
		v.Sums = append(v.Sums,
			m+" now "+digits(seen[len(seen)-1])+"; the ties allow "+digits(r.Low)+" to "+digits(r.High))
	}
	p.line("M"+coord(left)+" 92H"+coord(right), "axes")
	p.text(left, 108, "middle", "0")
	p.text(right, 108, "middle", "1")
	v.Plot = p
	return v
}
