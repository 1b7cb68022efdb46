package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// claim is a test that supports a comparative sentence of a lesson. The sentence cites it by name: {claim NAME}.
type claim struct {
	line       int
	name, test string
}

// comparatives are the words that mark a sentence as comparative. Such a sentence needs a claim.
var comparatives = []string{"better", "worse", "win", "wins", "won", "winner", "winners", "lead", "leads", "led",
	"ahead", "beat", "beats",
	"lose", "loses", "outperforms", "overtakes", "stronger", "weaker"}

// supports returns why the data do not support a claim, or nil. The tests:
//
//	m better B A         B is better than A by the paired test of comparison m's first measure,
//	                     corrected over its pairs
//	m inseparable B A    that test finds no difference
//	m above B A AP       the mean of B is better than that of A, without a test
//	a above b AP         the measure of the ranking a is better than that of b
//	concept: reason      the sentence explains an idea and claims nothing about the data
func (r *resolver) supports(test string) error {
	if reason, ok := strings.CutPrefix(test, "concept:"); ok {
		if len(strings.Fields(reason)) < 3 {
			return errors.New("a concept says why it needs no test, in three words at least")
		}
		return nil
	}
	words := strings.Fields(test)
	if len(words) < 4 {
		return fmt.Errorf("%q is no test: write m better B A, m inseparable B A, m above B A AP, "+
			"a above b AP or concept: reason", test)
	}
	if t, ok := r.facts[words[0]].(*table); ok {
		return r.tableAbove(t, words)
	}
	c, ok := r.facts[words[0]].(*comparison)
	if !ok {
		return fmt.Errorf("there is no comparison and no ranking %q", words[0])
	}
	systems := [2]int{}
	for i, w := range words[2:4] {
		if systems[i] = int(w[0]) - 'A'; len(w) != 1 || systems[i] < 0 || systems[i] >= len(c.Systems) {
			return fmt.Errorf("%q is no system: A is the first of %d", w, len(c.Systems))
		}
	}
	x, y := systems[0], systems[1]
	switch words[1] {
	case "above":
		if len(words) != 5 {
			return errors.New("above is followed by two systems and a measure")
		}
		at := slices.IndexFunc(c.Columns, func(col report.Column) bool { return col.Measure == words[4] })
		if at < 0 {
			return fmt.Errorf("%q is not among the measures", words[4])
		}
		if col := &c.Columns[at]; !isBetter(col.Means[x], col.Means[y], col.Lower) {
			return fmt.Errorf("the mean %s of %s is %s, that of %s is %s", words[4], c.Systems[x].Label,
				decimals(col.Means[x]), c.Systems[y].Label, decimals(col.Means[y]))
		}
		return nil
	case "better", "inseparable":
		at := slices.IndexFunc(c.Pairs, func(p report.Pair) bool {
			return p.A == x && p.B == y || p.A == y &&
				p.B == x
		})
		if at < 0 {
			return errors.New("the pair was not tested")
		}
		col, p := &c.Columns[0], c.Pairs[at].Adjusted
		apart := p < report.Alpha
		if words[1] == "better" && (!apart || !isBetter(col.Means[x], col.Means[y], col.Lower)) ||
			words[1] == "inseparable" && (apart || math.IsNaN(p)) {
			return fmt.Errorf("the test of %s says otherwise: difference %s, corrected p %s", col.Measure,
				decimals(col.Means[x]-col.Means[y]), decimals(p))
		}
		return nil
	}
	return fmt.Errorf("unknown test %q", words[1])
}

func (r *resolver) tableAbove(a *table, words []string) error {
	b, ok := r.facts[words[2]].(*table)
	if !ok || words[1] != "above" || len(words) != 4 {
		return errors.New("rankings are compared as: a above b AP")
	}
	m, err := measure.Parse(words[3])
	if err != nil {
		return err
	}
	if x, y := m.Score(a.Topic(0)), m.Score(b.Topic(0)); !isBetter(x, y, m.Info().Lower) {
		return fmt.Errorf("%s is %s for %s and %s for %s", words[3], decimals(x), words[0], decimals(y), words[2])
	}
	return nil
}

func isBetter(x, y float64, lower bool) bool {
	if lower {
		x, y = y, x
	}
	return x > y+1e-12
}

// checkClaims tests every claim and refuses a comparative sentence without one.
func (r *resolver) checkClaims() error {
	used := map[string]bool{}
	check := func(line int, text string) error {
		for _, s := range sentences(text) {
			names := claimsOf(s)
			for _, name := range names {
				if !slices.ContainsFunc(r.claims, func(c claim) bool { return c.name == name }) {
					return &Error{r.File, line, fmt.Errorf("there is no claim %q", name)}
				}
				used[name] = true
			}
			if word := comparative(s); word != "" && len(names) == 0 {
				return &Error{r.File, line,
					fmt.Errorf("%q in %q needs a test: add {claim NAME} to the sentence "+
						"and claim: NAME = TEST to the head", word, s)}
			}
		}
		return nil
	}
	for _, c := range r.claims {
		if err := r.supports(c.test); err != nil {
			return &Error{r.File, c.line, fmt.Errorf("claim %s: %w", c.name, err)}
		}
	}
	for _, text := range append([]string{r.Remember}, r.Asks...) {
		if err := check(r.lines["remember"], text); err != nil {
			return err
		}
	}
	for _, step := range r.steps {
		for _, b := range step {
			texts := []string{b.text, b.note}
			if b.kind == Question {
				for _, o := range b.lines {
					if o[0] == '+' { // the other options are wrong on purpose
						texts = append(texts, o[2:])
					}
				}
			}
			for _, text := range texts {
				if err := check(b.line, text); err != nil {
					return err
				}
			}
		}
	}
	for _, c := range r.claims {
		if !used[c.name] {
			return &Error{r.File, c.line, fmt.Errorf("no sentence rests on the claim %q", c.name)}
		}
	}
	return nil
}

// sentences splits a text at full stops and similar marks. It omits questions, which claim nothing.
func sentences(text string) (out []string) {
	begin := 0
	for i, c := range text {
		last := i == len(text)-len(string(c))
		if c != '.' && c != '!' && c != '?' && !last {
			continue
		}
		if !last && text[i+1] != ' ' && text[i+1] != '{' {
			continue
		}
		end := i + len(string(c))
		for strings.HasPrefix(text[end:], "{claim ") { // a mark after the full stop belongs to the sentence
			at := strings.IndexByte(text[end:], '}')
			if at < 0 {
				break
			}
			end += at + 1
		}
		if c != '?' && end > begin {
			out = append(out, strings.TrimSpace(text[begin:end]))
		}
		begin = max(begin, end)
	}
	return out
}

// claimsOf returns the names of the claims that a sentence cites.
func claimsOf(sentence string) (names []string) {
	for {
		_, rest, ok := strings.Cut(sentence, "{claim ")
		if !ok {
			return names
		}
		name, after, _ := strings.Cut(rest, "}")
		names = append(names, strings.TrimSpace(name))
		sentence = after
	}
}

// comparative returns the first comparative word of a sentence outside braces.
func comparative(sentence string) string {
	var plain strings.Builder
	depth := 0
	for _, c := range sentence {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0:
			plain.WriteRune(c)
		}
	}
	for _, w := range strings.FieldsFunc(plain.String(), func(c rune) bool { return !unicode.IsLetter(c) }) {
		if slices.Contains(comparatives, strings.ToLower(w)) {
			return w
		}
	}
	return ""
}
