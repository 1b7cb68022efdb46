package collection

import (
	"strings"
	"unicode/utf8"
)

// piece is how long the piece is that s begins with: to behind the first character at which a spreadsheet may begin a
// cell, being told of another separator than the file was written for.
func piece(s string) int {
	if i := strings.IndexAny(s, ";|\t\r\n"); i >= 0 {
		return i + 1
	}
	return len(s)
}

// formula reports whether a spreadsheet would take a piece for a formula or a command: what begins, perhaps behind
// blanks, quotes and apostrophes, with one of = + - @ % and those that look like them; and the first of a cell with a
// bar, a tab or a carriage return too, which stand between two behind it.
func formula(piece string, first bool) bool {
	t := strings.TrimLeft(piece, " '\"\u00a0\u3000")
	switch r, _ := utf8.DecodeRuneInString(t); r {
	case '=', '+', '-', '@', '%', '＝', '＋', '－', '＠', '−':
		return true
	case '|', '\t', '\r':
		return first
	}
	return false
}

// Guard puts an apostrophe before every piece of a cell of a CSV that a spreadsheet would take for a formula or a
// command. Unguard takes them off.
func Guard(s string) string {
	var b []byte
	done := 0
	for from := 0; from < len(s); {
		n := piece(s[from:])
		if formula(s[from:from+n], from == 0) {
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

// Unguard returns what Guard made s of.
func Unguard(s string) string {
	var b []byte
	done := 0
	for from := 0; from < len(s); {
		n := piece(s[from:])
		if s[from] == '\'' && formula(s[from+1:from+n], from == 0) {
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

// guarded is Guard of what is no number: that is what spreadsheets shall take it for.
func guarded(s string) string {
	if _, err := parseScore(view(s)); err == nil {
		return s
	}
	return Guard(s)
}

// unguarded returns what guarded made b of.
func unguarded(b []byte) []byte {
	if !holds(b, '\'') {
		return b
	}
	if s := Unguard(text(b)); len(s) < len(b) && guarded(s) != s {
		return view(s)
	}
	return b
}
