// Package say writes numbers, probabilities, counts, sizes, names and lists as this project says them everywhere: on
// the page, in the terminal and in files. It is a leaf: it knows no report and no measure, and it escapes for no format
// (see export).
//
// A Style says which characters a place can show; what does not depend on it is a plain function.
package say

import (
	"math"
	"strconv"
	"strings"
)

// Style is where something is shown.
type Style int

const (
	// Page is the page: true minus signs, and an en dash where there is no number.
	Page Style = iota
	// Plain is the terminal and files: ASCII, which other programs read too, and "n/a" where there is no number.
	Plain
	// Print is what is set for print: true minus signs, and otherwise Plain.
	Print
)

// None is what stands in the place of a number that there is not.
func (s Style) None() string {
	if s == Page {
		return "–"
	}
	return "n/a"
}

// Number writes v with so many decimals. What rounds to 0 has no sign.
func (s Style) Number(v float64, decimals int) string {
	if math.IsNaN(v) {
		return s.None()
	}
	return s.sign(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Short writes v as short as it can be, with at most six decimals.
func (s Style) Short(v float64) string {
	text := s.Number(v, 6)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Int writes a whole number.
func (s Style) Int(n int) string { return s.sign(strconv.Itoa(n)) }

// Grade writes a grade: 3, or 0.7 with all its decimals.
func (s Style) Grade(g float64) string { return s.sign(strconv.FormatFloat(g, 'f', -1, 64)) }

// sign puts the minus sign of the style before a decimal, and none before −0, −0.00 …
func (s Style) sign(text string) string {
	rest, negative := strings.CutPrefix(text, "-")
	switch {
	case !negative:
		return text
	case strings.Trim(rest, "0.") == "":
		return rest
	}
	return s.minus() + rest
}

// rounding is how far from 0 a figure is that arithmetic alone moved away from it.
const rounding = 1e-12

// Beside is what an end of an interval moves to if 0 is no part of the interval but every number beyond it is. Gap
// writes it as "> 0", and -Beside as "< 0".
const Beside = math.SmallestNonzeroFloat64

// Gap is Number of a difference, or of an end of an interval of one. What is not 0 is never written as 0, so that its
// side is seen: it gets the decimals that its first digit needs, and from 1e-9 on an exponent.
func (s Style) Gap(v float64, decimals int) string {
	switch v {
	case Beside:
		return "> 0"
	case -Beside:
		return "< 0"
	}
	text := s.Number(v, decimals)
	for ; strings.Trim(text, "-0.") == "" && math.Abs(v) > rounding && decimals < 8; decimals++ {
		text = s.Number(v, decimals+1)
	}
	if strings.Trim(text, "-0.") == "" && math.Abs(v) > rounding {
		return s.sign(strconv.FormatFloat(v, 'e', 0, 64))
	}
	return text
}

// Signed is Gap with a plus sign where it is not negative: +0.00 too.
func (s Style) Signed(v float64, decimals int) string {
	text := s.Gap(v, decimals)
	if math.IsNaN(v) || strings.ContainsAny(text[:1], "-+<>") || strings.HasPrefix(text, "−") {
		return text
	}
	return "+" + text
}

// Percent writes a share as a percentage: 0.125 is "12.5 %" with one decimal. A share that is not all and not nothing
// is never written as 100 % or 0 %: it gets the decimals that it needs, at most four.
func (s Style) Percent(share float64, decimals int) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return s.None()
	}
	text := s.Number(100*share, decimals)
	for d := decimals; share > 0 && share < 1 && d < 4; d++ {
		if v, _ := strconv.ParseFloat(text, 64); v > 0 && v < 100 {
			break
		}
		text = s.Number(100*share, d+1)
	}
	return text + s.percent()
}

// percent is the sign behind a number, on the page with a space at which no line breaks.
func (s Style) percent() string {
	if s == Page {
		return "\u00a0%"
	}
	return " %"
}

// Change writes the change from old to new in percent of old with one decimal: "+13.2 %"; "from 0" where old is 0 and
// new is not.
func (s Style) Change(old, new float64) string {
	v := Relative(old, new)
	switch {
	case math.IsNaN(v):
		return s.None()
	case math.IsInf(v, 0):
		return "from 0"
	}
	return s.Signed(100*v, 1) + s.percent()
}

// Relative returns the change from old to new as a share of old: ±Inf from 0, 0 where both are 0.
func Relative(old, new float64) float64 {
	switch {
	case math.Abs(new-old) <= rounding*max(1, math.Abs(old)):
		return 0
	case math.Abs(old) <= rounding:
		return math.Copysign(math.Inf(1), new-old)
	}
	return (new - old) / math.Abs(old)
}

// P writes a p-value to three decimals, as a cell has it: "0.012", "< 0.001". Rounding never takes it to the other side
// of 0.05, at which is decided: 0.0498 is no 0.050.
func (s Style) P(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	for d := 3; d < 17; d++ {
		text := s.Number(p, d)
		if v, err := strconv.ParseFloat(text, 64); err != nil || v < 0.05 == (p < 0.05) {
			return text
		}
	}
	return s.Number(p, 3)
}

// PIs is P as a sentence has it: "p = 0.012", "p < 0.001". On the page no line breaks within it.
func (s Style) PIs(p float64) string {
	text := s.P(p)
	if p >= 0.001 {
		text = "= " + text
	}
	text = "p " + text
	if s == Page {
		text = strings.ReplaceAll(text, " ", "\u00a0")
	}
	return text
}

// PAtMost is PIs of a p-value that is a bound, because none of so many random patterns was as far out:
// "p ≤ 0.0004 (5,000 draws)".
func (s Style) PAtMost(p float64, draws int) string {
	scale := 1000.0
	for float64(p*scale) < 1 && scale < 1e6 {
		scale *= 10
	}
	up := math.Ceil(float64(p*scale)-1e-9) / scale
	text := "p ≤ " + s.Short(up) + " (" + Thousands(draws) + " draws)"
	if s == Page {
		text = strings.ReplaceAll(text, " ", "\u00a0")
	}
	return text
}

// FineP writes a p-value with four figures that mean something: "0.0123", "1.23e-09".
func (s Style) FineP(p float64) string {
	if p >= 1e-4 || p == 0 || math.IsNaN(p) {
		return s.Number(p, 4)
	}
	return strings.Replace(strconv.FormatFloat(p, 'e', 2, 64), "-", s.minus(), 1)
}

func (s Style) minus() string {
	if s == Plain {
		return "-"
	}
	return "−"
}

// Span writes a range: "0.1234 to 0.2345".
func (s Style) Span(low, high float64, decimals int) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return s.None()
	}
	return s.Gap(low, decimals) + " to " + s.Gap(high, decimals)
}

// Exact writes a number with all its digits, as files have it: nothing where it is not one.
func Exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'g', -1, 64) // -0 is 0
}

// Thousands writes 5183 as 5,183.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Count writes "1 query" or "3 queries".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Verb chooses by a count what has no number in it: is or are, has or have.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Bytes writes a count of bytes: "1 GiB" where it is a whole number of those, else in decimal units.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return strconv.FormatInt(n>>30, 10) + " GiB"
	case n >= 1e9:
		return strconv.FormatFloat(float64(n)/1e9, 'f', 1, 64) + " GB"
	case n >= 1e6:
		s := strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64)
		return strings.TrimSuffix(s[:min(4, len(s))], ".") + " MB" // three digits
	case n >= 1e3:
		return strconv.FormatInt(n/1e3, 10) + " kB"
	}
	return Count(int(n), "byte", "bytes")
}
