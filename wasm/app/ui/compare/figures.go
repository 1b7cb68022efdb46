package compare

import (
	"slices"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/present/chart/facts"
	"github.com/rankbox/rankbox/core/present/handout"
)

// Figures places the figures of the report that are unfolded. If Only names one, that is placed alone, unfolded or
// not. A Bare one stands beside what it is about and cannot be saved there.
type Figures struct {
	part
	Only string
	Bare bool

	report       *report.Report
	column, a, b int
	placed       map[string]*Placed
	figure       string            // in which a mark is read, "" for none
	sheet, spot  int               // which one of it
	about        *report.Report    // of known
	found        *message.Analysed // the same
	known        chart.Facts
}

// Placed is a drawing in the two widths of which the style sheet shows one. Drawing is nil where the report has not
// what it needs.
type Placed struct {
	*chart.Figure
	*chart.Drawing
	Sheets []Sheet
}

// Sheet is one width.
type Sheet struct {
	*chart.Sheet
	Class string
	spots []chart.Spot
}

// Shown is the moment that the component shows, with what is lit and what is read: these change while nothing else
// of the page does.
func (c *Figures) Shown() any {
	return [...]any{c.part.Shown(), c.Compare.View.Lit, c.figure, c.sheet, c.spot}
}

// Alone says whether the figure stands without the choice of others.
func (c *Figures) Alone() bool { return c.Only != "" }

// shows says whether a figure is placed here.
func (c *Figures) shows(name string) bool {
	if c.Only != "" {
		return name == c.Only
	}
	return c.Compare.View.Unfolded(name)
}

// ID is the id of the section.
func (c *Figures) ID() string {
	if c.Bare {
		return c.Only + "-figure"
	}
	return "figures"
}

// FigureID is the id of a figure.
func (c *Figures) FigureID(name string) string {
	if c.Bare {
		return "only-" + name
	}
	return "figure-" + name
}

// Labelled is the id of the section's title: a figure that is shown alone belongs to what it stands below.
func (c *Figures) Labelled() interface{} {
	if c.Alone() {
		return nil
	}
	return "figures-title"
}

// All are the figures that can be asked for.
func (c *Figures) All() []*chart.Figure { return chart.All() }

// Pressed says whether a figure is unfolded.
func (c *Figures) Pressed(name string) string {
	if c.Compare.View.Unfolded(name) {
		return "true"
	}
	return "false"
}

// Figures are those that are unfolded, each drawn once a report, measure and pair.
func (c *Figures) Figures() []*Placed {
	s := c.Compare
	if r := s.Runs.Report(); c.report != r || c.found != s.Analyses.Done || c.column != s.View.Column ||
		c.a != s.View.A || c.b != s.View.B {
		c.report, c.column, c.a, c.b = r, s.View.Column, s.View.A, s.View.B
		if c.found != s.Analyses.Done {
			c.found, c.about = s.Analyses.Done, nil
		}
		c.placed = map[string]*Placed{}
	}
	var out []*Placed
	for _, f := range chart.All() {
		if !c.shows(f.Name) {
			continue
		}
		p := c.placed[f.Name]
		if p == nil {
			p = &Placed{Figure: f, Drawing: f.Draw(c.input(f))}
			if d := p.Drawing; d != nil {
				wide := "chart wide"
				if d.Square {
					wide += " square"
				}
				p.Sheets = []Sheet{{d.Sheet(chart.Wide), wide, d.Spots(chart.Wide)},
					{d.Sheet(chart.Narrow), "chart narrow", d.Spots(chart.Narrow)}}
			}
			c.placed[f.Name] = p
		}
		out = append(out, p)
	}
	return out
}

// input is what a figure is drawn from: the report, or the same comparison by more measures if the figure needs those.
func (c *Figures) input(f *chart.Figure) *chart.Input {
	if c.about != c.report {
		c.about, c.known = c.report, facts.Of(c.report, nil)
		if c.found != nil {
			c.known.Patterns = facts.Patterns(c.found.Sections, len(c.report.Systems))
			facts.Timed(&c.known, c.report, c.found.Times)
		}
	}
	if d := c.Compare.Runs.Done; d != nil {
		c.known.Courses = d.Courses
	}
	in := &chart.Input{Report: c.report, Column: c.column, A: c.a, B: c.b, Facts: c.known}
	if c.found != nil && f.Name == chart.Waterfall && len(c.known.Steps) == 0 && c.found.Grown != nil {
		in.Report, in.Facts = c.found.Grown, facts.Of(c.found.Grown, nil)
	}
	if c.found != nil && f.Name == chart.Worths && c.known.Ablation == nil && c.found.Apart != nil {
		in.Report, in.Column, in.Facts = c.found.Apart, 0, facts.Of(c.found.Apart, nil)
	}
	if f.Measures != nil && c.found != nil && c.found.More != nil {
		if at := slices.Index(c.found.More.Measures, c.report.Measures[c.column]); at >= 0 {
			in.Report, in.Column = c.found.More, at
		}
	}
	return in
}

