package collection

import (
	"strings"
	"unicode/utf8"
)

// firstPiece returns the length of the first piece of s. A piece ends after the first character that could end a
// cell in a spreadsheet that is told another separator than the file has.
func firstPiece(s string) int {
	if i := strings.IndexAny(s, ";|\t\r\n"); i >= 0 {
		return i + 1
	}
	return len(s)
}

// startsFormula reports whether a spreadsheet would read a piece as a formula or a command. Such a piece begins,
// perhaps after blanks, quotes and apostrophes, with = + - @ % or a lookalike. The first piece of a cell may also
// begin with a bar, a tab or a carriage return.
func startsFormula(piece string, first bool) bool {
	t := strings.TrimLeft(piece, " '\"\u00a0\u3000")
	switch r, _ := utf8.DecodeRuneInString(t); r {
	case '=', '+', '-', '@', '%', '＝', '＋', '－', '＠', '−':
		return true
	case '|', '\t', '\r':
		return first
	}
	return false
}

// Guard puts an apostrophe before every piece of a CSV cell that a spreadsheet would read as a formula or a
// command. Unguard reverses it.
func Guard(s string) string {
	var b []byte
	done := 0
	for from := 0; from < len(s); {
		n := firstPiece(s[from:])
		if startsFormula(s[from:from+n], from == 0) {
			b = append(append(b, s[done:from]...), '\'')
			done = from
		}
		from += n
	}
	if b == nil {
		return s
	}
	return string(append(b, s[done:]...))
}

// Unguard reverses Guard.
func Unguard(s string) string {
	var b []byte
	done := 0
	for from := 0; from < len(s); {
		n := firstPiece(s[from:])
		if s[from] == '\'' && startsFormula(s[from+1:from+n], from == 0) {
			b = append(b, s[done:from]...)
			done = from + 1
		}
		from += n
	}
	if done == 0 {
		return s
	}
	return string(append(b, s[done:]...))
}

// guarded applies Guard unless s is a number: spreadsheets should read numbers as such.
func guarded(s string) string {
	if _, err := parseScore(view(s)); err == nil {
		return s
	}
	return Guard(s)
}

// unguarded reverses guarded.
func unguarded(b []byte) []byte {
	if !hasByte(b, '\'') {
		return b
	}
	if s := Unguard(viewString(b)); len(s) < len(b) && guarded(s) != s {
		return view(s)
	}
	return b
}
