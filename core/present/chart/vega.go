package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// vegaSchema is the version of the language.
const vegaSchema = "https://vega.github.io/schema/vega-lite/v6.json"

// Vega returns the drawing as a Vega-Lite specification with its data: a layer of marks each, rows of names as an axis
// of names. Nothing of other people's names is in an expression or a field's name.
func (d *Drawing) Vega() string {
	v := &vega{d: d, bands: d.rows()}
	v.WriteString(`{"$schema":` + quote(vegaSchema) + `,"title":` + quote(d.Title) + `,"description":` +
		quote(d.Sentence))
	height := d.Height
	if height == 0 {
		height = 220
	}
	width := 640.0
	if d.Square {
		width, height = 400, 400
	}
	v.WriteString(`,"width":` + say.Exact(width) + `,"height":`)
	if d.Y.Bands != nil {
		v.WriteString(`{"step":22}`)
	} else {
		v.WriteString(say.Exact(height))
	}
	v.WriteString(`,"layer":[`)
	first := true
	for i := range d.Layers {
		if len(d.Layers[i].Marks) == 0 {
			continue
		}
		if !first {
			v.WriteByte(',')
		}
		first = false
		v.layer(&d.Layers[i])
	}
	v.WriteString(`],"config":{"view":{"stroke":null},"axis":{"domain":false,"gridColor":` +
		quote(palette["grid"].Light) + `}}}` + "\n")
	return v.String()
}

type vega struct {
	strings.Builder
	d     *Drawing
	bands []string // names of the rows, no two alike: the language knows rows by their names
}

// rows returns the names of the rows. One that was there before has spaces behind it, which nobody sees.
func (d *Drawing) rows() []string {
	var out []string
	seen := map[string]bool{}
	for _, b := range d.Y.Bands {
		name := b.label()
		for seen[name] {
			name += " "
		}
		seen[name] = true
		out = append(out, quote(name))
	}
	return out
}

func quote(s string) string { return jsontext.Quote(say.Visible(s)) }

// layer writes data, mark and encoding of a layer.
func (v *vega) layer(l *Layer) {
	ends := l.Kind == Bars || l.Kind == Rules || l.Kind == Spans || l.Kind == Thick
	bands := v.bands
	label := func(y float64) string { return bands[min(max(int(y+0.5), 0), len(bands)-1)] }
	v.WriteString(`{"data":{"values":[`)
	for i, m := range l.Marks {
		if i > 0 {
			v.WriteByte(',')
		}
		x := m.X
		if l.Kind == Inside {
			x = (m.X + m.X2) / 2
		}
		v.WriteString(`{"x":` + say.Exact(x))
		if ends {
			v.WriteString(`,"x2":` + say.Exact(m.X2))
		}
		// the place between two rows of names is kept as an offset in rows
		switch {
		case bands != nil && ends && l.Kind != Bars:
			v.WriteString(`,"y":` + label(m.Y) + `,"y2":` + label(m.Y2))
		case bands != nil && l.Kind == Bars:
			v.WriteString(`,"y":` + label(float64((m.Y+m.Y2)/2)))
		case bands != nil:
			v.WriteString(`,"y":` + label(m.Y) + `,"off":` + say.Exact(m.Y-float64(int(m.Y+0.5))))
		default:
			v.WriteString(`,"y":` + say.Exact(m.Y))
			if ends {
				v.WriteString(`,"y2":` + say.Exact(m.Y2))
			}
		}
		if m.Text != "" {
			v.WriteString(`,"text":` + quote(m.Text))
		}
		if l.Label != "" {
			v.WriteString(`,"run":` + quote(strings.TrimSpace(l.Label+" "+say.Visible(l.Name))))
		}
		v.WriteByte('}')
	}
	v.WriteString(`]},"mark":{` + v.mark(l) + `},"encoding":{` + v.axis("x", &v.d.X))
	if ends {
		v.WriteString(`,"x2":{"field":"x2"}`)
	}
	v.WriteString(`,` + v.axis("y", &v.d.Y))
	switch {
	case ends && (bands == nil || l.Kind != Bars):
		v.WriteString(`,"y2":{"field":"y2"}`)
	case bands != nil && !ends:
		v.WriteString(`,"yOffset":{"field":"off","type":"quantitative","scale":{"domain":[-0.5,0.5]}}`)
	}
	if l.Kind == Words || l.Kind == Inside {
		v.WriteString(`,"text":{"field":"text","type":"nominal"}`)
	}
	var tips []string
	for _, m := range l.Marks {
		if m.Text != "" {
			tips = append(tips, `{"field":"text","type":"nominal","title":"query"}`)
			break
		}
	}
	if l.Label != "" {
		tips = append(tips, `{"field":"run","type":"nominal"}`)
	}
	if tips != nil && l.Kind != Words && l.Kind != Inside {
		v.WriteString(`,"tooltip":[` + strings.Join(tips, ",") + `]`)
	}
	v.WriteString(`}}`)
}

// mark writes what a kind of marks is called there.
func (v *vega) mark(l *Layer) string {
	colour := quote(palette[l.Role].Light)
	switch l.Kind {
	case Bars:
		return `"type":"rect","color":` + colour
	case Lines:
		return `"type":"line","color":` + colour
	case Frame:
		return `"type":"line","color":` + quote(palette[Muted].Light) + `,"strokeWidth":1`
	case Points:
		shape := [...]string{"circle", "square", "triangle-up", "diamond", "triangle-down"}[l.Shape%5]
		return `"type":"point","filled":true,"size":` + say.Exact(80*max(l.Size, 1)*max(l.Size, 1)) +
			`,"opacity":1,"shape":"` + shape + `","color":` + colour
	case Dots:
		return `"type":"circle","size":40,"opacity":0.6,"color":` + colour
	case Thick:
		return `"type":"rule","strokeWidth":5,"color":` + colour
	case Inside:
		return `"type":"text","align":"center","color":` + quote(palette[Ink].Light)
	case Words:
		return `"type":"text","align":"left","dx":6,"color":` + quote(palette[Muted].Light)
	}
	return `"type":"rule","strokeWidth":2,"color":` + colour
}

// axis writes one of the two encodings.
func (v *vega) axis(name string, a *Axis) string {
	var b strings.Builder
	b.WriteString(quote(name) + `:{"field":` + quote(name))
	if a.Bands != nil {
		b.WriteString(`,"type":"nominal","sort":null,"scale":{"domain":[`)
		b.WriteString(strings.Join(v.bands, ","))
		b.WriteString(`]},"axis":{"title":null,"ticks":false}}`)
		return b.String()
	}
	b.WriteString(`,"type":"quantitative","scale":{"nice":false,"domain":[` + say.Exact(a.Low) + `,` +
		say.Exact(a.High) + `]`)
	if a.Log {
		b.WriteString(`,"type":"log"`)
	} else {
		b.WriteString(`,"zero":false`)
	}
	b.WriteString(`},"axis":{"title":` + quote(a.Title))
	if a.Bare {
		b.WriteString(`,"labels":false,"ticks":false,"grid":false`)
	} else {
		b.WriteString(`,"values":[`)
		for i, t := range a.ticksFor(8) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(say.Exact(t.at))
		}
		b.WriteString(`]`)
	}
	b.WriteString(`}}`)
	return b.String()
}