// reach is how far from a mark, in pixels of the sheet, the pointer may be.
const reach = 24

// Point reads the mark under the pointer, and lights its query.
func (c *Figures) Point(p *Placed, sheet int, event vugu.DOMEvent) {
	s := &p.Sheets[sheet]
	wide := event.PropFloat64("currentTarget", "clientWidth")
	if wide <= 0 {
		return
	}
	by := float64(s.W) / wide
	c.read(p, sheet, chart.Nearest(s.spots, event.PropFloat64("offsetX")*by, event.PropFloat64("offsetY")*by,
		reach*max(by, 1)))
}

// Leave reads nothing more.
func (c *Figures) Leave(p *Placed) {
	if c.figure == p.Figure.Name {
		c.read(p, 0, -1)
	}
}

// Step goes through the marks by keys.
func (c *Figures) Step(p *Placed, sheet int, event vugu.DOMEvent) {
	n, at := len(p.Sheets[sheet].spots), -1
	if c.figure == p.Figure.Name && c.sheet == sheet {
		at = c.spot
	}
	switch event.PropString("key") {
	case "ArrowRight", "ArrowDown":
		at = min(at+1, n-1)
	case "ArrowLeft", "ArrowUp":
		at = max(at-1, 0)
	case "Home":
		at = 0
	case "End":
		at = n - 1
	case "Escape":
		if at < 0 {
			return
		}
		at = -1
	default:
		return
	}
	event.PreventDefault()
	event.StopPropagation()
	if n > 0 {
		c.read(p, sheet, at)
	}
}

// read takes a mark of a sheet, -1 for none.
func (c *Figures) read(p *Placed, sheet, spot int) {
	name, query := p.Figure.Name, ""
	if spot < 0 {
		name, sheet, spot = "", 0, 0
	} else {
		query = p.Sheets[sheet].spots[spot].Query
	}
	if c.figure == name && c.sheet == sheet && c.spot == spot {
		return
	}
	c.figure, c.sheet, c.spot = name, sheet, spot
	c.Compare.View.Light(query)
}

// Reading says the mark that is read.
func (c *Figures) Reading(p *Placed) string {
	if c.figure != p.Figure.Name || c.sheet >= len(p.Sheets) || c.spot >= len(p.Sheets[c.sheet].spots) {
		return ""
	}
	return p.Sheets[c.sheet].spots[c.spot].Said
}

// Ring is what is drawn around the marks of the query that is lit, and around the one that is read.
func (c *Figures) Ring(p *Placed, sheet int) string {
	out := chart.Ring(p.Sheets[sheet].spots, c.Compare.View.Lit)
	if c.figure == p.Figure.Name && c.sheet == sheet && c.spot < len(p.Sheets[sheet].spots) {
		if s := p.Sheets[sheet].spots[c.spot]; s.Query == "" || s.Query != c.Compare.View.Lit {
			out += s.Ring()
		}
	}
	return out
}

// Wanting says what a figure needs that the report has not.
func (c *Figures) Wanting(p *Placed) string {
	if c.Compare.Analyses.Waiting() {
		return p.Figure.Title + " …"
	}
	return p.Figure.Title + " needs " + p.Needs + "."
}

// Formats are those in which a drawing is saved, beside PNG.
func (c *Figures) Formats() []chart.Format {
	var out []chart.Format
	for _, f := range chart.Formats() {
		if f.Label != "" {
			out = append(out, f)
		}
	}
	return out
}

// Save saves a drawing, as it goes onto paper.
func (c *Figures) Save(p *Placed, f chart.Format) {
	in := c.input(p.Figure)
	in.Style = f.Style
	text := f.Write(p.Figure.Draw(in), chart.Light)
	if f.Name == "svg" {
		text = string(handout.SVG(p.Figure, in, chart.Light)) // with what verify draws it from
	}
	c.Compare.Exports.SaveText("figure-"+p.Figure.Name+"."+f.End, f.Type, text)
}

// SavePNG saves it as an image of twice its size in pixels.
func (c *Figures) SavePNG(p *Placed) {
	s := p.Sheets[0]
	c.Compare.Exports.SavePicture("figure-"+p.Figure.Name+".png", p.SVG(chart.Light), s.W, s.H)
}
