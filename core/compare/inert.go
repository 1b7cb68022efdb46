package compare

import (
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/say"
)

// Names and ids come out of other people's files. What is written of them can be seen and does nothing: control characters and those
// that turn text round are spelled out, and every format escapes what it would act on.

// maxName is how many characters of a name a table shows.
const maxName = 120

func brief(s string) string { return say.Brief(s, maxName) }

// latexText returns s as text that LaTeX sets as it stands.
func latexText(s string) string {
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
			b.WriteString(`\textless{}`)
		case '>':
			b.WriteString(`\textgreater{}`)
		case '|':
			b.WriteString(`\textbar{}`)
		case '"':
			b.WriteString(`\textquotedbl{}`)
		case '`':
			b.WriteString(`\textasciigrave{}`)
		case '[', ']': // an optional argument behind \\ or \item
			b.WriteString("{" + string(r) + "}")
		case '*': // a starred form behind \\
			b.WriteString("{*}")
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

// latexKnows reports whether pdfLaTeX, with T1 fonts and nothing else, has a character: of the European letters of Unicode's first pages all but a few.
func latexKnows(r rune) bool {
	switch r {
	case 0xad, 0x126, 0x127, 0x138, 0x13f, 0x140, 0x149, 0x166, 0x167, 0x17f:
		return false
	}
	return r >= 0xa1 && r <= 0x17f
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
			if strings.HasPrefix(s[i:], ":/") || strings.HasSuffix(strings.ToLower(s[:i]), "mailto") || strings.HasSuffix(strings.ToLower(s[:i]), "xmpp") {
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

// csvCell returns s as a cell: quoted where that is needed, and with an apostrophe before what a spreadsheet would take for a
// formula or a command.
func csvCell(s string) string {
	s = say.Visible(s)
	if t := strings.TrimLeft(s, " '\"\u00a0\u3000"); t != "" {
		switch r, _ := utf8.DecodeRuneInString(t); r {
		case '=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠', '−':
			s = "'" + s
		}
	}
	if strings.ContainsAny(s, ",;\"\t") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// word returns s as one word of a TREC file.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == ' ' || r == 0xa0 || r == 0x3000 {
			return '_'
		}
		return r
	}, say.Visible(s))
	if s == "" {
		return "_"
	}
	return s
}
