package ui

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Words is a sentence whose terms lead to their definitions. A term is a link of class term into the reference;
// site/js/terms.js shows the definition on the page.
type Words struct {
	Text string
	dom.Kept
}

// Shown is what the component shows.
func (c *Words) Shown() any { return c.Text }

// Pieces are the terms and what is between them.
func (c *Words) Pieces() []Piece { return linked(c.Text) }

// Piece is a part of a sentence, with the address of its definition where it is a term.
type Piece struct{ Text, To string }

// ToTest is where a test, a correction or another term of the statistics is defined.
func ToTest(name string) string { return "/tests#" + name }

// ToMeasure is where the measure of a notation is defined.
func ToMeasure(notation string) string {
	if i := strings.IndexAny(notation, "@("); i >= 0 {
		notation = notation[:i]
	}
	return "/measures#" + notation
}

// ToPolicy is where a decision is explained.
func ToPolicy(name string) string { return "/measures#policy-" + name }

// ToTool is where the conventions of a tool are.
func ToTool(name string) string { return "/measures#as-" + strings.ReplaceAll(name, " ", "-") }

// ToCorrection is where a correction is defined; "" is Holm's.
func ToCorrection(name string) string {
	if name == "" {
		name = "holm"
	}
	if name != report.NoCorrection {
		if x, err := significance.LookupCorrection(name); err == nil {
			name = x.Name
		}
	}
	return ToTest(name)
}

// dictionary is the words that are linked in sentences, those that hold others first.
var dictionary = sync.OnceValue(func() []Piece {
	d := []Piece{
		{"95 % interval of the gain", "interval"}, {"95 % interval", "mean-interval"},
		{"share a letter", "letters"}, {"significantly", "p"},
		{"Cohen's d", "d_z"}, {"found 80 times in 100", "power"}, {"TOST", "tost"},
		{"rank-biased overlap", "rbo"}, {"RBO", "rbo"}, {"τ_AP", "tau_ap"}, {"Kendall's τ", "tau"}, {"τ", "tau"},
	}
	for _, t := range significance.All() {
		d = append(d, Piece{t.Title, t.Name}, Piece{strings.ToLower(t.Title[:1]) + t.Title[1:], t.Name})
	}
	all := significance.Corrections()
	for _, hyphened := range []bool{true, false} {
		for _, x := range all {
			if strings.ContainsRune(x.Title, '–') == hyphened {
				d = append(d, Piece{x.Title, x.Name})
			}
		}
	}
	for i := range d {
		d[i].To = ToTest(d[i].To)
	}
	return d
})

// linked cuts a sentence at its terms. Each is linked where it stands first, as a word of its own.
func linked(s string) []Piece {
	out := []Piece{{Text: s}}
	done := map[string]bool{}
	for _, w := range dictionary() {
		if done[w.To] || !strings.Contains(s, w.Text) {
			continue
		}
		for i := range out {
			at := -1
			if out[i].To == "" {
				at = find(out[i].Text, w.Text)
			}
			if at < 0 {
				continue
			}
			whole := out[i].Text
			parts := []Piece{{whole[:at], ""}, w, {whole[at+len(w.Text):], ""}}
			if parts[2].Text == "" {
				parts = parts[:2]
			}
			if at == 0 {
				parts = parts[1:]
			}
			out = append(out[:i], append(parts, out[i+1:]...)...)
			done[w.To] = true
			break
		}
	}
	return out
}

// find returns where a word stands in s with no letter, digit, "_" or "-" on either side, or -1.
func find(s, word string) int {
	joins := func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-–", r))
	}
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, n := utf8.DecodeRuneInString(s[i+len(word):])
		if !joins(before) && !joins(after) {
			return i
		}
		from = i + len(word) + n
		if from > len(s) {
			return -1
		}
	}
}
