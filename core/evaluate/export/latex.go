package export

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// asLaTeX is for papers.
var asLaTeX = Format{"latex", "LaTeX", ".tex", "application/x-tex", summary, writeLaTeX}

// writeLaTeX writes tables with booktabs. Figures stand under one another by their decimal points, whatever is bold or
// raised behind them; a table that is too wide for a page or too long goes on in the next one.
func writeLaTeX(b *builder, r *report.Report, d Detail) {
	b.line("% Rankbox report ", r.Hash)
	b.line(`% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}.`)
	var body builder
	for i, t := range tables(r, d, say.Print) {
		caption := t.caption
		if i == 0 {
			caption = say.Visible(r.Sentence(say.Print)) + " " + caption
			if note := r.Note(say.Print); note != "" {
				caption += " " + say.Visible(note)
			}
		}
		label := "rankbox-" + t.key
		if t.key == "queries" {
			label += "-" + strconv.Itoa(i)
		}
		latexTable(&body, t, caption, label)
	}
	text := body.String()
	if strings.Contains(text, `\rankboxchar{`) {
		b.line("% Characters that not every font has: shown where they can be, named where not.")
		b.line(`\providecommand{\rankboxchar}[1]{\ifdefined\Uchar\iffontchar\font"#1 \Uchar"#1 ` +
			`\else[U+#1]\fi\else[U+#1]\fi}`)
	}
	b.WriteString(text)
	for _, s := range sentences(r, d) {
		b.line("% ", say.Visible(s))
	}
	for _, s := range doubts(r, d) {
		b.line("% Warning: ", say.Visible(s))
	}
}

// What a page takes: points across (the text width of LaTeX's own article at 10 pt, which is narrow), lines down.
const (
	latexWidth = 345
	latexLines = 42
	latexName  = 26 // digits' widths of a name that fit in a column; longer ones are broken within a third of the width
	latexLeast = 50 // points of a column of names that is made narrower so that a table stays one
)

// latexColumn says how a column is set.
type latexColumn struct {
	number  bool
	decimal bool    // split at the point
	broken  bool    // names in lines
	box     float64 // points of the lines
	width   float64 // in digits
}

func latexColumns(t table) []latexColumn {
	cols := make([]latexColumn, len(t.head))
	for i, h := range t.head {
		c := latexColumn{number: h.number, width: inDigits(latexShown(h))}
		var left, right float64
		for _, row := range t.rows {
			x := row[i]
			if !c.number && inDigits(x.text) > latexName {
				c.broken, c.box = true, 0.3*latexWidth
			}
			letters := float64(0.75 * inDigits(x.letter))
			bold := 1.0
			if x.bold {
				bold = 1.16
			}
			if at := point(x); at >= 0 {
				c.decimal = c.number
				left, right = max(left, float64(bold*inDigits(x.text[:at]))),
					max(right, float64(bold*inDigits(x.text[at:]))+letters)
			} else {
				c.width = max(c.width, float64(bold*inDigits(latexShown(x)))+letters)
			}
		}
		c.width = max(c.width, left+right)
		cols[i] = c
	}
	return cols
}

// latexShown is the whole text of a cell: a range has a dash between its ends where neither has a sign.
func latexShown(c cell) string {
	if c.minus {
		return c.shown(upTo)
	}
	return c.shown("–")
}

// latexNames is the widest column of names, -1 where there is none.
func latexNames(cols []latexColumn) int {
	at := -1
	for i, c := range cols {
		if !c.number && (at < 0 || c.width > cols[at].width) {
			at = i
		}
	}
	return at
}

// inDigits estimates how wide a text is set, in widths of a digit.
func inDigits(s string) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			sum++
		case strings.ContainsRune(" .,-−–'ijlt", r):
			sum += 0.65
		case r >= 0x7f && !latexKnows(r):
			sum += 9 // [U+4E2D]
		case strings.ContainsRune("mw%@+<>=\\_", r) || r >= 0x7f:
			sum += 1.65
		case r >= 'A' && r <= 'Z':
			sum += 1.4
		default:
			sum++
		}
	}
	return sum
}

// point returns where the decimal point of a figure is, -1 where it has none and where the cell is something else.
func point(c cell) int {
	if !c.number || c.to != "" {
		return -1
	}
	return strings.IndexByte(c.text, '.')
}

