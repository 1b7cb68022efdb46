package text

import "unicode/utf8"

// javaSplit finds the words of Lucene's WhitespaceTokenizer: runs without Java's Character.isWhitespace. A word
// ends after the character that brings it to 255 UTF-16 code units, so it has 256 if that character takes two.
func javaSplit(s string, emit func(start, end int)) {
	start, units := -1, 0
	for i := 0; i < len(s); {
		c := s[i]
		n, wide := 1, 1
		space := c == ' ' || c-'\t' < 5 || c-0x1c < 4
		if c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			if n == 4 {
				wide = 2
			}
			space = javaSpace(r)
		}
		if space {
			if start >= 0 {
				emit(start, i)
				start = -1
			}
			i += n
			continue
		}
		if start < 0 {
			start, units = i, 0
		}
		i += n
		if units += wide; units >= maxWord {
			emit(start, i)
			start = -1
		}
	}
	if start >= 0 {
		emit(start, len(s))
	}
}

// javaSpace is Character.isWhitespace beyond ASCII: Unicode's separators except the no-break spaces.
func javaSpace(r rune) bool {
	switch {
	case r == 0x1680, r >= 0x2000 && r <= 0x200a && r != 0x2007, r == 0x2028, r == 0x2029, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}
