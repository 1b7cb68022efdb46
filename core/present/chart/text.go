package chart

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

// DefaultColumns is how wide the text of a drawing is.
const DefaultColumns = 96

// lattice is the characters of a plot.
type lattice struct {
	cells         [][]rune
	x, y          scale.Scale // to the middles of characters
	columns, rows int
}

// Text returns the drawing for a terminal so many characters wide: a raster of characters, the sentence and the table.
// A system is its letter; of two marks in one place the later one is seen.
func (d *Drawing) Text(columns int) string {
	var b strings.Builder
	b.WriteString(d.Title + "\n\n")
	left := 0
	const rows = 17
	g := &lattice{rows: rows}
	bands := len(d.Y.Bands)
	yTicks := d.Y.ticksFor(6)
	if bands > 0 {
		g.rows = bands
		for _, band := range d.Y.Bands {
			left = max(left, min(utf8.RuneCountInString(band.label()), columns/3))
		}
	} else {
		for _, t := range yTicks {
			left = max(left, utf8.RuneCountInString(t.text))
		}
		if d.Y.Title != "" {
			b.WriteString(d.Y.Title + "\n")
		}
	}
	g.columns = max(columns-left-2, 20)
	side := 0
	for _, l := range d.Layers {
		if l.Kind == Words {
			for _, m := range l.Marks {
				side = max(side, utf8.RuneCountInString(m.Text)+1)
			}
		}
	}
	g.x = scale.Scale{Low: d.X.Low, High: d.X.High, From: 0, To: float64(g.columns - 1 - min(side, g.columns/2)),
		Log: d.X.Log}
	g.y = scale.Scale{Low: d.Y.Low, High: d.Y.High, From: float64(g.rows - 1), To: 0, Log: d.Y.Log}
	if bands > 0 {
		g.y = scale.Scale{Low: 0, High: float64(max(bands-1, 1)), From: 0, To: float64(max(bands-1, 1))}
	}
	g.cells = make([][]rune, g.rows)
	for i := range g.cells {
		g.cells[i] = []rune(strings.Repeat(" ", g.columns))
	}
	for i := range d.Layers {
		g.layer(d, &d.Layers[i])
	}
	labels := make([]string, g.rows)
	for i, band := range d.Y.Bands {
		labels[i] = say.Within(band.label(), columns/3)
	}
	for _, t := range yTicks {
		labels[g.row(t.at)] = t.text
	}
	for i, row := range g.cells {
		pad := strings.Repeat(" ", max(left-utf8.RuneCountInString(labels[i]), 0))
		if bands > 0 {
			b.WriteString(labels[i] + pad)
		} else {
			b.WriteString(pad + labels[i])
		}
		b.WriteString(strings.TrimRight(" │"+string(row), " ") + "\n")
	}
	b.WriteString(g.foot(d, left))
	b.WriteString("\n" + strings.Join(fold(say.Visible(d.Sentence), columns), "\n") + "\n\n")
	b.WriteString(textTable(d.Head, d.Rows))
	return b.String()
}

// foot writes the numbers and the title of X.
func (g *lattice) foot(d *Drawing, left int) string {
	s := ""
	ticks := d.X.ticksFor(max(g.columns/10, 2))
	if len(ticks) > 0 {
		line, marks := []rune(strings.Repeat(" ", g.columns+8)), []rune(strings.Repeat("─", g.columns))
		end := -1
		for _, t := range ticks {
			c := g.column(t.at)
			marks[c] = '┬'
			text := []rune(t.text)
			from := max(c-len(text)/2, 0)
			if from <= end {
				continue
			}
			copy(line[from:], text)
			end = from + len(text)
		}
		s += strings.Repeat(" ", left) + " └" + string(marks) + "\n" +
			strings.TrimRight(strings.Repeat(" ", left+2)+string(line), " ") + "\n"
	}
	for _, line := range fold(d.X.Title, g.columns) {
		if line != "" {
			s += strings.Repeat(" ", left+2) + line + "\n"
		}
	}
	return s
}

func (g *lattice) column(v float64) int {
	return min(max(int(math.Round(g.x.At(v))), 0), g.columns-1)
}

func (g *lattice) row(v float64) int {
	return min(max(int(math.Round(g.y.At(v))), 0), g.rows-1)
}

