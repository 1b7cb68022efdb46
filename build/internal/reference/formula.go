package reference

import "strings"

// Piece is a part of a formula as it is set.
type Piece struct {
	Up   int // 1 above the line, -1 below it
	Text string
}

// clauses splits a formula where a new statement begins: at "; " outside of parentheses.
func clauses(formula string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range formula {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			if depth == 0 && strings.HasPrefix(formula[i:], "; ") {
				out = append(out, formula[from:i])
				from = i + 2
			}
		}
	}
	return append(out, formula[from:])
}

var signs = strings.NewReplacer("<=", "≤", ">=", "≥", " x ", " × ", " * ", " · ", "*", "·", " - ", " − ", "...", "…")

// pieces sets a statement in the plain notation of the registries: powers above the line, the base of a logarithm below
// it, and the signs that a keyboard lacks. The words stay as they are.
func pieces(s string) []Piece {
	var out []Piece
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, Piece{0, minus(signs.Replace(b.String()))})
			b.Reset()
		}
	}
	for i := 0; i < len(s); {
		switch {
		case s[i] == '^' && i+1 < len(s):
			n := power(s[i+1:])
			if n == 0 {
				b.WriteByte(s[i])
				i++
				continue
			}
			flush()
			inner := s[i+1 : i+1+n]
			if inner[0] == '(' {
				inner = inner[1 : n-1]
			}
			out = append(out, Piece{1, minus(signs.Replace(inner))})
			i += 1 + n
		case strings.HasPrefix(s[i:], "log2") && (i == 0 || !word(s[i-1])) && (i+4 == len(s) || !word(s[i+4])):
			b.WriteString("log")
			flush()
			out = append(out, Piece{-1, "2"})
			i += 4
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	flush()
	return out
}

// power returns the length of the exponent at the start of s: a word or number, or everything up to the parenthesis
// that closes.
func power(s string) int {
	if s[0] != '(' {
		n := 0
		for n < len(s) && word(s[n]) {
			n++
		}
		return n
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				if i == 1 {
					return 0
				}
				return i + 1
			}
		}
	}
	return 0
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// minus replaces a hyphen beside a digit, and one that begins a number or a name after an opening sign, by a minus.
func minus(s string) string {
	b := []byte(s)
	var out strings.Builder
	digit := func(i int) bool { return i >= 0 && i < len(b) && b[i] >= '0' && b[i] <= '9' }
	for i, c := range b {
		if c == '-' && (digit(i+1) || digit(i-1) || i > 0 && (b[i-1] == '(' || b[i-1] == ' ') && i+1 < len(b) &&
			word(b[i+1])) {
			out.WriteString("−")
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
