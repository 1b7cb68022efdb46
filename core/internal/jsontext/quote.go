package jsontext

import (
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
)

// AppendQuote appends s as a JSON string to dst. Bytes that are not UTF-8 become U+FFFD. Besides what JSON must escape,
// "<" and U+2028 and U+2029 are escaped, so that the result may stand in HTML and in JavaScript.
func AppendQuote(dst []byte, s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < 0x20 || c == '<' || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == '\u2028' || r == '\u2029' {
				dst = append(dst, `\u202`...)
				dst = append(dst, hexDigits[r&15])
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}

// Quote returns s as a JSON string.
func Quote(s string) string { return string(AppendQuote(nil, s)) }

// Visible is Quote with what cannot be seen or turns text round escaped too, for what may be printed. What is hashed is
// written by Quote.
func Visible(s string) string { return string(AppendVisible(nil, s)) }

// AppendVisible appends what Visible returns to dst.
func AppendVisible(dst []byte, s string) []byte {
	from := len(dst)
	dst = AppendQuote(dst, s)
	for i := range len(s) { // of ASCII AppendQuote leaves nothing hidden
		if s[i] >= utf8.RuneSelf {
			return append(dst[:from], say.Escaped(string(dst[from:]))...)
		}
	}
	return dst
}