// latexSize is a size of type, with the width of a digit and the space on each side of a column, in points.
type latexSize struct {
	command    string
	digit, sep float64
}

// latexFit returns the largest size in which the columns fit a page, and the columns of each part: one part, with
// narrower names if need be, or several that all begin with the first keys columns.
func latexFit(cols []latexColumn, keys int) (latexSize, [][]int) {
	width := func(use []int, digit, sep float64) float64 {
		sum := 0.0
		for _, i := range use {
			w := digit * cols[i].width
			if cols[i].broken {
				w = cols[i].box
			}
			sum += w + 2*sep
		}
		return sum
	}
	all := make([]int, len(cols))
	for i := range all {
		all[i] = i
	}
	sizes := []latexSize{{"", 5, 6}, {`\small`, 4.63, 5}, {`\footnotesize`, 4.25, 4}, {`\footnotesize`, 4.25, 3},
		{`\scriptsize`, 3.99, 3}, {`\scriptsize`, 3.99, 2}}
	size := sizes[len(sizes)-1]
	parts := [][]int{all}
	fits := false
	for _, x := range sizes {
		if width(all, x.digit, x.sep) <= latexWidth {
			size, fits = x, true
			break
		}
	}
	if names := latexNames(cols[:keys]); !fits && names >= 0 { // narrower names, before columns go to another table
		c := cols[names]
		cols[names].broken, cols[names].box = true, 0
		if cols[names].box = latexWidth - width(all, size.digit, size.sep); cols[names].box >= latexLeast {
			fits = true
		} else {
			cols[names] = c
		}
	}
	if !fits {
		parts = nil
		var part []int
		for _, i := range all[keys:] {
			if next := append(append([]int{}, part...), i); len(part) > 0 &&
				width(append(append([]int{}, all[:keys]...), next...), size.digit, size.sep) > latexWidth {
				parts = append(parts, part)
				part = nil
			}
			part = append(part, i)
		}
		parts = append(parts, part)
		for k := range parts {
			parts[k] = append(append([]int{}, all[:keys]...), parts[k]...)
		}
	}
	return size, parts
}

// latexTable writes a table in as many parts as it needs.
func latexTable(b *builder, t table, caption, label string) {
	cols := latexColumns(t)
	keys := 0 // the columns that every part begins with
	for keys < len(cols) && !cols[keys].number {
		keys++
	}
	size, parts := latexFit(cols, keys)
	n := 0
	for _, use := range parts {
		for from := 0; from == 0 || from < len(t.rows); {
			to, lines := from, 0
			for to < len(t.rows) {
				high := 1
				for i := range keys {
					if cols[i].broken {
						high = max(high, 1+int(inDigits(t.rows[to][i].text)*size.digit/(cols[i].box*2/3)))
					}
				}
				if lines += high; lines > latexLines && to > from {
					break
				}
				to++
			}
			if n++; n == 2 {
				caption = "Continued: " + t.caption
			}
			latexPart(b, t, cols, use, t.rows[from:to], size.command, size.sep, caption, label, n)
			if from = to; from == 0 {
				break
			}
		}
	}
}

