// Package chart draws the figures of a report: each is its marks, a table of the same and one sentence with what it
// shows, all made by the same code. The figures are small programs over data ([Figure], one a file, one registry:
// [All]); they say where bars, lines and points are in the units of the measure. What a place needs is made from that
// here, and is the same for every figure:
//
//	report → Figure.Draw → Drawing → Sheet (marks in pixels, for the page) → SVG
//	                               → Text (terminal), CSV, TSV, Vega (Vega-Lite with its data), LaTeX (pgfplots)
//
// It is not a library for any chart: there is no interaction, no animation and no style sheet here. Colours are roles;
// the palette has one source ([Palette]), which the page's custom properties are tested against.
package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Input is what figures are drawn from.
type Input struct {
	Report *report.Report
	Column int // the measure that is looked at
	A, B   int // the systems that are held against each other; equal where there is no pair
	Facts  Facts
	Style  say.Style // of what is said: that of the Format in which it is written
}

// NewInput holds the best system against the baseline by the first measure, for figures of a format. If the baseline
// is the best, the second best is held against it.
func NewInput(r *report.Report, about Facts, to Format) *Input {
	in := &Input{Report: r, A: r.Baseline, B: r.Baseline, Facts: about, Style: to.Style}
	for _, s := range r.Ranking() {
		if s != r.Baseline {
			in.B = s
			break
		}
	}
	return in
}

// lower says whether a smaller value of a column is better.
func (in *Input) lower(column int) bool { return in.Report.Columns[column].Lower }

// column is the measure that is looked at.
func (in *Input) column() *report.Column { return &in.Report.Columns[in.Column] }

// fits says whether column and pair are of the report.
func (in *Input) fits() bool {
	r := in.Report
	return r != nil && in.Column >= 0 && in.Column < len(r.Columns) && len(r.Systems) > 0 &&
		in.A >= 0 && in.A < len(r.Systems) && in.B >= 0 && in.B < len(r.Systems)
}

// Figure is one figure of the registry.
type Figure struct {
	Name  string // of its address and its files: "differences"
	Title string
	Doc   string // what it shows and how it is read
	Needs string // of the report, for who does not see it; "" for nothing
	// Measures are those that it is drawn from beside the one that is looked at: what a caller that can measure adds.
	// nil for none.
	Measures func(measure string) []string
	draw     func(*Input) *Drawing
}

// Draw returns the drawing, nil where the report has not what the figure needs.
func (f *Figure) Draw(in *Input) *Drawing {
	if !in.fits() {
		return nil
	}
	if on := in.Report.On(in.Column); on != in.Report {
		part := *in
		part.Report, in = on, &part
	}
	d := f.draw(in)
	if d != nil {
		d.Name, d.Title = f.Name, f.Title
		d.X.style, d.Y.style = in.Style, in.Style
		d.letter(in.Report)
	}
	return d
}

// letter gives the systems of a drawing the letters and the colours of the report.
func (d *Drawing) letter(r *report.Report) {
	for i := range d.Layers {
		if l := &d.Layers[i]; l.system > 0 {
			l.Role, l.Shape = lookOf(r.Place(l.system - 1))
		}
	}
	for _, a := range []*Axis{&d.X, &d.Y} {
		for i := range a.Bands {
			if b := &a.Bands[i]; b.System >= 0 {
				b.System = r.Place(b.System)
			}
		}
	}
}

// Drawing is a figure of one report. Places are in the units of the axes.
type Drawing struct {
	Name, Title string
	Sentence    string     // what it shows
	Head        []string   // the table beside it, as it is read
	Rows        [][]string // as long as Head
	Data        [][]string // every number of it under a heading, as it is saved
	X, Y        Axis
	Layers      []Layer
	Height      float64 // of the plot in pixels, where Y has numbers; 0 for the usual one
	Legend      bool    // points are named above the plot: their rows are of something else than systems
	Square      bool    // X and Y are of the same unit and drawn alike
}

// Axis is one of the two sides of a drawing.
type Axis struct {
	Title     string
	Low, High float64 // its ends
	From, To  float64 // where ticks are wanted, when not from end to end
	// Rows of names instead of numbers: band i lies at i, its edges at i ± ½, the first at the top (Y only)
	Bands   []Band
	Log     bool // Low must be above 0
	Signed  bool // numbers have their sign
	Bare    bool // no ticks
	Columns int  // of cells, 0 where there are none
	Whole   bool // ticks at whole numbers only
	style   say.Style
}

// Band is a row of a drawing.
type Band struct {
	Name   string
	System int // whose letter stands before the name, an index that Draw makes its place in the alphabet; -1 for none
}

// Layer is marks of one kind and colour, painted over the layers before it.
type Layer struct {
	Kind    Kind
	Role    Role
	Shape   int     // of points; what tells systems of the same colour apart
	Label   string  // of a line, at its right end: the letter of a system
	Name    string  // what follows the letter where there is room
	Size    float64 // of points, as a multiple of the usual one; 0 for that
	Queries bool    // Text of its marks is the id of a query
	Marks   []Mark
	system  int // index of the system whose look it has, from 1; 0 for none
}

// Mark is where something is drawn.
type Mark struct {
	X, Y   float64
	X2, Y2 float64 // the other corner of a bar, the other end of a rule
	Text   string  // of Words; what a point stands for elsewhere, for a reader of the data
	Said   string  // its value as it is said, where that is not its place
}

// Kind is what marks are.
type Kind int

// The kinds.
const (
	Bars   Kind = iota // rectangles between two corners
	Lines              // one line through all marks
	Points             // in the shape of the role
	Dots               // small round points, many
	Rules              // straight lines between two places
	Spans              // as Rules, with ends
	Thick              // as Rules, thick
	Words              // text right of a place
	Inside             // text in the middle between X and X2, where there is room for it
	Frame              // as Lines, thin and grey: what the others are read against
)

// of returns a layer of a system.
func of(system int, kind Kind, marks ...Mark) Layer {
	l := like(system, kind, marks...)
	l.system = system + 1
	return l
}

// like returns a layer that looks as that of a place in the alphabet does, and is none of a system.
func like(place int, kind Kind, marks ...Mark) Layer {
	role, shape := lookOf(place)
	return Layer{Kind: kind, Role: role, Shape: shape, Marks: marks}
}

// lookOf is the colour and the shape of a place in the alphabet.
func lookOf(place int) (Role, int) { return RoleOf(place), place + place/roles }
