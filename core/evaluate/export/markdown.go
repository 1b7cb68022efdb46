package export

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// asMarkdown is what GitHub and others make tables of.
var asMarkdown = Format{"md", "Markdown", ".md", "text/markdown; charset=utf-8", summary, writeMarkdownFile}

// The data of a report in Markdown are between these, in a comment that nobody sees: the columns of the tests on further
// measures, a blank, and what packed.Carry returns. Markdown without every query's values carries none.
const (
	CarriedOpen  = "<!-- rankbox data "
	CarriedClose = " -->"
)

// writeMarkdownFile writes Markdown with the data that verify makes it of again.
func writeMarkdownFile(b *builder, r *report.Report, d Detail) {
	writeMarkdown(b, r, d)
	if d.Queries {
		columns := "0"
		for _, t := range d.tests(r)[1:] {
			columns += "," + strconv.Itoa(t.Column)
		}
		b.line()
		b.line(CarriedOpen, columns, " ", packed.Carry(r), CarriedClose)
	}
}

func writeMarkdown(b *builder, r *report.Report, d Detail) {
	b.line(markdownText(say.Visible(r.Sentence(say.Plain))))
	if r.Note(say.Plain) != "" {
		b.line(markdownText(say.Visible(r.Note(say.Plain))))
	}
	for _, t := range tables(r, d, say.Plain) {
		b.line()
		row := func(cells []cell) {
			b.WriteByte('|')
			for _, c := range cells {
				s := markdownText(c.shown(upTo))
				if c.bold {
					s = "**" + s + "**"
				}
				if c.letter != "" {
					s += " <sup>" + markdownText(c.letter) + "</sup>"
				}
				b.WriteString(" " + s + " |")
			}
			b.line()
		}
		row(t.head)
		b.WriteByte('|')
		for _, c := range t.head {
			if c.number {
				b.WriteString(" ---: |")
			} else {
				b.WriteString(" --- |")
			}
		}
		b.line()
		for _, cells := range t.rows {
			row(cells)
		}
		b.line()
		b.line(markdownText(say.Visible(t.caption)))
	}
	b.line()
	for _, s := range sentences(r, d) {
		b.line("- ", markdownText(say.Visible(s)))
	}
	for _, s := range doubts(r, d) {
		b.line("- Warning: ", markdownText(say.Visible(s)))
	}
	b.line("- Report `", r.Hash, "`")
}

// markdownText returns s as text that Markdown (also GitHub's, in a table) and the HTML made of it show as it stands.
func markdownText(s string) string {
	alnum := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
	}
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '|':
			b.WriteString("&#124;") // a backslash does not help in every table
			continue
		case '\\', '`', '*', '[', ']', '#', '~', '$', '^':
			b.WriteByte('\\')
		case '_': // inside a word it is itself
			if !alnum(i-1) || !alnum(i+1) {
				b.WriteByte('\\')
			}
		case '@': // GitHub's names and addresses; not nDCG@10
			if !(alnum(i-1) || i > 0 && s[i-1] == ')') || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
				b.WriteByte('\\')
			}
		case ':': // addresses: GitHub makes links of them
			if strings.HasPrefix(s[i:], ":/") || strings.HasSuffix(strings.ToLower(s[:i]), "mailto") ||
				strings.HasSuffix(strings.ToLower(s[:i]), "xmpp") {
				b.WriteByte('\\')
			}
		case '.':
			if i >= 3 && strings.EqualFold(s[i-3:i], "www") {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}
