package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Spot is a mark as a pointer finds it.
type Spot struct {
	X, Y  float64 // in pixels of the sheet
	Said  string  // what it is and its numbers
	Query string  // the query that it stands for, "" for none
}

// Spots returns the marks of the sheet of a width that stand for something, those of a layer together, in the order in
// which they are painted.
func (d *Drawing) Spots(width int) []Spot {
	f := d.frame(width)
	var out []Spot
	for i := range d.Layers {
		l := &d.Layers[i]
		for _, m := range l.Marks {
			s := Spot{Said: m.Said}
			if l.Queries {
				s.Query = m.Text
			}
			x, y := m.X, m.Y
			numbers := ""
			switch l.Kind {
			case Bars:
				switch {
				case d.Y.Bands == nil:
					x, y = (m.X+m.X2)/2, m.Y2
					numbers = d.Y.number(y)
				case m.Said != "":
					x, y = (m.X+m.X2)/2, (m.Y+m.Y2)/2
				default:
					x, y = m.X2, (m.Y+m.Y2)/2
					numbers = d.X.number(x)
				}
			case Points, Dots:
				numbers = d.X.number(x)
				if d.Y.Bands == nil {
					numbers = "(" + numbers + ", " + d.Y.number(y) + ")"
				}
			case Spans, Thick:
				if m.Y != m.Y2 {
					continue
				}
				x = (m.X + m.X2) / 2
				numbers = d.X.number(m.X) + " to " + d.X.number(m.X2)
			default:
				continue
			}
			s.X, s.Y = f.x.At(x), f.y.At(y)
			who := strings.TrimSpace(say.Visible(l.Label) + " " + say.Brief(l.Name, 40))
			if at := int(y + 0.5); d.Y.Bands != nil && at >= 0 && at < len(d.Y.Bands) {
				band := say.Brief(d.Y.Bands[at].label(), 60)
				switch {
				case who == "":
					who = band
				case d.Y.Bands[at].System >= 0:
					who = band + ", " + say.Brief(l.Name, 40)
				default:
					who = band + ", " + who
				}
			}
			if s.Query != "" {
				who = "query " + say.Brief(s.Query, 60) + ", " + who
			}
			if s.Said == "" {
				s.Said = numbers
			}
			if who != "" {
				s.Said = who + ": " + s.Said
			}
			out = append(out, s)
		}
	}
	return out
}

// number says a place on the axis.
func (a *Axis) number(v float64) string {
	switch {
	case a.Bare && a.Bands == nil && a.Title == "":
		return ""
	case a.Whole:
		return say.Exact(v)
	case a.Signed:
		return a.style.Signed(v, 3)
	}
	return a.style.Number(v, 3)
}

// Nearest returns the spot nearest to a place, -1 where none is within reach.
func Nearest(spots []Spot, x, y, reach float64) int {
	best, least := -1, reach*reach
	for i, s := range spots {
		dx, dy := s.X-x, s.Y-y
		if d := float64(dx*dx) + float64(dy*dy); d < least {
			best, least = i, d
		}
	}
	return best
}

// Ring is the outline around the spots of a query, "" where there is none.
func Ring(spots []Spot, query string) string {
	out := ""
	if query == "" {
		return out
	}
	for _, s := range spots {
		if s.Query == query {
			out += s.Ring()
		}
	}
	return out
}

// Ring is the outline around a spot.
func (s *Spot) Ring() string { return point(0, s.X, s.Y, 1.8) }
