package golden

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/near"
)

// otherForm reports whether two texts differ only in how letters with accents are written: as one character (NFC, as
// most tools write) or as a letter and combining marks (NFD, as macOS names files). It reads no table of letters, so
// that it takes any composed letter for any accented one at that place.
func otherForm(a, b string) bool {
	if a == b || isASCII(a) && isASCII(b) {
		return false
	}
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		a, b = a[n:], b[m:]
		if x == y {
			continue
		}
		switch {
		case x >= utf8.RuneSelf && unicode.IsLetter(x) && marked(&b):
		case y >= utf8.RuneSelf && unicode.IsLetter(y) && marked(&a):
		default:
			return false
		}
	}
	return a == "" && b == ""
}

// marked takes the combining marks off the beginning of a text, and reports whether there are any.
func marked(s *string) bool {
	rest := strings.TrimLeftFunc(*s, func(r rune) bool { return unicode.Is(unicode.Mn, r) })
	has := len(rest) < len(*s)
	*s = rest
	return has
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// plainID is an id as near ones are alike: without folder, ending, case and what parts its words.
func plainID(id string) string {
	base := path.Base(strings.ReplaceAll(id, "\\", "/"))
	return plain(strings.TrimSuffix(base, path.Ext(base)))
}

// meant says which of the ids was probably meant by one that is none of them: "" for none.
func meant(doc string, ids []string, any bool) string {
	for _, id := range ids {
		if otherForm(doc, id) {
			return "; " + quoted(id) + " exists in another Unicode form"
		}
	}
	for _, id := range ids {
		if id != doc && plainID(id) != "" && plainID(id) == plainID(doc) {
			return "; did you mean " + quoted(id) + "?"
		}
	}
	if !any {
		return ""
	}
	if id := near.Name(doc, ids); id != "" {
		return "; did you mean " + quoted(id) + "?"
	}
	return ""
}
