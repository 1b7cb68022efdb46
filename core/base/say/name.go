package say

import (
	"strings"
	"unicode/utf8"
)

// Letter returns the letter of system i: A … Z, AA …
func Letter(i int) string {
	if i >= 26 {
		return Letter(i/26-1) + Letter(i%26)
	}
	return string(rune('A' + i))
}

// Lower writes a label or a title inside a sentence: "Dense" becomes "dense"; BM25 and the names of people stay.
func Lower(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' && !strings.HasPrefix(s, "Wilcoxon") {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}

// And lists "a", "a and b", "a, b and c"; "" for nothing.
func And(s []string) string { return list(s, " and ") }

// Or lists "a", "a or b", "a, b or c"; "" for nothing.
func Or(s []string) string { return list(s, " or ") }

func list(s []string, last string) string {
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + last + s[len(s)-1]
}

// Few lists the first of many: "a, b and 3 more" of five where most is 2.
func Few(s []string, most int) string {
	if len(s) <= most {
		return strings.Join(s, ", ")
	}
	return strings.Join(s[:most], ", ") + " and " + Thousands(len(s)-most) + " more"
}

// Visible spells out what cannot be seen or turns text round: control characters, bidirectional controls, private-use
// and other invisible characters, and bytes that are not UTF-8. Names and ids come out of other people's files; what is
// written of them can be seen.
func Visible(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			b.WriteString("[" + Hex(uint32(s[i]), 2) + "]")
		case hidden(r):
			b.WriteString("[U+" + Hex(uint32(r), 4) + "]")
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Escaped returns a text of JSON with what Visible spells out escaped in it: to a program it says the same.
func Escaped(json string) string {
	var b []byte
	done := 0
	unit := func(r rune) { b = append(append(b, `\u`...), strings.ToLower(Hex(uint32(r), 4))...) }
	for i, r := range json {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError && !strings.HasPrefix(json[i:], "\ufffd") {
			n = 1 // a byte that is not UTF-8
		} else if !hidden(r) || r == '\n' || r == '\t' || r == '\r' && strings.HasPrefix(json[i:], "\r\n") {
			continue
		}
		b = append(b, json[done:i]...)
		if r > 0xffff { // two halves, as UTF-16 has it
			unit(0xd800 + (r-0x10000)>>10)
			r = 0xdc00 + r&0x3ff
		}
		unit(r)
		done = i + n
	}
	if done == 0 {
		return json
	}
	return string(append(b, json[done:]...))
}

// hidden reports whether a character cannot be seen or changes how its neighbours are shown.
func hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // controls
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
		// soft hyphen, Arabic letter mark, Mongolian separator, byte order mark
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 &&
		r <= 0x206f: // zero width, marks, separators, embeddings, isolates
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f: // annotations, tags
	case r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000 && r <= 0x10ffff: // private use
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef: // no characters; XML refuses them
	default:
		return false
	}
	return true
}

// Hex writes v in upper-case hexadecimal digits, at least so many.
func Hex(v uint32, width int) string {
	const digits = "0123456789ABCDEF"
	var b [8]byte
	i := len(b)
	for v > 0 || len(b)-i < width {
		i--
		b[i] = digits[v&15]
		v >>= 4
	}
	return string(b[i:])
}

// Brief is Visible, cut behind so many characters.
func Brief(s string, most int) string {
	s = Visible(s)
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// Within is Visible, cut in its middle to so many characters: the names of runs often differ at their ends.
func Within(s string, most int) string {
	r := []rune(Visible(s))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most/2]) + "…" + string(r[len(r)-(most-1)/2:])
}