// letterOf is how a point is drawn: as the letter of its system.
func (d *Drawing) letterOf(l *Layer, y float64) rune {
	if l.Label != "" {
		return []rune(l.Label)[0]
	}
	if i := int(y + 0.5); d.Y.Bands != nil && i >= 0 && i < len(d.Y.Bands) && d.Y.Bands[i].System >= 0 {
		return []rune(say.Letter(d.Y.Bands[i].System))[0]
	}
	return '●'
}

// shades are the steps of the ramp.
var shades = []rune("·░░▒▒▓▓█")

func (g *lattice) layer(d *Drawing, l *Layer) {
	for i, m := range l.Marks {
		r, c := g.row(m.Y), g.column(m.X)
		switch l.Kind {
		case Bars:
			g.bar(d, l, m)
		case Points:
			g.cells[r][c] = d.letterOf(l, m.Y)
		case Dots:
			g.cells[r][c] = map[Role]rune{Gain: '+', Loss: '-', Muted: '='}[l.Role]
			if g.cells[r][c] == 0 {
				g.cells[r][c] = '•'
			}
		case Lines:
			if i > 0 {
				g.line(l.Marks[i-1], m, []rune(l.Label)[0])
			}
		case Frame:
			if i > 0 {
				g.line(l.Marks[i-1], m, '·')
			}
		case Inside:
			text, room := []rune(m.Text), g.column(m.X2)-c
			if len(text) < room {
				copy(g.cells[r][c+(room-len(text))/2:], text)
			}
		case Words:
			copy(g.cells[r][min(c+2, g.columns):], []rune(m.Text))
		default:
			g.rule(m, l.Kind)
		}
	}
}

// line draws from mark to mark.
func (g *lattice) line(a, b Mark, sign rune) {
	from, to := g.column(a.X), g.column(b.X)
	ya, yb := g.y.At(a.Y), g.y.At(b.Y)
	for c := from; c <= to; c++ {
		y := yb
		if to > from {
			y = ya + (yb-ya)*float64(c-from)/float64(to-from)
		}
		r := min(max(int(math.Round(y)), 0), g.rows-1)
		switch {
		case c == from || c == to:
			g.cells[r][c] = sign
		case g.cells[r][c] == ' ':
			g.cells[r][c] = '·'
		}
	}
}

// rule draws along a row or a column.
func (g *lattice) rule(m Mark, kind Kind) {
	r, r2, c, c2 := g.row(m.Y), g.row(m.Y2), g.column(m.X), g.column(m.X2)
	if r == r2 {
		for i := c; i <= c2; i++ {
			g.cells[r][i] = '─'
		}
		if kind == Spans {
			g.cells[r][c], g.cells[r][c2] = '├', '┤'
		}
		return
	}
	for i := r; i <= r2; i++ {
		g.cells[i][c] = '┃'
	}
}

// bar fills what a bar covers.
func (g *lattice) bar(d *Drawing, l *Layer, m Mark) {
	sign, ramp := '█', false
	for i := range Steps {
		if l.Role == Step(i) {
			sign, ramp = shades[i], true
		}
	}
	c, c2 := g.column(m.X), g.column(m.X2)
	if d.Y.Bands != nil {
		r := g.row((m.Y + m.Y2) / 2)
		if m.Text != "" && !ramp { // a class of many queries: as high as it is
			sign = []rune("▁▂▃▄▅▆▇█")[min(int(math.Abs(m.Y2-m.Y)/0.84*8), 7)]
			c2 = c
		}
		for i := c; i <= c2; i++ {
			g.cells[r][i] = sign
		}
		return
	}
	r, r2 := g.row(m.Y), g.row(m.Y2)
	for i := min(r, r2); i <= max(r, r2); i++ {
		for j := c; j <= max(c2-1, c); j++ {
			g.cells[i][j] = sign
		}
	}
}

// fold breaks a text into lines of so many characters.
func fold(s string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// textTable sets a table: the first column at its left, the others at their right.
func textTable(head []string, rows [][]string) string {
	widths := make([]int, len(head))
	all := append([][]string{head}, rows...)
	for _, row := range all {
		for i, s := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(say.Visible(s)))
		}
	}
	var b strings.Builder
	for _, row := range all {
		line := ""
		for i, s := range row {
			s = say.Visible(s)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			switch {
			case i == 0:
				line += s + pad
			default:
				line += "  " + pad + s
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
