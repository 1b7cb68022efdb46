package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Analyzer makes terms of text; *text.Analyzer is one. Words calls emit for each raw word; Term says what becomes of one, which
// must depend on the word alone. Bytes of a term that are not UTF-8 are replaced by U+FFFD, and an empty term is dropped. Name (at most
// 255 bytes) and Version are written into the index.
type Analyzer interface {
	Name() string
	Version() int
	Words(s string, emit func(start, end int))
	Term(word string) (term string, ok bool)
}

// Builder makes an Index. Add the documents in the order of their ordinals, then call Build.
type Builder struct {
	analyzer Analyzer
	emit     func(start, end int) // word
	words    table                // raw word → dropped, or term
	become   []uint32             // by word: 1 + term, 0 where it is dropped
	terms    table
	s        string // being analysed

	// Of the document being added, by term.
	seen   []uint32 // 1 + the document that a term was last seen in
	place  []uint32 // where in entries
	titled bool     // a title was not empty

	entries [][]entry // by document, in blocks, so that a large collection's are never copied to grow
	number  uint32    // of entries
	bounds  []uint32
	lengths [2][]uint32
	tokens  uint32
	field   int
}

// blockBits is how many bits of an entry's number are its place in its block.
const blockBits = 14

// entry returns the entry of a number.
func (b *Builder) entry(i uint32) *entry { return &b.entries[i>>blockBits][i&(1<<blockBits-1)] }

// entry is a term of a document.
type entry struct{ term, all, title uint32 }

// NewBuilder returns a Builder whose terms a makes.
func NewBuilder(a Analyzer) *Builder {
	b := &Builder{analyzer: a, bounds: []uint32{0}}
	b.emit = b.word
	return b
}

// Docs returns the number of documents added so far.
func (b *Builder) Docs() int { return len(b.lengths[0]) }

// Add adds a document; the first has ordinal 0. Its contents are the title, a space, and the text. Either may be empty. It panics
// beyond MaxDocs documents: a reader's limits are to stop long before.
func (b *Builder) Add(title, text string) {
	if b.Docs() == MaxDocs {
		panic("index: add document: there are MaxDocs already")
	}
	b.field = 1
	b.analyse(title)
	inTitle := b.tokens
	b.field = 0
	b.analyse(text)
	b.lengths[0] = append(b.lengths[0], b.tokens)
	b.lengths[1] = append(b.lengths[1], inTitle)
	b.tokens = 0
	b.bounds = append(b.bounds, b.number)
	b.titled = b.titled || inTitle > 0
}

// analyse adds the terms of s to the document being added.
func (b *Builder) analyse(s string) {
	b.s = s
	b.analyzer.Words(s, b.emit)
	b.s = ""
}

// word adds the term of a raw word of b.s.
func (b *Builder) word(start, end int) {
	raw := b.s[start:end]
	w, isNew := b.words.put(raw)
	if isNew {
		t := uint32(0)
		if term, ok := b.analyzer.Term(raw); ok && term != "" {
			if !utf8.ValidString(term) {
				term = strings.ToValidUTF8(term, "\uFFFD")
			}
			id, isNew := b.terms.put(term)
			if isNew {
				b.seen = append(b.seen, 0)
				b.place = append(b.place, 0)
			}
			t = id + 1
		}
		b.become = append(b.become, t)
	}
	t := b.become[w]
	if t == 0 {
		return
	}
	t--
	b.tokens++
	doc := uint32(len(b.lengths[0])) + 1
	if b.seen[t] != doc {
		b.seen[t] = doc
		b.place[t] = b.number
		last := len(b.entries) - 1
		if b.number&(1<<blockBits-1) == 0 {
			b.entries = append(b.entries, make([]entry, 0, 1<<blockBits))
			last++
		}
		b.entries[last] = append(b.entries[last], entry{term: t})
		b.number++
	}
	e := b.entry(b.place[t])
	e.all++
	e.title += uint32(b.field)
}

