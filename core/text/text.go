// Package text turns text into the terms of an index: analyzers by name, each a segmentation into words and a function
// from a word to its term.
//
// The order is always the same: find the words, strip the possessive, lower-case, drop stopwords, stem. Which of these
// an analyzer does, and whose behaviour it reproduces, Describe says. An analyzer is not a language detector, does no
// Unicode normalisation and knows no synonyms or phrases.
//
// The unit of work is a word. Words finds them fast and allocates nothing; Term is a pure function of one word, so an
// indexer keeps a table from raw word to term and calls it once per distinct word:
//
//	a, err := text.Get("lucene-english")
//	…
//	a.Words(doc, func(start, end int) { word := doc[start:end] … })
//
// Offsets are byte offsets into the text. Text that is not UTF-8 is read as if each bad byte were U+FFFD.
package text

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/internal/near"
	"github.com/rankbox/rankbox/core/say"
)

// Info describes an analyzer.
type Info struct {
	Name      string // canonical name
	Version   int    // raised whenever any output changes
	Summary   string // what it is for, one sentence
	Pipeline  string // its steps in order, separated by " → "
	Reference string // the program and version whose output it reproduces
	Differs   string // where it does not, "" where it does throughout
}

// Analyzer turns text into terms. It has no state: it may be used by several goroutines at once.
type Analyzer struct {
	name    string // canonical
	version int    // raised whenever any output changes
	split   splitter
	term    func(word string) (string, bool)
}

// splitter says how words are found.
type splitter uint8

const (
	splitStandard splitter = iota // UAX #29 as Lucene
	splitJava                     // Java's white space
	splitPython                   // Python's white space
	splitWord                     // re's \w+
	splitWord2                    // re's \b\w\w+\b
	splitCJK                      // pairs of characters as Lucene
)

// ErrBeyond says that an analyzer is known, and that only a program which holds more than this one can use it
// (docs/adr/0002-one-binary.md).
var ErrBeyond = errors.New("this program lacks it, a richer one has it")

// Get returns the analyzer of that name; case, and _ for -, do not matter. The error of an unknown name gives the
// nearest known: the first that begins so, or else the one of the least edit distance.
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

// At returns the analyzer that an index was made with. The error says that this program lacks it, or has another
// version.
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

// canonical is a name as the registry writes it.
func canonical(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// Names returns the canonical names in the registry's order.
func Names() []string {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].name
	}
	return names
}

// Describe returns what is known of the analyzer of that name, and whether there is one.
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

// Version returns the number that is raised whenever any output of this analyzer changes. With the name it is part of
// every index and every link: terms of different versions are not compared.
func (a *Analyzer) Version() int { return a.version }

// Words calls emit for each raw word of s, in order: 0 ≤ start < end ≤ len(s). No word begins before the last one
// ended, except in analyzer cjk, whose pairs of characters share one. It only finds them; Term says what becomes of
// s[start:end]. It allocates nothing.
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

// Term returns the term of one raw word as Words found it: possessive stripped, lower-cased, stemmed, whichever of
// these the analyzer does. ok is false where the word is dropped: a stopword, or nothing left. The result depends on
// the word alone. It is valid UTF-8 and never empty when ok.
func (a *Analyzer) Term(word string) (term string, ok bool) {
	term, ok = a.term(word)
	if !ok || term == "" {
		return "", false
	}
	return term, true
}

// Each calls emit for each term of s, in order, with the offsets of its raw word in s: Words, then Term.
func (a *Analyzer) Each(s string, emit func(term string, start, end int)) {
	a.Words(s, func(start, end int) {
		if t, ok := a.Term(s[start:end]); ok {
			emit(t, start, end)
		}
	})
}

// Terms returns the terms of s in order, nil where there are none.
func (a *Analyzer) Terms(s string) []string {
	var terms []string
	a.Each(s, func(t string, _, _ int) { terms = append(terms, t) })
	return terms
}
