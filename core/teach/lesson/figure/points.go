package figure

import "strconv"

// points draws the precision-recall curve point by point, with interpolation as a second line, and the average of
// two queries.
var points = Kind{Name: "points", Minutes: 2, New: func(d Data) (Figure, error) {
	if err := d.need(2, 1); err != nil {
		return nil, err
	}
	return &curve{[2]list{{d.Tables[0]}, {d.Tables[1]}}, d.Targets[0]}, nil
}}

type curve struct {
	of   [2]list
	want float64
}

// Indices in a state of curve.
const (
	drawn  = iota // ranks
	second        // 1 if the interpolated line is drawn
	whose         // query 0, query 1, or their average
)

func (f *curve) Asks() string {
	return "Draw the curve rank by rank, then switch interpolation on. " +
		"Find a rank where it credits the list with at least " +
		brief(f.want) + " more than the precision there."
}

func (f *curve) Start() State { return State{1, 0, 0} }

func (f *curve) Handles(s State) []Handle {
	return []Handle{
		{Name: "rank", Label: "Ranks drawn", Min: 1, Max: f.ranks(), At: s[drawn], Says: "rank " + itoa(s[drawn])},
		{Name: "stroke", Label: "Interpolation", Max: 1, At: s[second], Choices: []string{"off", "on"}},
		{Name: "query", Label: "Query", Max: 2, At: s[whose], Choices: []string{"first", "second", "average"}},
	}
}

func (f *curve) ranks() int { return min(len(f.of[0].t.Lists[0]), len(f.of[1].t.Lists[0])) }

func (f *curve) Set(s State, m Move) State {
	s[map[string]int{"rank": drawn, "stroke": second, "query": whose}[m.Name]] = m.To
	return s
}

// point returns recall and precision of a query at a rank.
func (f *curve) point(q, rank int) (recall, precision float64) {
	t := f.of[q].t.Topic(0)
	return scoreOf("R@"+itoa(rank), t), scoreOf("P@"+itoa(rank), t)
}

// credit returns the interpolated precision of a query at a recall level, in hundredths.
func (f *curve) credit(q, level int) float64 {
	return scoreOf("IPrec@"+strconv.FormatFloat(float64(level)/100, 'f', 2, 64), f.of[q].t.Topic(0))
}

// interpolationAt returns the values of both lines at the last drawn rank. Interpolation takes the best of the
// later points.
func (f *curve) interpolationAt(s State) (precision, credit float64) {
	q := min(s[whose], 1)
	_, precision = f.point(q, s[drawn])
	credit = precision
	for k := s[drawn] + 1; k <= len(f.of[q].t.Lists[0]); k++ {
		_, p := f.point(q, k)
		credit = max(credit, p)
	}
	return precision, credit
}

func (f *curve) Goals(s State) []Goal {
	if s[whose] == 2 {
		return []Goal{{Label: "precision that neither query has", Value: "the average of two curves",
			Want: "one query", Far: 1}}
	}
	p, c := f.interpolationAt(s)
	out := []Goal{{Label: "precision at rank " + itoa(s[drawn]), Value: digits(p)}}
	if s[second] == 0 {
		return append(out, Goal{Label: "interpolation", Value: "off", Want: "on", Far: 1})
	}
	return append(out, Goal{Label: "interpolated", Value: digits(c)}, atLeast("credited beyond precision", c-p, f.want))
}

func (f *curve) View(s State) View {
	const w, h, left, right, top, low = 320, 216, 28, 304, 8, 184
	x := func(r float64) float64 { return scale(r, left, right) }
	y := func(p float64) float64 { return scale(p, low, top) }
	p := &Plot{W: w, H: h, Says: "Precision over recall, drawn to rank " + itoa(s[drawn])}
	p.axes(left, top, low, right, "0", "1")
	p.text((left+right)/2, h-4, "middle", "recall")
	p.text(right, h-18, "middle", "1")
	v := View{Plot: p}
	shown := []int{min(s[whose], 1)}
	if s[whose] == 2 {
		shown = []int{0, 1}
	}
	for _, q := range shown {
		var l path
		for k := 1; k <= s[drawn]; k++ {
			r, pr := f.point(q, k)
			l.to(x(r), y(pr))
			if len(shown) == 1 {
				p.dot(x(r), y(pr), 4, map[bool]string{true: "now"}[k == s[drawn]])
			}
		}
		p.line(l.d, "c"+itoa(q))
	}
	if s[second] == 1 {
		var l path
		for level := 0; level <= 100; level++ {
			c := f.credit(shown[0], level)
			if len(shown) == 2 {
				c = (c + f.credit(1, level)) / 2
			}
			l.to(x(float64(level)/100), y(c))
		}
		p.line(l.d, "second")
	}
	if s[whose] == 2 {
		v.Sums = []string{"At recall 0.2 the queries have " + digits(f.credit(0, 20)) + " and " + digits(f.credit(1,
			20)) +
			"; their average is " + digits((f.credit(0, 20)+f.credit(1, 20))/2) + "."}
		return v
	}
	t := f.of[shown[0]].t
	row := t.Lists[0][s[drawn]-1]
	v.Sums = []string{"Rank " + itoa(s[drawn]) + ", grade " + formatGrade(t.Docs[row].Grade) + ": " + t.Docs[row].Label,
		resultOf("P@"+itoa(s[drawn]), t.Topic(0)), resultOf("R@"+itoa(s[drawn]), t.Topic(0))}
	return v
}