// Build returns the index of the documents added. The Builder may be used further.
func (b *Builder) Build() *Index {
	x := &Index{analyzer: b.analyzer.Name(), version: b.analyzer.Version()}
	x.lengths[0] = slices.Clone(b.lengths[0])
	if x.lengths[0] == nil {
		x.lengths[0] = []uint32{}
	}
	n := b.terms.len()

	// Terms by their bytes: order[new] = old, rank[old] = new.
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return strings.Compare(b.terms.at(i), b.terms.at(j)) })
	rank := make([]uint32, n)
	blob := make([]byte, 0, len(b.terms.blob))
	x.ends = make([]uint32, n)
	for i, old := range order {
		rank[old] = uint32(i)
		blob = append(blob, b.terms.at(old)...)
		x.ends[i] = uint32(len(blob))
	}
	x.blob = string(blob)
	x.table = newTable(x.blob, x.ends)

	// Turn the lists by document into lists by term.
	x.dfs = make([]uint32, n)
	for _, block := range b.entries {
		for _, e := range block {
			x.dfs[rank[e.term]]++
		}
	}
	x.place()
	next := slices.Clone(x.starts)
	x.postings = make([]Posting, b.number)
	if b.titled {
		x.lengths[1] = slices.Clone(b.lengths[1])
		x.titles = make([]uint8, b.number)
	}
	for d := range b.lengths[0] {
		for i := b.bounds[d]; i < b.bounds[d+1]; i++ {
			e := b.entry(i)
			t := rank[e.term]
			at := next[t]
			next[t]++
			x.postings[at] = Posting(uint32(d)<<8 | min(e.all, 255))
			if b.titled {
				x.titles[at] = uint8(min(e.title, 255))
			}
			if e.all >= 255 {
				x.large = append(x.large, large{at: at, all: e.all, title: e.title})
			}
		}
	}
	slices.SortFunc(x.large, func(a, b large) int { return cmp.Compare(a.at, b.at) })
	x.count()
	return x
}

// place makes starts from dfs.
func (x *Index) place() {
	most := uint32(0)
	for _, df := range x.dfs {
		most = max(most, df)
	}
	next := make([]uint32, most+2) // where the next list of that df starts
	for _, df := range x.dfs {
		next[df+1] += df
	}
	for i := range most + 1 {
		next[i+1] += next[i]
	}
	x.starts = make([]uint32, len(x.dfs))
	for id, df := range x.dfs {
		x.starts[id] = next[df]
		next[df] += df
	}
}

// order returns the terms in the order of their lists.
func (x *Index) order() []uint32 {
	most := uint32(0)
	for _, df := range x.dfs {
		most = max(most, df)
	}
	next := make([]uint32, most+2)
	for _, df := range x.dfs {
		next[df+1]++
	}
	for i := range most + 1 {
		next[i+1] += next[i]
	}
	order := make([]uint32, len(x.dfs))
	for id, df := range x.dfs {
		order[next[df]] = uint32(id)
		next[df]++
	}
	return order
}

// table numbers distinct strings in the order in which they come.
type table struct {
	slots []uint32 // open addressing: 1 + number; the length is a power of two
	hash  []uint32 // by number
	ends  []uint32
	blob  []byte
}

func (t *table) len() int { return len(t.ends) }

func (t *table) at(i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return view(t.blob[start:t.ends[i]])
}

// put returns the number of s, which is new where isNew.
func (t *table) put(s string) (n uint32, isNew bool) {
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	h := hashTerm(s)
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for {
		e := t.slots[i]
		if e == 0 {
			break
		}
		if t.hash[e-1] == h && t.at(e-1) == s {
			return e - 1, false
		}
		i = (i + 1) & mask
	}
	n = uint32(len(t.ends))
	t.slots[i] = n + 1
	t.hash = append(t.hash, h)
	t.blob = append(t.blob, s...)
	t.ends = append(t.ends, uint32(len(t.blob)))
	return n, true
}

func (t *table) grow() {
	t.slots = make([]uint32, max(1024, 2*len(t.slots)))
	mask := uint32(len(t.slots) - 1)
	for n, h := range t.hash {
		i := h & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(n) + 1
	}
}
