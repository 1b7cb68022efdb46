// Package index is the inverted index of one collection: the terms of each document, their frequencies, and
// document lengths. It scores nothing (the rooms of rank do), knows ordinals instead of document ids, and keeps no
// text.
//
// Order of the pipeline: documents in ordinal order → Builder (analyse, count) → Index → Bytes → Read → Index.
//
// It has two fields, title and text. The field contents joins them with a space: BM25 baselines rank by it. An
// index stores frequencies and lengths, not impacts, so that every parameter of a ranking formula can change.
package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Field is a part of a document.
type Field uint8

// The fields. Contents joins title and text: frequencies and lengths add up.
const (
	Contents Field = iota
	Title
	Text
)

// String returns "contents", "title" or "text".
func (f Field) String() string {
	switch f {
	case Contents:
		return "contents"
	case Title:
		return "title"
	case Text:
		return "text"
	}
	return fmt.Sprintf("field(%d)", uint8(f))
}

// MaxDocs is the maximum number of documents: a posting stores its document in 24 bits.
const MaxDocs = 1 << 24

// Posting is a document with a term's frequency in its contents: Doc()<<8 | frequency. 255 means 255 or more;
// List.TF returns the exact frequency.
type Posting uint32

// Doc returns the ordinal of the document.
func (p Posting) Doc() uint32 { return uint32(p) >> 8 }

// Stats are the totals of one field.
type Stats struct {
	Docs     int // documents with at least one term in the field: N of Lucene's formulas
	Terms    int // distinct terms
	Postings int // pairs of a term and a document that contains it
	Tokens   int // occurrences of terms: the sum of the lengths
}

// AvgLength returns Tokens / Docs, the mean length over the documents that have the field (Lucene's avgdl), or 0 if
// none has.
func (s Stats) AvgLength() float64 {
	if s.Docs == 0 {
		return 0
	}
	return float64(s.Tokens) / float64(s.Docs)
}

// Index is an inverted index. It is immutable, so several goroutines may read it.
type Index struct {
	analyzer string
	version  int
	contents Stats
	fields   fields  // of title and text, computed on first use
	vectors  vectors // the postings by document, computed on first use

	blob   string   // the terms concatenated, ascending by bytes
	ends   []uint32 // by term: its end in blob
	table  []uint32 // open addressing by hash of the term: 1 + id; a power of two long
	starts []uint32 // by term: start of its list in postings
	dfs    []uint32 // by term: length of its list

	postings []Posting // by df of the term, ties by id, then document ascending
	// Parallel to postings: frequencies in the title, 255 for 255 or more; nil without titles.
	titles []uint8
	large  []large // frequencies of 255 and more, ascending by posting

	lengths [2][]uint32 // of contents and title, by document; the second is nil without titles
}

// large is a frequency of 255 or more.
type large struct {
	at         uint32 // index in postings
	all, title uint32
}

// Docs returns the number of documents, including those without terms.
func (x *Index) Docs() int { return len(x.lengths[0]) }

// Terms returns the number of distinct terms. Their ids are 0 to Terms()-1, ascending by bytes.
func (x *Index) Terms() int { return len(x.ends) }

// HasTitles reports whether the index distinguishes titles. Otherwise the field Title is empty and Text equals
// Contents.
func (x *Index) HasTitles() bool { return x.titles != nil }

// Analyzer returns the name and version of the analyzer that produced the terms.
func (x *Index) Analyzer() (name string, version int) { return x.analyzer, x.version }

// Stats returns the totals of a field. The first call for Title or Text costs one step per posting.
func (x *Index) Stats(f Field) Stats {
	switch {
	case f == Contents || f == Text && x.titles == nil:
		return x.contents
	case x.titles == nil:
		return Stats{}
	}
	return x.split().stats[f-Title]
}

// Term returns the term with an id.
func (x *Index) Term(id uint32) string {
	start := uint32(0)
	if id > 0 {
		start = x.ends[id-1]
	}
	return x.blob[start:x.ends[id]]
}

// ID returns the id of a term, and whether the index has it.
func (x *Index) ID(term string) (id uint32, ok bool) {
	mask := uint32(len(x.table) - 1)
	for i := hashTerm(term) & mask; ; i = (i + 1) & mask {
		e := x.table[i]
		if e == 0 {
			return 0, false
		}
		if x.Term(e-1) == term {
			return e - 1, true
		}
	}
}

// Prefix returns the ids of the terms that begin with p, as a half-open range.
func (x *Index) Prefix(p string) (from, to uint32) {
	find := func(less func(term string) bool) uint32 {
		lo, hi := 0, x.Terms()
		for lo < hi {
			m := int(uint(lo+hi) >> 1)
			if less(x.Term(uint32(m))) {
				lo = m + 1
			} else {
				hi = m
			}
		}
		return uint32(lo)
	}
	from = find(func(t string) bool { return t < p })
	to = find(func(t string) bool { return t < p || strings.HasPrefix(t, p) })
	return from, to
}

// DF returns the document frequency of a term in a field. The first call for Title or Text costs one step per
// posting.
func (x *Index) DF(f Field, id uint32) int {
	switch {
	case f == Contents || f == Text && x.titles == nil:
		return int(x.dfs[id])
	case x.titles == nil:
		return 0
	}
	return int(x.split().df[f-Title][id])
}

// CF returns the collection frequency of a term in a field: its occurrences in all documents. It costs one step per
// posting of the term.
func (x *Index) CF(f Field, id uint32) int {
	l := x.List(id)
	n := 0
	for i := range l.Postings {
		all, title := l.TF(i)
		switch f {
		case Contents:
			n += int(all)
		case Title:
			n += int(title)
		case Text:
			n += int(all - title)
		}
	}
	return n
}

