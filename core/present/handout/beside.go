package handout

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Beside is what a document is made of beside rankings or values, and which figure a drawing is. A document carries it,
// so that it can be made again and compared.
type Beside struct {
	Facts      chart.Facts
	Paragraphs []string

	Figure       string // of a drawing: its name, the measure, the pair and the theme
	Column, A, B int
	Theme        int
}

// Wire walks it.
func (x *Beside) Wire(c *wire.Codec) {
	f := &x.Facts
	wire.List(c, &f.Times, c.Floats)
	c.String(&f.Protocol)
	wire.List(c, &f.Costs, func(k *chart.Cost) { c.Fields(&k.Name, &k.Bytes, &k.Values) })
	c.Ints(&f.Stages)
	optional(c, &f.Sweep, func(s *chart.Sweep) {
		c.Fields(&s.X.Name, &s.X.Values, &s.Y.Name, &s.Y.Values)
		wire.List(c, &s.System, c.Ints)
	})
	wire.List(c, &f.Steps, func(g *chart.Growth) { c.Fields(&g.System, &g.Stage) })
	optional(c, &f.Ablation, func(a *chart.Ablation) {
		c.Fields(&a.Pipeline, &a.Measure)
		wire.List(c, &a.Stages, func(w *chart.Worth) {
			c.Fields(&w.Stage, &w.Lost, &w.Low, &w.High, &w.Alone, &w.Shapley)
		})
	})
	wire.List(c, &f.Grades, func(g *chart.Graded) {
		c.Fields(&g.System)
		c.Grade(&g.Grade)
		c.Fields(&g.Judged, &g.N, &g.Low, &g.Lower, &g.Median, &g.Upper, &g.High)
	})
	wire.List(c, &f.Patterns, func(p *chart.Pattern) { c.Fields(&p.Name, &p.Queries) })
	wire.List(c, &f.Courses, func(k *chart.Course) { c.Fields(&k.Recall, &k.Tokens, &k.Queries) })
	c.Fields(&x.Paragraphs, &x.Figure, &x.Column, &x.A, &x.B, &x.Theme)
}

// optional walks what may be nil.
func optional[T any](c *wire.Codec, v **T, walk func(*T)) {
	there := *v != nil
	if c.Bool(&there); !there {
		return
	}
	if c.Reading() {
		*v = new(T)
	}
	walk(*v)
}

func (x *Beside) text() string { return base64.StdEncoding.EncodeToString(wire.Marshal(x)) }

// readBeside reads text.
func readBeside(text string) (*Beside, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, ErrNoData
	}
	x := &Beside{}
	if _, err := wire.UnmarshalWithin(b, x, mostBeside); err != nil {
		return nil, ErrNoData
	}
	return x, nil
}

// mostBeside bounds what reading a Beside takes, in bytes of memory.
const mostBeside = 64 << 20

// Fits reports whether every system that it names is among n, so that figures may be drawn of it.
func (x *Beside) Fits(n int) bool {
	f := &x.Facts
	of := func(lengths ...int) bool { // of lists with an entry a system, which may be missing
		return !slices.ContainsFunc(lengths, func(l int) bool { return l != 0 && l != n })
	}
	in := func(s int) bool { return s >= 0 && s < n }
	ok := of(len(f.Times), len(f.Stages), len(f.Courses)) && x.Theme >= 0 && x.Theme < len(chart.Themes())
	if w := f.Sweep; w != nil {
		ok = ok && len(w.System) == max(1, len(w.Y.Values))
		for _, row := range w.System {
			ok = ok && len(row) == len(w.X.Values) &&
				!slices.ContainsFunc(row, func(s int) bool { return s != -1 && !in(s) })
		}
	}
	for _, g := range f.Steps {
		ok = ok && in(g.System)
	}
	for _, g := range f.Grades {
		ok = ok && in(g.System)
	}
	for _, k := range f.Courses {
		ok = ok && (len(k.Tokens) == 0 || len(k.Tokens) == len(k.Recall)) &&
			len(k.Queries) == len(k.Recall)
	}
	return ok
}

const (
	metaOpen  = "<metadata>rankbox "
	metaClose = "</metadata>"
)

// SVG draws a figure of a report as a file that carries what it is drawn from; nil if the report has not what the
// figure needs.
func SVG(f *chart.Figure, in *chart.Input, t chart.Theme) []byte {
	d := f.Draw(in)
	if d == nil {
		return nil
	}
	drawn := d.SVG(t)
	x := &Beside{Facts: used(f, in, t, drawn), Figure: f.Name, Column: in.Column, A: in.A, B: in.B, Theme: int(t)}
	s := strings.TrimSuffix(drawn, "</svg>\n")
	return []byte(s + metaOpen + packed.Carry(in.Report) + " " + x.text() + metaClose + "</svg>\n")
}

// used returns the facts without which the figure would be drawn differently: a file then holds the same whatever else
// the page or the terminal happened to know.
func used(f *chart.Figure, in *chart.Input, t chart.Theme, drawn string) chart.Facts {
	without := *in
	for _, clear := range []func(f *chart.Facts){
		func(f *chart.Facts) { f.Times = nil }, func(f *chart.Facts) { f.Protocol = "" },
		func(f *chart.Facts) { f.Costs = nil }, func(f *chart.Facts) { f.Stages = nil },
		func(f *chart.Facts) { f.Sweep = nil }, func(f *chart.Facts) { f.Steps = nil },
		func(f *chart.Facts) { f.Ablation = nil }, func(f *chart.Facts) { f.Grades = nil },
		func(f *chart.Facts) { f.Patterns = nil }, func(f *chart.Facts) { f.Courses = nil },
	} {
		kept := without.Facts
		clear(&without.Facts)
		if d := f.Draw(&without); d == nil || d.SVG(t) != drawn {
			without.Facts = kept
		}
	}
	return without.Facts
}

// ReadSVG returns what SVG drew a file from: the report as it was, and how it is drawn of r, which is that report
// computed again.
func ReadSVG(file []byte) (stored *report.Report, draw func(r *report.Report) []byte, err error) {
	_, s, there := strings.Cut(string(file), metaOpen)
	s, _, closed := strings.Cut(s, metaClose)
	data, beside, two := strings.Cut(s, " ")
	if !there || !closed || !two {
		return nil, nil, ErrNoData
	}
	if stored, err = packed.Carried(data); err != nil {
		return nil, nil, err
	}
	x, err := readBeside(beside)
	if err != nil {
		return nil, nil, err
	}
	f, err := chart.Lookup(x.Figure)
	if err == nil && !x.Fits(len(stored.Systems)) {
		err = ErrNoData
	}
	if err != nil {
		return nil, nil, err
	}
	svg, err := chart.LookupFormat("svg")
	return stored, func(r *report.Report) []byte {
		return SVG(f, &chart.Input{Report: r, Column: x.Column, A: x.A, B: x.B, Facts: x.Facts, Style: svg.Style},
			chart.Theme(x.Theme))
	}, err
}
