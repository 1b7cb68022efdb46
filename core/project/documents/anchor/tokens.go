package anchor

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/project/documents/chunk"
)

// token is a run of letters and digits, or another rune that is no white space. Equal numbers are equal tokens, letter
// case and the forms of quotes and dashes apart.
type token struct {
	number     int32
	start, end int
}

// tokens splits a text. numbers gives each token its number, and is added to.
func tokens(text string, numbers map[string]int32) []token {
	var out []token
	var word []byte
	start := -1
	add := func(end int) {
		n, ok := numbers[string(word)]
		if !ok {
			n = int32(len(numbers))
			numbers[string(word)] = n
		}
		out = append(out, token{n, start, end})
		start, word = -1, word[:0]
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if start >= 0 && !letter {
			add(i)
		}
		i += size
		if unicode.IsSpace(r) {
			continue
		}
		if start < 0 {
			start = i - size
		}
		word = utf8.AppendRune(word, plain(r))
		if !letter || r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			add(i)
		}
	}
	if start >= 0 {
		add(len(text))
	}
	return out
}

// plain is a rune without letter case and typography.
func plain(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '`', '´':
		return '\''
	case '“', '”', '„', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '−':
		return '-'
	}
	return unicode.ToLower(r)
}

// rangeOf are the tokens that share a byte with a span.
func rangeOf(list []token, s chunk.Span) (from, to int) {
	from, _ = slices.BinarySearchFunc(list, s.Start, func(t token, at int) int {
		if t.end <= at {
			return -1
		}
		return 1
	})
	to = from
	for to < len(list) && list[to].start < s.End {
		to++
	}
	return from, to
}

// hull is the span of a range of tokens.
func hull(list []token, r [2]int) chunk.Span {
	return chunk.Span{Start: list[r[0]].start, End: list[r[1]-1].end}
}

// occurrences are the ranges of a list that equal a passage, which do not overlap.
func occurrences(list, passage []token) (out [][2]int) {
	if len(passage) == 0 {
		return nil
	}
	for i := 0; i+len(passage) <= len(list); {
		if list[i].number == passage[0].number && equal(list[i:i+len(passage)], passage) {
			out = append(out, [2]int{i, i + len(passage)})
			i += len(passage)
		} else {
			i++
		}
	}
	return out
}

// equal says whether passages have the same tokens.
func equal(a, b []token) bool {
	return slices.EqualFunc(a, b, func(x, y token) bool { return x.number == y.number })
}

// count is how often a passage is in a list, overlapping ones included.
func count(list, passage []token) (n int) {
	for i := 0; i+len(passage) <= len(list); i++ {
		if equal(list[i:i+len(passage)], passage) {
			n++
		}
	}
	return n
}