// Length returns the number of terms of document d in a field.
func (x *Index) Length(f Field, d uint32) int {
	switch {
	case f == Contents || f == Text && x.titles == nil:
		return int(x.lengths[0][d])
	case x.titles == nil:
		return 0
	case f == Title:
		return int(x.lengths[1][d])
	}
	return int(x.lengths[0][d] - x.lengths[1][d])
}

// Lengths returns the lengths of all documents in contents or title, by ordinal, or nil for titles if the index has
// none. The caller must not change the slice: the index owns it. Text has no such slice; its lengths are the
// differences.
func (x *Index) Lengths(f Field) []uint32 { return x.lengths[f] }

// List is the postings list of one term. The caller must not change it: the index owns its memory.
type List struct {
	Postings []Posting // documents ascending
	Titles   []uint8   // parallel: frequencies in the title, 255 for 255 or more; nil without titles
	large    []large
	base     uint32
}

// List returns the postings list of a term.
func (x *Index) List(id uint32) List {
	a := x.starts[id]
	b := a + x.dfs[id]
	l := List{Postings: x.postings[a:b:b], base: a}
	if x.titles != nil {
		l.Titles = x.titles[a:b:b]
	}
	if len(x.large) > 0 {
		from, _ := slices.BinarySearchFunc(x.large, a, compareLarge)
		to, _ := slices.BinarySearchFunc(x.large, b, compareLarge)
		l.large = x.large[from:to]
	}
	return l
}

// largeAt returns the large frequency of a posting.
func (x *Index) largeAt(at uint32) *large {
	i, _ := slices.BinarySearchFunc(x.large, at, compareLarge)
	return &x.large[i]
}

func compareLarge(l large, at uint32) int { return cmp.Compare(l.at, at) }

// Len returns the number of documents in the list.
func (l *List) Len() int { return len(l.Postings) }

// Large reports whether a frequency of the list exceeds 254, so that Postings and Titles are not exact.
func (l *List) Large() bool { return len(l.large) > 0 }

// TF returns the frequencies of the term at index i of the list, in contents and in the title.
func (l *List) TF(i int) (all, title uint32) {
	all = uint32(l.Postings[i]) & 255
	if all == 255 {
		j, _ := slices.BinarySearchFunc(l.large, l.base+uint32(i), compareLarge)
		return l.large[j].all, l.large[j].title
	}
	if l.Titles != nil {
		title = uint32(l.Titles[i])
	}
	return all, title
}

// Find returns the index of document d in the list, and whether it is there.
func (l *List) Find(d uint32) (i int, ok bool) {
	lo, hi := 0, len(l.Postings)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if l.Postings[m].Doc() < d {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(l.Postings) && l.Postings[lo].Doc() == d
}

// hashTerm is the hash of the tables. It starts with h = length·prime1, then for every eight-byte word, low byte
// first: h = (h ^ word)·prime2, h ^= h >> 29. The last word consists of the last eight bytes and may overlap the
// one before; a shorter string is a single word.
func hashTerm(s string) uint32 {
	b := bytesOf(s)
	n := len(b)
	h := uint64(n) * prime1
	for len(b) > 8 {
		h = (h ^ load64(b)) * prime2
		h ^= h >> 29
		b = b[8:]
	}
	var w uint64
	switch {
	case n >= 8:
		w = load64(bytesOf(s)[n-8:])
	case n >= 4:
		w = uint64(load32(b)) | uint64(load32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		w = uint64(b[0]) | uint64(b[n>>1])<<(8*(n>>1)) | uint64(b[n-1])<<(8*(n-1))
	}
	h = (h ^ w) * prime2
	return uint32(h ^ h>>29)
}

// emptyTable allocates the table of n terms.
func emptyTable(n int) []uint32 {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return make([]uint32, size)
}

// newTable builds the table of a list of terms.
func newTable(blob string, ends []uint32) []uint32 {
	table := emptyTable(len(ends))
	mask := uint32(len(table) - 1)
	start := uint32(0)
	for id, end := range ends {
		i := hashTerm(blob[start:end]) & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = uint32(id) + 1
		start = end
	}
	return table
}

// fields holds the statistics of title and text.
type fields struct {
	once  sync.Once
	stats [2]Stats
	df    [2][]uint32 // by term
}

// split computes the statistics of title and text. The index must have titles.
func (x *Index) split() *fields {
	x.fields.once.Do(func() {
		s := &x.fields
		for d, n := range x.lengths[0] {
			s.stats[0].add(x.lengths[1][d])
			s.stats[1].add(n - x.lengths[1][d])
		}
		for f := range s.df {
			s.df[f] = make([]uint32, x.Terms())
		}
		for id := range s.df[0] {
			l := x.List(uint32(id))
			for i, t := range l.Titles {
				if t > 0 {
					s.df[0][id]++
				}
				if all := uint8(l.Postings[i]); all != t {
					s.df[1][id]++
				} else if all == 255 {
					if all, title := l.TF(i); all != title {
						s.df[1][id]++
					}
				}
			}
		}
		for f, df := range s.df {
			for _, n := range df {
				s.stats[f].Postings += int(n)
				if n > 0 {
					s.stats[f].Terms++
				}
			}
		}
	})
	return &x.fields
}

// count computes the totals of contents.
func (x *Index) count() {
	x.contents = Stats{Terms: x.Terms(), Postings: len(x.postings)}
	for _, n := range x.lengths[0] {
		x.contents.add(n)
	}
}

func (s *Stats) add(n uint32) {
	if n > 0 {
		s.Docs++
		s.Tokens += int(n)
	}
}