func latexPart(b *builder, t table, cols []latexColumn, use []int, rows [][]cell, size string, sep float64,
	caption, label string, n int) {
	if n > 1 {
		label += "-part-" + strconv.Itoa(n)
	}
	b.line(`\begin{table}`)
	b.line(`  \centering`)
	b.line(`  \caption{`, latexText(caption), `}`)
	b.line(`  \label{tab:`, label, `}`)
	b.line(`  \smallskip`)
	if size != "" {
		b.line("  ", size, `\setlength{\tabcolsep}{`, strconv.Itoa(int(sep)), `pt}`)
	}
	b.WriteString(`  \begin{tabular}{`)
	for _, i := range use {
		switch c := cols[i]; {
		case c.decimal:
			b.WriteString("r@{.}l")
		case c.number:
			b.WriteByte('r')
		default:
			b.WriteByte('l')
		}
	}
	b.line(`}`)
	b.line(`    \toprule`)
	row := func(cells []cell, head bool) {
		b.WriteString("    ")
		for k, i := range use {
			if k > 0 {
				b.WriteString(" & ")
			}
			c := cells[i]
			bold := func(s string) string {
				if c.bold {
					return `\textbf{` + s + `}`
				}
				return s
			}
			letter := ""
			if c.letter != "" {
				letter = `\textsuperscript{` + latexText(c.letter) + `}`
			}
			at := point(c)
			switch {
			case cols[i].decimal && head:
				b.WriteString(`\multicolumn{2}{c}{` + latexHead(c) + `}`)
			case head:
				b.WriteString(latexHead(c))
			case cols[i].decimal && at >= 0:
				b.WriteString(bold(latexFigure(c.text[:at])) + " & " + bold(latexText(c.text[at+1:])) + letter)
			case cols[i].decimal:
				b.WriteString(`\multicolumn{2}{r}{` + bold(latexFigure(latexShown(c))) + letter + `}`)
			case c.number:
				b.WriteString(bold(latexFigure(latexShown(c))) + letter)
			case cols[i].broken:
				b.WriteString(`\parbox[t]{` + strconv.Itoa(int(cols[i].box)) + `pt}{\raggedright ` +
					latexBroken(c.text) + `\strut}`)
			default:
				b.WriteString(bold(latexText(c.text)) + letter)
			}
		}
		b.line(` \\`)
	}
	row(t.head, true)
	b.line(`    \midrule`)
	for _, cells := range rows {
		row(cells, false)
	}
	b.line(`    \bottomrule`)
	b.line(`  \end{tabular}`)
	b.line(`\end{table}`)
}

// latexHead writes the name of a column.
func latexHead(c cell) string {
	if !c.symbol {
		return latexText(c.text)
	}
	s := "$" + c.text + "$"
	if c.note != "" {
		s += " (" + latexText(c.note) + ")"
	}
	return s
}

// latexBroken is latexText that may be broken within its words.
func latexBroken(s string) string {
	var b strings.Builder
	n := 0
	for i, r := range s {
		if r == ' ' {
			n = 0
		} else if n++; n > 6 || n > 1 && r >= 0x7f && !latexKnows(r) {
			b.WriteString(`\allowbreak{}`)
			n = 1
		}
		b.WriteString(latexText(s[i : i+utf8.RuneLen(r)]))
	}
	return b.String()
}

// LaTeXText is text that LaTeX sets as it stands; what cannot be seen is spelled out.
func LaTeXText(s string) string { return latexText(say.Visible(s)) }

// latexText returns s as text that LaTeX sets as it stands.
func latexText(s string) string { return latexSet(s, `\textless{}`) }

// latexFigure is latexText of a figure, in which < is a relation.
func latexFigure(s string) string { return latexSet(s, "$<$") }

func latexSet(s, less string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '-', ',', '\'': // two of them would become a dash or quotes
			b.WriteRune(r)
			if i+1 < len(s) && s[i+1] == s[i] {
				b.WriteString("{}")
			}
		case '\\':
			b.WriteString(`\textbackslash{}`)
		case '{', '}', '$', '&', '#', '_', '%':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '^':
			b.WriteString(`\textasciicircum{}`)
		case '~':
			b.WriteString(`\textasciitilde{}`)
		case '<':
			b.WriteString(less)
		case '>':
			b.WriteString(`\textgreater{}`)
		case '|':
			b.WriteString(`\textbar{}`)
		case '"':
			// \textquotedbl is an error in OT1, which is what a document has that names no encoding
			b.WriteString(`\char34{}`)
		case '`':
			b.WriteString(`\textasciigrave{}`)
		case '[', ']': // an optional argument behind \\ or \item
			b.WriteString("{" + string(r) + "}")
		case '*': // a starred form behind \\
			b.WriteString("{*}")
		case '−':
			b.WriteString("$-$")
		case '–':
			b.WriteString("--")
		case '…':
			b.WriteString(`\ldots{}`)
		default:
			if r < 0x7f || latexKnows(r) {
				b.WriteRune(r)
			} else {
				b.WriteString(`\rankboxchar{` + say.Hex(uint32(r), 4) + "}")
			}
		}
	}
	return b.String()
}

// latexKnows reports whether pdfLaTeX, with T1 fonts and nothing else, has a character: of the European letters of
// Unicode's first pages all but a few.
func latexKnows(r rune) bool {
	switch r {
	case 0xad, 0x126, 0x127, 0x138, 0x13f, 0x140, 0x149, 0x166, 0x167, 0x17f:
		return false
	}
	return r >= 0xa1 && r <= 0x17f
}
