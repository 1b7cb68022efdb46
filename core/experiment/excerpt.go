package experiment

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/text"
)

// marker finds the words of a query in texts.
type marker struct {
	an    *text.Analyzer
	terms map[string]float64 // term → weight
}

// word is a word of a text: its place in bytes and its term.
type word struct {
	start, end int
	term       string
}

// words returns the words of s, in order, those that the analyzer drops left out.
func (m *marker) words(s string) []word {
	var out []word
	m.an.Each(s, func(term string, start, end int) { out = append(out, word{start, end, term}) })
	return out
}

// newMarker returns a marker for the terms of query; weight says how much a term is worth (its idf).
func newMarker(an *text.Analyzer, query string, weight func(term string) float64) *marker {
	m := &marker{an: an, terms: map[string]float64{}}
	var content []string
	an.Each(query, func(term string, start, end int) {
		m.terms[term] = weight(term)
		if !slices.Contains(functionWords, strings.ToLower(query[start:end])) {
			content = append(content, term)
		}
	})
	if len(content) > 0 { // a query of nothing but function words is about them
		maps.DeleteFunc(m.terms, func(term string, _ float64) bool { return !slices.Contains(content, term) })
	}
	return m
}

// functionWords are words of English questions that say nothing of what is asked for: matched and scored as any other,
// but not shown as matches. The analyzer's stopwords never come this far.
var functionWords = strings.Fields(
	`a about an and any are as at be been being but by can could did do does doing down for from had has have having how
	i if in into is it its me more most my no not of off on or our out over should so some such than that the their them then there these they this to
	up was we were what when where which while who whom whose why will with would you your`)

// split cuts s[from:to] into marked and unmarked pieces that join to it again. words are those of s.
func (m *marker) split(s string, words []word, from, to int) []Segment {
	var out []Segment
	at := from
	first, _ := slices.BinarySearchFunc(words, from, func(w word, from int) int { return w.start - from })
	for _, w := range words[first:] {
		if w.end > to {
			break
		}
		if _, ok := m.terms[w.term]; !ok {
			continue
		}
		if w.start > at {
			out = append(out, Segment{Text: s[at:w.start]})
		}
		out = append(out, Segment{Text: s[max(at, w.start):w.end], Mark: true}) // pairs of characters overlap
		at = w.end
	}
	if at < to {
		out = append(out, Segment{Text: s[at:to]})
	}
	return out
}

// whole cuts all of s.
func (m *marker) whole(s string) []Segment { return m.split(s, m.words(s), 0, len(s)) }

// excerptWidth is the length of an excerpt in bytes, about 30 words.
const excerptWidth = 190

// excerpt returns the piece of s, about excerptWidth bytes long, whose distinct query terms weigh most (the first of
// equals), cut at words, with an ellipsis where something is left out. all are the words of s.
func (m *marker) excerpt(s string, all []word) []Segment {
	var words []word
	for _, w := range all {
		if _, ok := m.terms[w.term]; ok {
			words = append(words, w)
		}
	}
	from := 0
	best := -1.0
	for i, w := range words {
		seen := map[string]bool{}
		sum := 0.0
		for _, v := range words[i:] {
			if v.end-w.start > excerptWidth {
				break
			}
			if !seen[v.term] {
				seen[v.term] = true
				sum += m.terms[v.term]
			} else {
				sum += float64(m.terms[v.term] / 16)
			}
		}
		if sum > best {
			best, from = sum, w.start
		}
	}
	// a few words before the first match, then back to the start of a word
	from = max(0, from-40)
	if from > 0 {
		for from > 0 && s[from-1] != ' ' && s[from-1] != '\n' {
			from--
		}
	}
	to := min(len(s), from+excerptWidth)
	if len(s)-to < 24 {
		to = len(s)
	}
	for to < len(s) && to > from+excerptWidth/2 && s[to] != ' ' && s[to] != '\n' {
		to--
	}
	// Not inside a letter, which has at most three bytes that do not begin one; what is not UTF-8 may have any number
	// of them.
	for i := 0; i < 3 && from < to && to < len(s) && !utf8.RuneStart(s[to]); i++ {
		to--
	}
	for i := 0; i < 3 && from < to && !utf8.RuneStart(s[from]); i++ {
		from++
	}
	out := m.split(s, all, from, to)
	if from > 0 {
		out = append([]Segment{{Text: "… "}}, out...)
	}
	if to < len(s) {
		out = append(out, Segment{Text: " …"})
	}
	return out
}
