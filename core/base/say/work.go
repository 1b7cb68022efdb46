package say

import "strings"

var signs = strings.NewReplacer("log2(", "log₂(", " x ", " × ", " * ", " · ", " - ", " − ", "(-", "(−", "= -", "= −")

// Work writes arithmetic in the notation of the measures, "0.2 x 0.8^3 - 1 / log2(5)", with the signs that a page has:
// "0.2 × 0.8³ − 1 / log₂(5)".
func Work(s string) string {
	s = signs.Replace(s)
	if rest, found := strings.CutPrefix(s, "-"); found {
		s = "−" + rest
	}
	parts := strings.Split(s, "^")
	var b strings.Builder
	b.WriteString(parts[0])
	for _, p := range parts[1:] {
		n := 0
		for n < len(p) && p[n] >= '0' && p[n] <= '9' {
			b.WriteString(raised[p[n]-'0'])
			n++
		}
		if n == 0 {
			b.WriteByte('^')
		}
		b.WriteString(p[n:])
	}
	return b.String()
}

var raised = [10]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}
