// Package reference makes the reference out of the registries: the documents in docs/, the pages of the site with the
// same content, and the definitions that the page shows beside a term. The registries are the only source; there is one
// description of them here ([Pages]) and three ways to write it: [Page.Markdown], [Page.HTML] and [Terms].
package reference

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Page is what one registry says.
type Page struct {
	Path        string // "/measures"
	Doc         string // "docs/measures.md"
	Title       string
	Description string // for search engines
	Intro       []Text // paragraphs
	Sample      string // lines of notation after them, "" for none
	Chapters    []Chapter
}

// Heading is the title inside a sentence.
func (p *Page) Heading() string { return strings.ToLower(p.Title) }

// Chapter is a group of entries. A page with a single chapter shows no heading for it.
type Chapter struct {
	ID      string // its fragment, unique in the page
	Title   string
	Intro   Text
	Table   [][]string // of figures, in Markdown alone: the heads, then rows whose first cell is their name
	Entries []Entry
}

// Entry is one line of a registry.
type Entry struct {
	ID      string // its fragment, unique in the page
	Name    string // as it is written in the notation; "" where people only use the title
	Title   string
	ByTitle bool   // people know it by its title, the name is only an option
	Usage   string // how it is written with its parameters, "" for none
	Brief   string // what it is, for a reader who has pointed at the word
	Formula string
	Facts   []Fact
}

// Fact is something said of an entry: one item in its line, or several as a list.
type Fact struct {
	Label string
	Items []Text
	List  bool // the items are a list even where there is one
}

// Text is a sentence or less.
type Text []Span

// Span is a piece of a Text.
type Span struct {
	Kind Kind
	Text string
}

// Kind says what a Span is.
type Kind int

// The kinds.
const (
	Plain Kind = iota
	Code       // notation
	Grade      // the grade of a document, "-" without a judgment
	Work       // arithmetic, set as formulas are
	Link       // an address elsewhere
)

func plain(s string) Text { return Text{{Plain, s}} }
func code(s string) Text  { return Text{{Code, s}} }

// fact is a Fact of one plain item; none where there is nothing to say.
func fact(label, s string) []Fact {
	if s == "" {
		return nil
	}
	return []Fact{{Label: label, Items: []Text{plain(s)}}}
}

// fact returns the items of a label as plain text, "" for none.
func (e *Entry) fact(label string) string {
	var parts []string
	for _, f := range e.Facts {
		if f.Label == label {
			for _, t := range f.Items {
				parts = append(parts, t.String())
			}
		}
	}
	return strings.Join(parts, "; ")
}

// String is the text without its marks.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Pages describes every registry, in the order in which the pages are listed.
func Pages() []Page { return []Page{measures(), tests(), stages(), analyzers(), figures()} }

// upper begins a sentence, unless its first word is written as it is ("nDCG", "τ_AP").
func upper(s string) string {
	first, _, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	for _, c := range first[min(n, len(first)):] {
		if unicode.IsUpper(c) || c == '_' {
			return s
		}
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// slug makes a fragment of words: letters, digits, "_" and "-" stay, everything between them becomes one "-".
func slug(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}), "-")
}
