package chart

import (
	"cmp"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

// Sheet is a drawing in pixels. Shapes are painted in their order.
type Sheet struct {
	W, H   int
	Shapes []Shape
}

// Shape is one path or text. Class is what it is and its role, as the page's style sheet knows them: "fill a", "tick
// end".
type Shape struct {
	Text  bool
	Class string
	X, Y  string // of a text
	D     string // the path or the text
}

// Box is the view box.
func (s *Sheet) Box() string { return "0 0 " + say.Page.Int(s.W) + " " + say.Page.Int(s.H) }

// Wide and Narrow are the widths in which the page has every drawing: beside text, and on a phone.
const (
	Wide   = 960
	Narrow = 300
)

// Sizes of type in pixels, and how high a row is.
const (
	tickSize  = 13.0
	labelSize = 15.0

	roomOfCell = 36.0 // that a column of cells needs
	lineStep   = 18.0
	rowStep    = 32.0
	denseStep  = 24.0 // of more than 12 rows
	nameStep   = 15.0 // between the names of lines
	square     = 520
)

// frame is a drawing that is being laid out.
type frame struct {
	*Drawing
	sheet                    *Sheet
	left, right, top, bottom float64 // of the plot
	x, y                     scale.Scale
	xTicks, yTicks           []tick
	title, heading           []string // of X and of Y, in lines
	legend                   []entry
	bare                     []bool // rows without marks, whose names have the whole width
}

// entry is one of the legend: a point and its name.
type entry struct {
	layer *Layer
	text  string
	x, y  float64
}

// Sheet lays the drawing out, so many pixels wide.
func (d *Drawing) Sheet(width int) *Sheet {
	f := d.frame(width)
	f.axes()
	for i := range d.Layers {
		f.layer(&d.Layers[i])
	}
	f.lineLabels()
	return f.sheet
}

// frame measures the drawing.
func (d *Drawing) frame(width int) *frame {
	if d.Square {
		width = min(width, square)
	}
	f := &frame{Drawing: d, sheet: &Sheet{W: width}}
	f.measure(float64(width))
	return f
}

// measure finds the place of the plot: between what stands at its sides.
func (f *frame) measure(width float64) {
	narrow := width < 600
	height := f.Height
	if height == 0 {
		height = 220
	}
	lines := 0
	for _, l := range f.Layers {
		if l.Kind == Lines && l.Label != "" {
			lines++
		}
	}
	height = max(height, nameStep*float64(lines))
	if f.Y.Bands != nil {
		step := rowStep
		if len(f.Y.Bands) > 12 {
			step = denseStep
		}
		height = step * float64(len(f.Y.Bands))
	}
	f.top = 8
	if f.Y.Title != "" {
		f.heading = wrap(f.Y.Title, width-8, tickSize)
		f.top = 10 + float64(lineStep*float64(len(f.heading)))
	}
	if f.Legend {
		f.top += f.entries(width) + 8
	}
	side := 10.0
	for _, l := range f.Layers {
		switch l.Kind {
		case Lines:
			if l.Label != "" {
				side = max(side, min(textWidth(f.lineLabel(&l, narrow), tickSize)+16, width/4))
			}
		case Words:
			for _, m := range l.Marks {
				side = max(side, textWidth(m.Text, tickSize)+14)
			}
		}
	}
	f.left = 8
	f.bare = f.bareBands()
	for i, b := range f.Y.Bands {
		if !f.bare[i] {
			f.left = max(f.left, textWidth(b.label(), labelSize)+20)
		}
	}
	if f.Y.Bands != nil {
		share := 0.25
		if narrow { // names are read too, and three tenths stay for the plot
			share = max(0.38, min(0.48, 0.7-side/width))
		}
		if n := f.X.Columns; n > 0 { // what the columns do not need is for the names of the rows
			share = max(share, min(0.55, 1-float64(float64(n)*roomOfCell)/width))
		}
		f.left = min(f.left, width*share)
	}
	f.yTicks = f.Y.ticksFor(int(height / 36))
	for _, t := range f.yTicks {
		f.left = max(f.left, textWidth(t.text, tickSize)+14)
	}
	f.right = width - side
	f.xTicks = f.X.ticksFor(max(4, int((f.right-f.left)/70)))
	for most := len(f.xTicks) - 1; most >= 1 && f.crowded(); most-- {
		f.xTicks = f.X.ticksFor(most)
	}
	if n := len(f.xTicks); n > 0 { // the last number is set about its tick
		f.right = min(f.right, width-float64(textWidth(f.xTicks[n-1].text, tickSize)/2)-2)
		f.left = max(f.left, float64(textWidth(f.xTicks[0].text, tickSize)/2)+2)
	}
	if f.Square {
		height = f.right - f.left
	}
	f.bottom = f.top + height
	f.x = scale.Scale{Low: f.X.Low, High: f.X.High, From: f.left, To: f.right, Log: f.X.Log}
	f.y = scale.Scale{Low: f.Y.Low, High: f.Y.High, From: f.bottom, To: f.top, Log: f.Y.Log}
	if f.Y.Bands != nil {
		f.y = scale.Scale{Low: -0.5, High: float64(len(f.Y.Bands)) - 0.5, From: f.top, To: f.bottom}
	}
	h := f.bottom + 6
	if len(f.xTicks) > 0 {
		h += lineStep
	}
	if f.X.Title != "" {
		f.title = wrap(f.X.Title, width-f.left-4, tickSize)
		h += float64(lineStep*float64(len(f.title))) + 4
	}
	f.sheet.H = int(h) + 4
}

// bareBands says which rows have no marks: they head those below them.
func (f *frame) bareBands() []bool {
	out := make([]bool, len(f.Y.Bands))
	for i := range out {
		out[i] = true
	}
	for i := range f.Layers {
		for _, m := range f.Layers[i].Marks {
			if at := int(math.Round((m.Y + m.Y2) / 2)); f.Layers[i].Kind == Points || f.Layers[i].Kind == Dots ||
				f.Layers[i].Kind == Words {
				if at = int(math.Round(m.Y)); at >= 0 && at < len(out) {
					out[at] = false
				}
			} else if at >= 0 && at < len(out) {
				out[at] = false
			}
		}
	}
	return out
}

// entries lays the legend out, above everything else, and returns its height.
func (f *frame) entries(width float64) float64 {
	x, y := 10.0, f.top+4
	for i := range f.Layers {
		l := &f.Layers[i]
		if l.Kind != Points || l.Label == "" {
			continue
		}
		e := entry{l, fit(f.lineLabel(l, width < 600), 180, tickSize), x, y}
		if next := x + textWidth(e.text, tickSize) + 32; next > width && x > 10 {
			e.x, e.y = 10, y+lineStep
			x, y = 10+next-x, e.y
		} else {
			x = next
		}
		f.legend = append(f.legend, e)
	}
	return y + 8 - f.top
}

// crowded says whether numbers of X touch each other.
func (f *frame) crowded() bool {
	s := scale.Scale{Low: f.X.Low, High: f.X.High, From: f.left, To: f.right, Log: f.X.Log}
	for i := 1; i < len(f.xTicks); i++ {
		a, b := f.xTicks[i-1], f.xTicks[i]
		if s.At(b.at)-s.At(a.at) < float64((textWidth(a.text, tickSize)+textWidth(b.text, tickSize))/2)+10 {
			return true
		}
	}
	return false
}

func (f *frame) path(class, d string) {
	if d != "" {
		f.sheet.Shapes = append(f.sheet.Shapes, Shape{Class: class, D: d})
	}
}

func (f *frame) text(class string, x, y float64, s string) {
	f.sheet.Shapes = append(f.sheet.Shapes, Shape{Text: true, Class: class, X: scale.Text(x), Y: scale.Text(y), D: s})
}

// axes draws grid, numbers and titles.
func (f *frame) axes() {
	var grid strings.Builder
	for _, t := range f.xTicks {
		x := f.x.At(t.at)
		grid.WriteString("M" + scale.Text(x) + " " + scale.Text(f.top) + "V" + scale.Text(f.bottom))
		f.text("tick middle", x, f.bottom+lineStep, t.text)
	}
	for _, t := range f.yTicks {
		y := f.y.At(t.at)
		grid.WriteString("M" + scale.Text(f.left) + " " + scale.Text(y) + "H" + scale.Text(f.right))
		f.text("tick end", f.left-8, y+4, t.text)
	}
	f.path("grid", grid.String())
	for i, b := range f.Y.Bands {
		room := f.left - 16
		if f.bare[i] {
			room = float64(f.sheet.W) - 8
		}
		f.text("label", 4, f.y.At(float64(i))+5, fit(b.label(), room, labelSize))
	}
	for _, e := range f.legend {
		f.path("fill "+string(e.layer.Role), point(e.layer.Shape, e.x, e.y, 1))
		f.text("name "+string(e.layer.Role), e.x+10, e.y+4, e.text)
	}
	for i, line := range f.heading {
		f.text("tick", 4, 15+float64(lineStep*float64(i)), line)
	}
	y := f.bottom + 6
	if len(f.xTicks) > 0 {
		y += lineStep
	}
	for i, line := range f.title {
		f.text("tick", f.left, y+float64(lineStep*float64(i))+14, line)
	}
}

func (b Band) label() string {
	if b.System < 0 {
		return say.Visible(b.Name)
	}
	return say.Letter(b.System) + " " + say.Visible(b.Name)
}

// layer draws the marks of a layer: marks of one kind become one path, so that ten thousand of them are one node of the
// page.
func (f *frame) layer(l *Layer) {
	role := " " + string(l.Role)
	var b strings.Builder
	line := func(x, y, x2, y2 float64) {
		b.WriteString("M" + scale.Text(x) + " " + scale.Text(y) + "L" + scale.Text(x2) + " " + scale.Text(y2))
	}
	switch l.Kind {
	case Bars:
		f.bars(&b, l.Marks)
		f.path("fill"+role, b.String())
	case Lines, Frame:
		for i, m := range l.Marks {
			c := "L"
			if i == 0 {
				c = "M"
			}
			b.WriteString(c + scale.Text(f.x.At(m.X)) + " " + scale.Text(f.y.At(m.Y)))
		}
		switch {
		case l.Kind == Frame:
			f.path("axis", b.String())
		default:
			f.path("rule"+role, b.String())
		}
	case Points:
		for _, m := range l.Marks {
			b.WriteString(point(l.Shape, f.x.At(m.X), f.y.At(m.Y), l.Size))
		}
		f.path("fill"+role, b.String())
	case Dots:
		f.dots(&b, l.Marks)
		f.path("dots"+role, b.String())
	case Rules, Spans, Thick:
		for _, m := range l.Marks {
			x, y, x2, y2 := f.x.At(m.X), f.y.At(m.Y), f.x.At(m.X2), f.y.At(m.Y2)
			line(x, y, x2, y2)
			if l.Kind == Spans {
				line(x, y-6, x, y+6)
				line(x2, y2-6, x2, y2+6)
			}
		}
		class := "rule"
		if l.Kind == Thick {
			class = "thick"
		}
		f.path(class+role, b.String())
	case Inside:
		f.inside(l.Marks)
	case Words:
		for _, m := range l.Marks {
			f.text("tick", f.x.At(m.X)+7, f.y.At(m.Y)+4, m.Text)
		}
	}
}

// inside writes the texts of cells. Where one does not fit into its cell no number stands there, or it would look like
// an empty one, and of the heads of the columns every second, third, … that does.
func (f *frame) inside(marks []Mark) {
	step, numbers := 1, true
	for _, m := range marks {
		wants, has := textWidth(say.Visible(m.Text), tickSize), f.x.At(m.X2)-f.x.At(m.X)
		switch {
		case m.Y == 0:
			step = max(step, int(math.Ceil((wants+3)/has)))
		case wants > has-3:
			numbers = false
		}
	}
	for i, m := range marks {
		if m.Y == 0 && i%step == 0 || m.Y > 0 && numbers {
			f.text("inside middle", (f.x.At(m.X)+f.x.At(m.X2))/2, f.y.At(m.Y)+4.5, say.Visible(m.Text))
		}
	}
}

// bars writes rectangles. Those of a row that touch become one. Columns of which a pixel has many become one outline,
// which in every pixel reaches as far as the farthest of them.
func (f *frame) bars(b *strings.Builder, marks []Mark) {
	type box struct{ x, x2, y, y2 float64 }
	var boxes []box
	rows, thin := f.Y.Bands != nil, false
	for _, m := range marks {
		x := box{f.x.At(m.X), f.x.At(m.X2), f.y.At(m.Y), f.y.At(m.Y2)}
		last := len(boxes) - 1
		switch {
		case rows && last >= 0 && x.y == boxes[last].y && x.y2 == boxes[last].y2 && x.x == boxes[last].x2:
			boxes[last].x2 = x.x2
			continue
		case !rows && x.x2-x.x < 1.2:
			thin = true
			x.x = math.Floor(x.x)
			x.x2 = x.x + 1
			if last >= 0 && boxes[last].x == x.x {
				if math.Abs(x.y2-x.y) > math.Abs(boxes[last].y2-x.y) {
					boxes[last].y2 = x.y2
				}
				continue
			}
		}
		boxes = append(boxes, x)
	}
	for i, x := range boxes {
		if thin && i > 0 && boxes[i-1].x2 >= x.x-1 {
			b.WriteString("V" + scale.Text(x.y2) + "H" + scale.Text(x.x2))
		} else {
			b.WriteString("M" + scale.Text(x.x) + " " + scale.Text(x.y) + "V" + scale.Text(x.y2) + "H" +
				scale.Text(max(x.x2, x.x+0.4)))
		}
		if !thin || i+1 == len(boxes) || x.x2 < boxes[i+1].x-1 {
			b.WriteString("V" + scale.Text(x.y) + "z")
		}
	}
}

// dots writes lines of no length, whose round ends are the dots; none twice in the same place.
func (f *frame) dots(b *strings.Builder, marks []Mark) {
	seen := map[string]bool{}
	for _, m := range marks {
		x, y := f.x.At(m.X), f.y.At(m.Y)
		if len(marks) > 1000 {
			x, y = math.Round(x), math.Round(y)
		}
		if at := "M" + scale.Text(x) + " " + scale.Text(y) + "h0"; !seen[at] {
			seen[at] = true
			b.WriteString(at)
		}
	}
}

// point is the outline of a point: circle, square, triangle, diamond or triangle on its head; size times as large, 0
// for once.
func point(shape int, x, y, size float64) string {
	if size == 0 {
		size = 1
	}
	p := func(dx, dy float64) string {
		return scale.Text(x+float64(dx*size)) + " " + scale.Text(y+float64(dy*size))
	}
	switch shape % 5 {
	case 1:
		side := scale.Text(9 * size)
		return "M" + p(-4.5, -4.5) + "h" + side + "v" + side + "h-" + side + "z"
	case 2:
		return "M" + p(0, -5.8) + "L" + p(5.6, 4.4) + "H" + scale.Text(x-float64(5.6*size)) + "z"
	case 3:
		return "M" + p(0, -6.2) + "L" + p(6.2, 0) + "L" + p(0, 6.2) + "L" + p(-6.2, 0) + "z"
	case 4:
		return "M" + p(0, 5.8) + "L" + p(5.6, -4.4) + "H" + scale.Text(x-float64(5.6*size)) + "z"
	}
	r, d := scale.Text(5*size), scale.Text(10*size)
	return "M" + p(-5, 0) + "a" + r + " " + r + " 0 1 0 " + d + " 0a" + r + " " + r + " 0 1 0 -" + d + " 0z"
}

// lineLabel is what a layer is called: a system by its letter, and its name where there is room; what is none by its
// name, since its label is a sign of the terminal.
func (f *frame) lineLabel(l *Layer, narrow bool) string {
	switch {
	case l.Name != "" && l.system == 0:
		return say.Visible(l.Name)
	case narrow || l.Name == "":
		return l.Label
	}
	return l.Label + " " + say.Visible(l.Name)
}

// lineLabels names lines at their right ends, as near to them as they do not touch each other.
func (f *frame) lineLabels() {
	type end struct {
		class, text string
		at          float64
	}
	var ends []end
	for i := range f.Layers {
		if l := &f.Layers[i]; l.Kind == Lines && l.Label != "" && len(l.Marks) > 0 {
			room := float64(f.sheet.W) - f.right - 10
			ends = append(ends, end{"name " + string(l.Role), fit(f.lineLabel(l, f.sheet.W < 600), room, tickSize),
				f.y.At(l.Marks[len(l.Marks)-1].Y)})
		}
	}
	sort.SliceStable(ends, func(i, j int) bool { return cmp.Less(ends[i].at, ends[j].at) })
	for i := range ends { // down from the top, then back from the foot
		if i > 0 {
			ends[i].at = max(ends[i].at, ends[i-1].at+nameStep)
		}
	}
	foot := f.bottom
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i].at = min(ends[i].at, foot)
		foot = ends[i].at - nameStep
	}
	for _, e := range ends {
		f.text(e.class, f.right+8, e.at+4, e.text)
	}
}

// textWidth is about how wide a text is set, on the safe side for the fonts of the page: DejaVu Sans is the widest that
// system-ui stands for.
func textWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("iljtfr.,:;'|!()[]/- \u00a0", r):
			w += 0.4
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z' && r != 'm' && r != 'w', r == '_':
			w += 0.63
		case strings.ContainsRune("mwWM@%=<>+−", r):
			w += 0.95
		case r < 0x1100:
			w += 0.7
		default: // Han, Hangul, kana, emoji
			w += 1.05
		}
	}
	return w * size
}

// fit is a text that a room has place for, cut in its middle: the names of runs often differ at their ends.
func fit(s string, room, size float64) string {
	if textWidth(s, size) <= room {
		return s
	}
	for most := utf8.RuneCountInString(s) - 1; most > 1; most-- {
		if most > 200 {
			most = 200
		}
		if c := say.Within(s, most); textWidth(c, size) <= room {
			return c
		}
	}
	return "…"
}

// wrap breaks a text between words into lines of a room.
func wrap(s string, room, size float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		word = fit(word, room, size)
		if line != "" && textWidth(line+" "+word, size) > room {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
