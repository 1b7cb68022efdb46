// Package text turns text into index terms with named analyzers. It detects no language, normalises no Unicode and
// knows no synonyms or phrases.
//
// Order of the pipeline: find the words, strip the possessive, lower-case, drop stopwords, stem. Describe lists the
// steps of an analyzer and the program that it reproduces.
package text

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/near"
)

// Info describes an analyzer.
type Info struct {
	Name      string // canonical name
	Version   int    // incremented with any change of output
	Summary   string // its purpose in one sentence
	Pipeline  string // its steps in order, separated by " → "
	Reference string // the reproduced program and version
	Differs   string // deviations from it, "" if there are none
}

// Analyzer turns text into terms. It has no state, so several goroutines may use it. Words finds words fast and
// allocates nothing. Term is a pure function of one word, so an indexer can cache it by raw word:
//
//	a, err := text.Get("lucene-english")
//	…
//	a.Words(doc, func(start, end int) { word := doc[start:end] … })
//
// Offsets are byte offsets into the text. Bytes that are not UTF-8 count as U+FFFD.
type Analyzer struct {
	name    string // canonical
	version int    // incremented with any change of output
	split   splitter
	term    func(word string) (string, bool)
}

// splitter is a method of finding words.
type splitter uint8

const (
	splitStandard splitter = iota // UAX #29, as Lucene
	splitJava                     // Java's white space
	splitPython                   // Python's white space
	splitWord                     // re's \w+
	splitWord2                    // re's \b\w\w+\b
	splitCJK                      // pairs of characters, as Lucene
)

// ErrBeyond reports a known analyzer that only a larger program contains (docs/adr/0002-one-binary.md).
var ErrBeyond = errors.New("this program lacks it, a richer one has it")

// Get returns the analyzer with a name, ignoring case and reading _ as -. For an unknown name the error suggests
// the first name with that prefix, or else the one at the smallest edit distance.
func Get(name string) (*Analyzer, error) {
	key := canonical(name)
	for i := range registry {
		if registry[i].name == key {
			if registry[i].term == nil {
				return nil, say.Faultf("text", "get analyzer %q: %w", name, ErrBeyond)
			}
			return &registry[i], nil
		}
	}
	best, least := "", 0
	for i := range registry {
		d := near.Distance(key, registry[i].name)
		if strings.HasPrefix(registry[i].name, key) {
			d = 0
		}
		if best == "" || d < least {
			best, least = registry[i].name, d
		}
	}
	return nil, say.Faultf("text", "get analyzer %q: unknown name, the nearest is %q", name, best)
}

// At returns the analyzer of an index. The error says that this program lacks it or has another version.
func At(name string, version int) (*Analyzer, error) {
	a, err := Get(name)
	if err != nil {
		return nil, fmt.Errorf("the index was made with another analyzer: %w", err)
	}
	if a.Version() != version {
		return nil, fmt.Errorf("the index was made with version %d of analyzer %s, this is version %d: build the "+
			"index again", version, name, a.Version())
	}
	return a, nil
}

// canonical returns a name in the registry's spelling.
func canonical(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// Names returns the canonical names in the registry's order.
func Names() []string {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].name
	}
	return names
}

// Describe returns the description of an analyzer, and whether it exists.
func Describe(name string) (Info, bool) {
	a, err := Get(name)
	if err != nil && !errors.Is(err, ErrBeyond) {
		return Info{}, false
	}
	for _, x := range about {
		if x.Name == canonical(name) {
			if a != nil {
				x.Version = a.version
			}
			return x, true
		}
	}
	return Info{}, false
}

// Name returns the canonical name.
func (a *Analyzer) Name() string { return a.name }

// Version is incremented with any change of the analyzer's output. Every index and link contains it with the name,
// because terms of different versions are not comparable.
func (a *Analyzer) Version() int { return a.version }

// Words calls emit for each raw word of s, in order: 0 ≤ start < end ≤ len(s). Words do not overlap, except in
// analyzer cjk, whose pairs share a character. Term turns s[start:end] into a term. Words allocates nothing.
func (a *Analyzer) Words(s string, emit func(start, end int)) {
	switch a.split {
	case splitStandard:
		standardWords(s, emit)
	case splitJava:
		javaSplit(s, emit)
	case splitPython:
		pythonSplit(s, emit)
	case splitWord:
		pythonWords(s, 1, emit)
	case splitCJK:
		cjkWords(s, emit)
	default:
		pythonWords(s, 2, emit)
	}
}

// Term returns the term of a raw word found by Words, after the analyzer's own steps: possessive, lower case, stem.
// ok is false if the word is dropped, as a stopword or because nothing is left. The result depends on the word
// alone. It is valid UTF-8 and not empty if ok.
func (a *Analyzer) Term(word string) (term string, ok bool) {
	term, ok = a.term(word)
	if !ok || term == "" {
		return "", false
	}
	return term, true
}

// Each calls emit for each term of s, in order, with the offsets of its raw word in s.
func (a *Analyzer) Each(s string, emit func(term string, start, end int)) {
	a.Words(s, func(start, end int) {
		if t, ok := a.Term(s[start:end]); ok {
			emit(t, start, end)
		}
	})
}

// Terms returns the terms of s in order, or nil.
func (a *Analyzer) Terms(s string) []string {
	var terms []string
	a.Each(s, func(t string, _, _ int) { terms = append(terms, t) })
	return terms
}
