package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
)

var resources = Figure{
	Name: "resources", Title: "Resources",
	Doc: "The cost of every run: one block per resource with one bar per run, as a share of the largest, with the " +
		"amount. Times belong to this device and moment.",
	Needs: "the cost of the runs: systems that run here, or rankbox run -time",
	draw:  drawResources,
}

func drawResources(in *Input) *Drawing {
	r := in.Report
	d := &Drawing{Head: []string{"Run"}, Data: [][]string{{"resource", "run", "value", "unit"}},
		X: Axis{High: 1.02, Bare: true, Title: "share of the run that needs most of each"}}
	rows := make([][]string, len(r.Systems))
	for s := range rows {
		rows[s] = []string{in.named(s)}
	}
	layers := make([]Layer, len(r.Systems))
	for s := range layers {
		layers[s] = of(s, Bars)
	}
	words := Layer{Kind: Words, Role: Muted}
	costs := in.Facts.Costs
	shown := 0
	for _, c := range costs {
		if len(c.Values) != len(r.Systems) {
			continue
		}
		top, least, most := 0.0, -1, -1
		for s, v := range c.Values {
			if v == v {
				top = max(top, v)
				if least < 0 || v < c.Values[least] {
					least = s
				}
				if most < 0 || v > c.Values[most] {
					most = s
				}
			}
		}
		if most < 0 {
			continue
		}
		unit, written := "ms", millis
		if c.Bytes {
			unit, written = "bytes", func(v float64) string { return say.Bytes(int64(v)) }
		}
		d.Head = append(d.Head, c.Name)
		d.Y.Bands = append(d.Y.Bands, Band{c.Name, -1})
		for s, v := range c.Values {
			if v != v {
				rows[s] = append(rows[s], in.Style.None())
				continue
			}
			y := float64(len(d.Y.Bands))
			d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
			x := 0.0
			if top > 0 {
				x = v / top
			}
			layers[s].Marks = append(layers[s].Marks, Mark{X2: x, Y: y - 0.36, Y2: y + 0.36, Said: written(v)})
			words.Marks = append(words.Marks, Mark{X: x, Y: y, Text: written(v)})
			rows[s] = append(rows[s], written(v))
			d.Data = append(d.Data, []string{c.Name, r.Systems[s].Label, say.Exact(v), unit})
		}
		if shown++; shown > 1 {
			d.Sentence += "; "
		}
		d.Sentence += c.Name + ": " + r.Letter(most) + " needs most, " + written(c.Values[most])
		if least != most {
			d.Sentence += ", " + r.Letter(least) + " least, " + written(c.Values[least])
		}
	}
	if shown == 0 {
		return nil
	}
	d.Sentence += "."
	d.Rows, d.Layers = rows, append(layers, words)
	return d
}
