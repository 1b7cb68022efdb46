package figure

import "strings"

// area shows average precision as an area that fills while documents move.
var area = Kind{Name: "area", Minutes: 2.5, New: func(d Data) (Figure, error) {
	if err := d.need(1, 2); err != nil {
		return nil, err
	}
	return &filled{list{d.Tables[0]}, d.Targets[0], int(d.Targets[1])}, nil
}}

type filled struct {
	list
	want float64
	most int // maximum number of steps
}

func (f *filled) Asks() string {
	return "Raise AP to at least " + brief(f.want) + " in at most " + itoa(f.most) +
		" steps. A step moves an article by one rank, or retrieves a missed one."
}

func (f *filled) Start() State              { return f.start() }
func (f *filled) Handles(s State) []Handle  { return f.handles(s) }
func (f *filled) Set(s State, m Move) State { return f.set(s, m) }

func (f *filled) Goals(s State) []Goal {
	return []Goal{atLeast("AP", scoreOf("AP", f.table(s).Topic(0)), f.want), atMost("steps", s[0], f.most)}
}

func (f *filled) View(s State) View {
	t := f.table(s).Topic(0)
	u := arithmeticOf("AP", t)
	v := View{Heads: []string{"precision here"}, Rows: f.rows(s)}
	for i := range v.Rows {
		cell := ""
		if i < len(u.Parts) {
			cell = u.Parts[i].Work
		} else {
			cell = "0"
		}
		v.Rows[i].Cells = []string{cell}
	}
	const w, h, left, right, low = 320, 176, 26, 312, 150
	p := &Plot{W: w, H: h, Says: "Average precision as an area of " + digits(u.Value) +
		": a step for each relevant article, as high as the precision at its rank"}
	wide := (right - left) / max(1, u.Divisor)
	x := float64(left)
	var works []string
	for _, part := range u.Parts {
		if part.Term == 0 {
			continue
		}
		works = append(works, part.Work)
		p.rect(x, scale(part.Term, low, 8), wide, low-scale(part.Term, low, 8), "on")
		p.text(scale(0.5, x, x+wide), scale(part.Term, low, 8)+14, "middle", digits(part.Term))
		x += wide
	}
	for ; x < right-1; x += wide {
		p.rect(x, low-2, wide, 2, "off")
		p.text(scale(0.5, x, x+wide), low-8, "middle", "0")
	}
	p.axes(left, 8, low, right, "0", "1")
	p.text((left+right)/2, h-8, "middle", "recall: 1/"+brief(u.Divisor)+
		" for each relevant article")
	v.Plot = p
	sum, divisor := digits(u.Sum), brief(u.Divisor)
	v.Sums = []string{strings.Join(works, " + ") + " = " + sum, "relevant documents = " + divisor,
		sum + " / " + divisor +
			" = " + digits(u.Value)}
	return v
}
