// Package chunk cuts documents into pieces, each with its span of the document's text, and measures retrieved spans
// against judged ones. It reads no file, ranks nothing, and does not rewrite text: a chunk is a slice of it.
//
// Order of the pipeline: a written Chunking → the spans of each text → chunks with ids → documents to index, their
// grades (Grades), the file of spans beside a bundle (Map) → token recall, precision and IoU of rankings (Score).
//
// All positions are byte offsets into the UTF-8 text of the document (Doc.Text, without the title), half-open.
package chunk

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// Span is a piece of a text: bytes Start to End, End not included.
type Span struct{ Start, End int }

// Len is the number of bytes.
func (s Span) Len() int { return s.End - s.Start }

// Common is the number of bytes that two spans share.
func (s Span) Common(t Span) int { return max(0, min(s.End, t.End)-max(s.Start, t.Start)) }

// Chunking is one way to cut texts, as Parse reads it. It is immutable.
type Chunking struct {
	node *pipeline.Node
	cut  func(n *pipeline.Node, text string, headings []int) []Span
}

// method is a way to cut: how it is written, and what it does.
type method struct {
	declared *pipeline.Stage
	cut      func(n *pipeline.Node, text string, headings []int) []Span
}

func windows(name, unit string, n, overlap string, most float64) []pipeline.Param {
	return []pipeline.Param{
		{Name: "n", Kind: pipeline.Integer, Default: n, Min: 1, Max: most, Doc: "How many " + unit + " a chunk has."},
		{Name: "overlap", Kind: pipeline.Integer, Default: overlap, Min: 0, Max: most - 1,
			Doc: "How many " + unit + " a chunk repeats from the one before it, fewer than n."},
	}
}

// methods in the order in which they are listed.
var methods = []method{
	{&pipeline.Stage{Name: "whole", Doc: "The whole text is one chunk."}, whole},
	{&pipeline.Stage{Name: "paragraphs", Doc: "Each paragraph is a chunk. An empty line ends a paragraph; in a text " +
		"without empty lines, each line is one."}, paragraphs},
	{&pipeline.Stage{Name: "sentences", Params: windows("sentences", "sentences", "3", "1", 1000),
		Doc: "Windows of sentences. A sentence ends with . ! ? or … before white space, unless a small letter " +
			"follows or the word is an abbreviation, with 。！？, and with its paragraph."}, sentenceWindows},
	{&pipeline.Stage{Name: "words", Params: windows("words", "words", "200", "40", 10_000),
		Doc: "Windows of words. Words are separated by white space; each Chinese or Japanese character is one."},
		wordWindows},
	{&pipeline.Stage{Name: "headings", Doc: "Each section is a chunk: a heading with the text up to the next one. " +
		"Headings are those of Markdown and HTML files, and lines such as ## Results of any other text."}, sections},
}

var notation = func() *pipeline.Notation {
	var all []*pipeline.Stage
	for _, m := range methods {
		all = append(all, m.declared)
	}
	return pipeline.New(all...)
}()

// Usages are the ways to cut, as they are written with their defaults: "sentences(n=3,overlap=1)".
func Usages() (out []string) {
	for _, m := range methods {
		out = append(out, m.declared.Usage())
	}
	return out
}

// About describes the ways to cut in a sentence or two each, in the order of Usages.
func About() (out []string) {
	for _, m := range methods {
		out = append(out, m.declared.Doc)
	}
	return out
}

// Parse reads a chunking, such as sentences(n=3,overlap=1): a name with parameters, as stages of a pipeline are
// written.
func Parse(text string) (*Chunking, error) {
	name, _, _ := strings.Cut(text, "(")
	name = strings.TrimSpace(name)
	i := slices.IndexFunc(methods, func(m method) bool { return m.declared.Name == name })
	if i < 0 {
		var names []string
		for _, m := range methods {
			names = append(names, m.declared.Name)
		}
		if near := pipeline.Nearest(name, names); near != "" {
			return nil, fault("unknown chunking %q; did you mean %s?", say.Brief(name, 40), near)
		}
		return nil, fault("unknown chunking %q: want %s", say.Brief(name, 40), say.Or(names))
	}
	node, err := notation.Parse(text)
	if err != nil {
		var at *pipeline.Error
		if errors.As(err, &at) {
			return nil, fault("the chunking %q, at byte %d: %s", say.Brief(text, 60), at.Pos, at.Reason())
		}
		return nil, err
	}
	if len(node.Stage.Params) > 0 && node.Integer("overlap") >= node.Integer("n") {
		return nil, fault("the chunking %q: overlap must be smaller than n, which is %d", say.Brief(text, 60),
			node.Integer("n"))
	}
	return &Chunking{node, methods[i].cut}, nil
}

// String returns the canonical form: parameters at their defaults are left out.
func (c *Chunking) String() string { return c.node.String() }

