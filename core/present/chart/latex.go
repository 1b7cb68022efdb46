package chart

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export"
)

// comment is what a comment has of a sentence, in which names stand: nothing that TeX would take for more than text if
// it were none.
var comment = strings.NewReplacer("\n", " ", "\\", "/", "{", "(", "}", ")")

// LaTeX returns the drawing for pgfplots (1.18): a tikzpicture with its colours and its sentence as a comment, which
// needs nothing but \usepackage{pgfplots} and \usepackage[T1]{fontenc}.
func (d *Drawing) LaTeX() string {
	var b strings.Builder
	b.WriteString("% " + comment.Replace(say.Visible(d.Sentence)) + "\n")
	b.WriteString("% \\usepackage[T1]{fontenc} \\usepackage{textcomp} \\usepackage{pgfplots} " +
		"\\pgfplotsset{compat=1.18}\n")
	b.WriteString("\\providecommand{\\rankboxchar}[1]{[U+#1]}\n")
	used := map[Role]bool{Muted: true, "grid": true}
	for _, l := range d.Layers {
		used[l.Role] = true
	}
	for _, r := range everyRole() {
		if used[r] {
			b.WriteString("\\definecolor{rankbox-" + string(r) + "}{HTML}{" + strings.ToUpper(palette[r].Light[1:]) +
				"}\n")
		}
	}
	b.WriteString("\\begin{tikzpicture}\n\\begin{axis}[\n")
	height := "6cm"
	if n := len(d.Y.Bands); n > 0 {
		height = strconv.FormatFloat(float64(0.55*float64(n))+1.2, 'f', 2, 64) + "cm"
	} else if d.Square {
		height = "9cm"
	}
	width := "12cm"
	if d.Square {
		width = "9cm"
	}
	b.WriteString("  width=" + width + ", height=" + height +
		", scale only axis, clip=false,\n  axis line style={draw=none}, grid=major, major grid style={rankbox-grid}, " +
		"tick style={draw=none},\n")
	d.X.latex(&b, "x")
	d.Y.latex(&b, "y")
	b.WriteString("]\n")
	for i := range d.Layers {
		d.Layers[i].latex(&b)
	}
	b.WriteString("\\end{axis}\n\\end{tikzpicture}\n")
	return b.String()
}

// everyRole returns the roles in a fixed order.
func everyRole() []Role {
	out := []Role{"paper", "sheet", "grid", Ink, Muted, Gain, Loss}
	for i := range roles {
		out = append(out, RoleOf(i))
	}
	for i := range Steps {
		out = append(out, Step(i))
	}
	return out
}

// tex writes a number as pgfplots reads it.
func tex(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (a *Axis) latex(b *strings.Builder, name string) {
	if a.Bands != nil {
		b.WriteString("  " + name + "min=-0.5, " + name + "max=" + tex(float64(len(a.Bands))-0.5) + ", " + name +
			" dir=reverse, " + name + "majorgrids=false,\n  " + name + "tick={")
		for i := range a.Bands {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(i))
		}
		b.WriteString("},\n  " + name + "ticklabels={")
		for i, band := range a.Bands {
			if i > 0 {
				b.WriteByte(',')
			}
			text := band.Name
			if band.System >= 0 {
				text = say.Letter(band.System) + " " + text
			}
			b.WriteString("{" + export.LaTeXText(say.Within(text, 60)) + "}")
		}
		b.WriteString("},\n")
		return
	}
	b.WriteString("  " + name + "min=" + tex(a.Low) + ", " + name + "max=" + tex(a.High) + ", " + name + "label={" +
		export.LaTeXText(a.Title) + "},\n")
	if a.Log {
		b.WriteString("  " + name + "mode=log, log ticks with fixed point,\n")
	}
	b.WriteString("  " + name + "tick={")
	for i, t := range a.ticksFor(8) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(tex(t.at))
	}
	b.WriteString("},\n")
}

func (l *Layer) latex(b *strings.Builder) {
	if len(l.Marks) == 0 {
		return
	}
	colour := "rankbox-" + string(l.Role)
	at := func(x, y float64) string { return "(axis cs:" + tex(x) + "," + tex(y) + ")" }
	coordinates := func(options string) {
		b.WriteString("\\addplot[" + options + "] coordinates {")
		for _, m := range l.Marks {
			b.WriteString("(" + tex(m.X) + "," + tex(m.Y) + ")")
		}
		b.WriteString("};\n")
	}
	switch l.Kind {
	case Bars:
		for _, m := range l.Marks {
			b.WriteString("\\fill[" + colour + "] " + at(m.X, m.Y) + " rectangle " + at(m.X2, m.Y2) + ";\n")
		}
	case Lines:
		coordinates(colour + ", thick, no marks")
		if l.Label != "" {
			m := l.Marks[len(l.Marks)-1]
			b.WriteString("\\node[" + colour + ", right] at " + at(m.X, m.Y) + " {" + export.LaTeXText(l.Label) +
				"};\n")
		}
	case Frame:
		coordinates("rankbox-muted, no marks")
	case Points:
		mark := [...]string{"*", "square*", "triangle*", "diamond*", "triangle*, mark options={rotate=180}"}[l.Shape%5]
		size := ""
		if l.Size > 0 {
			size = ", mark size=" + tex(2*l.Size) + "pt"
		}
		coordinates(colour + size + ", only marks, mark=" + mark)
	case Dots:
		coordinates(colour + ", only marks, mark=*, mark size=1.2pt, opacity=0.6")
	case Rules, Spans, Thick:
		style := colour + ", thick"
		if l.Kind == Spans {
			style += ", |-|"
		}
		if l.Kind == Thick {
			style = colour + ", line width=2.5pt"
		}
		for _, m := range l.Marks {
			b.WriteString("\\draw[" + style + "] " + at(m.X, m.Y) + " -- " + at(m.X2, m.Y2) + ";\n")
		}
	case Inside:
		for _, m := range l.Marks {
			if m.Text != "" {
				b.WriteString("\\node[" + colour + ", font=\\small] at " + at((m.X+m.X2)/2, m.Y) + " {" +
					export.LaTeXText(m.Text) + "};\n")
			}
		}
	case Words:
		for _, m := range l.Marks {
			b.WriteString("\\node[rankbox-muted, right, font=\\small] at " + at(m.X, m.Y) + " {" +
				export.LaTeXText(m.Text) + "};\n")
		}
	}
}
