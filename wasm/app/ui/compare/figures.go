package compare

import (
	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/chart/facts"
	"github.com/rankbox/rankbox/core/report"
)

// headFigure is the figure that stands under the headline.
const headFigure = "intervals"

// Figures places the figures of the report that are unfolded: that of the headline where Head is set, otherwise the others.
type Figures struct {
	part
	Head bool

	report       *report.Report
	column, a, b int
	placed       map[string]*Placed
	about        *report.Report // of known
	known        chart.Facts
}

// Placed is a drawing in the two widths of which the style sheet shows one. Drawing is nil where the report has not what it needs.
type Placed struct {
	*chart.Figure
	*chart.Drawing
	Sheets []Sheet
}

// Sheet is one width.
type Sheet struct {
	*chart.Sheet
	Class string
}

// ID is the id of the section.
func (c *Figures) ID() string {
	if c.Head {
		return "head-figure"
	}
	return "figures"
}

// Labelled is the id of its title: the figure under the headline belongs to that.
func (c *Figures) Labelled() string {
	if c.Head {
		return "note"
	}
	return "figures-title"
}

// All are the figures that can be asked for.
func (c *Figures) All() []*chart.Figure { return chart.All() }

// Pressed says whether a figure is unfolded.
func (c *Figures) Pressed(name string) string {
	if c.Compare.Unfolded(name) {
		return "true"
	}
	return "false"
}

// Figures are those that are unfolded, each drawn once a report, measure and pair.
func (c *Figures) Figures() []*Placed {
	s := c.Compare
	if r := s.Report(); c.report != r || c.column != s.Column || c.a != s.A || c.b != s.B {
		c.report, c.column, c.a, c.b = r, s.Column, s.A, s.B
		c.placed = map[string]*Placed{}
	}
	var out []*Placed
	for _, f := range chart.All() {
		if !c.Compare.Unfolded(f.Name) || (f.Name == headFigure) != c.Head {
			continue
		}
		p := c.placed[f.Name]
		if p == nil {
			p = &Placed{Figure: f, Drawing: f.Draw(c.input())}
			if d := p.Drawing; d != nil {
				p.Sheets = []Sheet{{d.Sheet(chart.Wide), "chart wide"}, {d.Sheet(chart.Narrow), "chart narrow"}}
				if d.Square {
					p.Sheets = []Sheet{{d.Sheet(chart.Wide), "chart wide square"}, {d.Sheet(chart.Narrow), "chart narrow"}}
				}
			}
			c.placed[f.Name] = p
		}
		out = append(out, p)
	}
	return out
}

func (c *Figures) input() *chart.Input {
	if c.about != c.report {
		c.about, c.known = c.report, facts.Of(c.report, nil)
	}
	return &chart.Input{Report: c.report, Column: c.column, A: c.a, B: c.b, Facts: c.known}
}

// Wanting says what a figure needs that the report has not.
func (c *Figures) Wanting(p *Placed) string { return p.Figure.Title + " needs " + p.Needs + "." }

// Lacks are the measures that a figure could be drawn from.
func (c *Figures) Lacks(p *Placed) []string {
	if p.Measures == nil {
		return nil
	}
	return p.Measures(c.report.Measures[c.column])
}

// Add measures by them too.
func (c *Figures) Add(p *Placed) { c.Compare.AddMeasures(c.Lacks(p)) }

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
	c.Compare.SaveText("figure-"+p.Figure.Name+"."+f.End, f.Type, f.Write(p.Drawing, chart.Light))
}

// SavePNG saves it as an image of twice its size in pixels.
func (c *Figures) SavePNG(p *Placed) {
	s := p.Sheets[0]
	c.Compare.SavePicture("figure-"+p.Figure.Name+".png", p.SVG(chart.Light), s.W, s.H)
}
