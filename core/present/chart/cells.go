package chart

import (
	"math"
)

// tints is how many steps of the ramp are used where text stands on them: in those the ink is readable on paper and on
// dark pages.
const tints = 4

// cell is a rectangle of a table that is coloured by its value.
type cell struct {
	value float64 // NaN for an empty one
	text  string
}

// cells draws a table of named columns: a first row with their names, then a row of cells each, the stronger the colour
// the higher the value. Texts stand where there is room for them.
func (d *Drawing) cells(corner string, columns, rows []string, at func(row, column int) cell) {
	d.Y.Bands = append(d.Y.Bands, Band{corner, -1})
	lo, hi := math.Inf(1), math.Inf(-1)
	for y := range rows {
		for x := range columns {
			if v := at(y, x).value; v == v {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	layers := make([]Layer, tints)
	for i := range layers {
		layers[i] = Layer{Kind: Bars, Role: Step(i)}
	}
	texts := Layer{Kind: Inside, Role: Ink}
	for x, name := range columns {
		texts.Marks = append(texts.Marks, Mark{X: float64(x), X2: float64(x + 1), Text: name})
	}
	for y, name := range rows {
		d.Y.Bands = append(d.Y.Bands, Band{name, -1})
		for x := range columns {
			c := at(y, x)
			if c.value != c.value {
				continue
			}
			step := 0
			if hi > lo {
				step = min(int((c.value-lo)/(hi-lo)*tints), tints-1)
			}
			b := float64(y + 1)
			layers[step].Marks = append(layers[step].Marks,
				Mark{X: float64(x) + 0.02, X2: float64(x) + 0.98, Y: b - 0.46, Y2: b + 0.46, Said: columns[x] + " " +
					c.text})
			texts.Marks = append(texts.Marks, Mark{X: float64(x), X2: float64(x + 1), Y: b, Y2: b, Text: c.text})
		}
	}
	d.Layers = append(d.Layers, layers...)
	d.Layers = append(d.Layers, texts)
	d.X = Axis{High: float64(max(len(columns), 1)), Bare: true, Columns: len(columns)}
}

// letters are those of the systems, as columns are headed.
func (in *Input) letters() (out []string) {
	for s := range in.Report.Systems {
		out = append(out, in.Report.Letter(s))
	}
	return out
}