// Spans cuts a text. Spans come in order: Start ascends, and so does End. headings are the byte offsets at which
// headings begin, for the chunking headings; nil to find the lines that begin with # in the text itself.
//
// A text without words gives one span of all of it, so no document is lost. Otherwise spans neither begin nor end with
// white space (whole apart), and every byte that is no white space is in at least one of them: in exactly one without
// overlap. No rune is split.
func (c *Chunking) Spans(text string, headings []int) []Span {
	if out := c.cut(c.node, text, headings); len(out) > 0 {
		return out
	}
	return []Span{{0, len(text)}}
}

// Separator is what stands between the document's id and the chunk's number unless another one is chosen.
const Separator = "#"

// Most is how many chunks are made at most.
const Most = 10_000_000

// Chunk is a piece of a document.
type Chunk struct {
	ID       string // Document, the separator and Ordinal
	Document string // the document's id
	Doc      int    // its place among the documents, from 0
	Ordinal  int    // of the chunk within its document, from 1
	Span     Span   // of the document's text
}

// Split cuts documents into chunks, in the order of documents and spans. headings returns what Spans takes for a
// document; nil for none. An id of a chunk that is also the id of a document is refused: grades and runs could mean
// either.
func (c *Chunking) Split(docs []collection.Doc, headings func(doc int) []int, separator string) ([]Chunk, error) {
	if err := checkSeparator(separator); err != nil {
		return nil, err
	}
	known := map[string]bool{} // ids that a chunk could have
	for i := range docs {
		if strings.Contains(docs[i].ID, separator) {
			known[docs[i].ID] = true
		}
	}
	var out []Chunk
	for i := range docs {
		var at []int
		if headings != nil {
			at = headings(i)
		}
		for k, s := range c.Spans(docs[i].Text, at) {
			id := docs[i].ID + separator + strconv.Itoa(k+1)
			if len(known) > 0 && known[id] {
				return nil, fault("%q would be both a document and chunk %d of the document %q: choose another "+
					"separator than %q", id, k+1, docs[i].ID, separator)
			}
			if len(out) == Most {
				return nil, fault("the chunking %s makes more than %s chunks", c, say.Thousands(Most))
			}
			out = append(out, Chunk{id, docs[i].ID, i, k + 1, s})
		}
	}
	return out, nil
}

// checkSeparator refuses a separator by which ids could not be taken apart.
func checkSeparator(s string) error {
	switch {
	case s == "":
		return fault("the separator of chunks is empty: the usual one is %q", Separator)
	case len(s) > 8:
		return fault("the separator %q of chunks has more than 8 bytes", say.Brief(s, 40))
	case strings.ContainsAny(s, "0123456789") || strings.ContainsFunc(s, blankOrHidden):
		return fault("the separator %q of chunks holds a digit, white space or an invisible character", s)
	}
	return nil
}

// Docs returns the chunks as documents: the id of the chunk, its text, and everything else of its document. The title
// stays on every chunk, since a passage is often only understood with it.
func Docs(docs []collection.Doc, chunks []Chunk) []collection.Doc {
	out := make([]collection.Doc, len(chunks))
	for i, c := range chunks {
		d := docs[c.Doc]
		d.ID, d.Text = c.ID, d.Text[c.Span.Start:c.Span.End]
		out[i] = d
	}
	return out
}

func fault(format string, args ...any) error { return say.Faultf("chunk", format, args...) }

// within returns an error that names file and line.
func within(file string, line int, format string, args ...any) error {
	return &collection.ParseError{File: file, Line: line, Err: fmt.Errorf(format, args...)}
}

// Covering returns the chunks of one document that share at least a byte with a span, or touch it if it is empty, in
// order. chunks are in order and all of that document.
func Covering(chunks []Chunk, s Span) []Chunk {
	// Ends ascend with starts, so the first that ends behind the span's start begins the answer.
	from, _ := slices.BinarySearchFunc(chunks, s.Start, func(c Chunk, at int) int {
		if c.Span.End <= at {
			return -1
		}
		return 1
	})
	to := from
	for to < len(chunks) && chunks[to].Span.Start < max(s.End, s.Start+1) {
		to++
	}
	return chunks[from:to]
}

// Best returns the chunk that shares most with a span; of equal ones the shortest, then the first. ok is false if none
// shares a byte.
func Best(chunks []Chunk, s Span) (best Chunk, ok bool) {
	for _, c := range Covering(chunks, s) {
		order := cmp.Or(cmp.Compare(best.Span.Common(s), c.Span.Common(s)), cmp.Compare(c.Span.Len(), best.Span.Len()))
		if c.Span.Common(s) > 0 && (!ok || order < 0) {
			best, ok = c, true
		}
	}
	return best, ok
}
