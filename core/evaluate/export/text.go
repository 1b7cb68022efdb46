package export

import (
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// asText is the terminal's form.
var asText = Format{"text", "Text", ".txt", "text/plain; charset=utf-8", summary, writeText}

func writeText(b *builder, r *report.Report, d Detail) {
	b.line(say.Visible(r.Sentence(say.Plain)))
	if r.Note(say.Plain) != "" {
		b.line(say.Visible(r.Note(say.Plain)))
	}
	for _, t := range tables(r, d, say.Plain) {
		b.line()
		width := make([]int, len(t.head))
		show := func(c cell) string {
			if c.letter != "" {
				return c.shown(upTo) + " " + c.letter
			}
			return c.shown(upTo)
		}
		letters := make([]int, len(t.head)) // so that figures stand under one another
		for _, row := range append([][]cell{t.head}, t.rows...) {
			for i, c := range row {
				letters[i] = max(letters[i], len(c.letter))
			}
		}
		pad := func(c cell, i int) string {
			s := show(c)
			if c.number && letters[i] > 0 {
				s += strings.Repeat(" ", letters[i]-len(c.letter))
				if c.letter == "" {
					s += " "
				}
			}
			return s
		}
		for _, row := range append([][]cell{t.head}, t.rows...) {
			for i, c := range row {
				width[i] = max(width[i], utf8.RuneCountInString(pad(c, i)))
			}
		}
		for _, row := range append([][]cell{t.head}, t.rows...) {
			var l strings.Builder
			for i, c := range row {
				if i > 0 {
					l.WriteString("  ")
				}
				s := pad(c, i)
				gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
				if c.number {
					l.WriteString(gap + s)
				} else {
					l.WriteString(s + gap)
				}
			}
			b.line(strings.TrimRight(l.String(), " "))
		}
		b.line(say.Visible(t.caption))
	}
	b.line()
	for _, s := range sentences(r, d) {
		b.line(say.Visible(s))
	}
	for _, s := range doubts(r, d) {
		b.line("Warning: ", say.Visible(s))
	}
	b.line("Report ", r.Hash)
}
