package say

import (
	"slices"
	"strings"
)

// FewAlike is how many messages of one kind are written out. Of more, one is.
const FewAlike = 5

// Alike cuts floods: of more than a few messages that differ in names and numbers alone it leaves the first, with how
// many are like it. The order stays.
func Alike(messages []string) []string {
	if len(messages) <= FewAlike {
		return messages
	}
	count := map[string]int{}
	kinds := make([]string, len(messages))
	for i, m := range messages {
		kinds[i] = Kind(m)
		count[kinds[i]]++
	}
	out := slices.Clone(messages[:0])
	for i, m := range messages {
		switch n := count[kinds[i]]; {
		case n < 0: // counted already
		case n > FewAlike:
			count[kinds[i]] = -1
			out = append(out, strings.TrimSuffix(m, ".")+" (and "+Thousands(n-1)+" like it)")
		default:
			out = append(out, m)
		}
	}
	return out
}

// Kind is what messages that are alike have in common: the text after the first colon, without quoted words, and with 0
// for every number.
func Kind(m string) string {
	if _, rest, ok := strings.Cut(m, ": "); ok {
		m = rest
	}
	var b strings.Builder
	quoted, number := false, false
	for _, r := range m {
		if r == '"' {
			quoted = !quoted
		}
		digit := r >= '0' && r <= '9' || number && (r == '.' || r == ',')
		switch {
		case quoted:
		case !digit:
			b.WriteRune(r)
		case !number:
			b.WriteByte('0')
		}
		number = digit
	}
	return b.String()
}

// How many characters of a name, and of a sentence that others had a part in, people are shown.
const (
	mostName     = 200
	mostSentence = 4000
)

// Cut cuts what nobody reads to its end out of the middle: words of more than 200 characters, such as the name of a
// run, and sentences of more than 4,000.
func Cut(s string) string {
	if len(s) <= mostName {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		end := strings.IndexAny(s, " \t\n")
		if end < 0 {
			end = len(s)
		}
		b.WriteString(middle(s[:end], mostName))
		if s = s[end:]; len(s) > 0 {
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return middle(b.String(), mostSentence)
}

// middle cuts the middle of a text out, so that at most most characters are left.
func middle(s string, most int) string {
	if len(s) <= most {
		return s
	}
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most/2]) + "…" + string(r[len(r)-(most-1)/2:])
}
