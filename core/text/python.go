package text

import (
	"unicode"
	"unicode/utf8"
)

// Class bits in the table python.
const (
	pyWord      = 1 << iota // re's \w
	pySpace                 // str.isspace
	pyCased                 // Cased and not Case_Ignorable
	pyIgnorable             // Case_Ignorable
)

// pythonSplit finds the words of str.split(), which are re's \S+: runs without white space.
func pythonSplit(s string, emit func(start, end int)) {
	start := -1
	for i := 0; i < len(s); {
		c := s[i]
		n := 1
		space := c == ' ' || c-'\t' < 5 || c-0x1c < 4
		if c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			space = python.ready().of(r)&pySpace != 0
		}
		switch {
		case space && start >= 0:
			emit(start, i)
			start = -1
		case !space && start < 0:
			start = i
		}
		i += n
	}
	if start >= 0 {
		emit(start, len(s))
	}
}

// pythonWords finds the words of re's \w+ in s.lower() with at least least characters (1 or 2). The capital dotted
// I ends a word: its lower case is an i and a combining dot, which is no word character.
func pythonWords(s string, least int, emit func(start, end int)) {
	start, last := -1, 0 // last: start of the word's latest character
	for i := 0; i < len(s); {
		n := 1
		var in, ends bool
		if c := s[i]; c < utf8.RuneSelf {
			k := byteKind[c]
			in = k == kindWord || k == kindJoin
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			in = python.ready().of(r)&pyWord != 0
			ends = r == dottedI
		}
		if in {
			if start < 0 {
				start = i
			}
			last = i
		}
		if start >= 0 && (!in || ends) {
			if least < 2 || last > start {
				emit(start, i+n*b2i(in))
			}
			start = -1
		}
		i += n
	}
	if start >= 0 && (least < 2 || last > start) {
		emit(start, len(s))
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

const (
	dottedI      = 'İ'
	dot          = '\u0307'
	sigma        = 'Σ'
	finalSigma   = 'ς'
	medialSigma  = 'σ'
	replacedByte = utf8.RuneError
)

// plainLower reports whether s is ASCII without capitals, so that lower-casing changes nothing, and whether it is
// ASCII.
func plainLower(s string) (same, ascii bool) {
	same = true
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return false, false
		}
		if c-'A' < 26 {
			same = false
		}
	}
	return same, true
}

// pythonLower is str.lower(): simple lower case, except that İ becomes i and a combining dot, and Σ becomes ς at
// the end of a word. Bytes that are not UTF-8 become U+FFFD.
func pythonLower(s string) string {
	same, ascii := plainLower(s)
	if same {
		return s
	}
	out := make([]byte, 0, len(s)+4)
	if ascii {
		return string(appendASCIILower(out, s))
	}
	for i, r := range s {
		switch r {
		case dottedI:
			out = utf8.AppendRune(append(out, 'i'), dot)
		case sigma:
			if endsWord(s, i) {
				out = utf8.AppendRune(out, finalSigma)
			} else {
				out = utf8.AppendRune(out, medialSigma)
			}
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return string(out)
}

// endsWord reports whether the capital sigma at s[i] ends a word: a cased letter comes before it and none after it,
// ignoring case-ignorable characters (accents, apostrophes).
func endsWord(s string, i int) bool {
	t := python.ready()
	before := false
	for h := i; h > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:h])
		k := t.of(r)
		if k&pyIgnorable != 0 {
			h -= n
			continue
		}
		before = k&pyCased != 0
		break
	}
	if !before {
		return false
	}
	for _, r := range s[i+len(string(sigma)):] {
		if k := t.of(r); k&pyIgnorable == 0 {
			return k&pyCased == 0
		}
	}
	return true
}

// javaLower applies Character.toLowerCase to each code point, as Lucene's LowerCaseFilter does: one character stays
// one. Bytes that are not UTF-8 become U+FFFD.
func javaLower(s string) string {
	same, ascii := plainLower(s)
	if same {
		return s
	}
	out := make([]byte, 0, len(s)+4)
	if ascii {
		return string(appendASCIILower(out, s))
	}
	for _, r := range s {
		out = utf8.AppendRune(out, unicode.ToLower(r))
	}
	return string(out)
}

func appendASCIILower(out []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c-'A' < 26 {
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return out
}
