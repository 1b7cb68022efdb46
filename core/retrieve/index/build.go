package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
)

// Analyzer turns text into terms; *text.Analyzer is one. Words calls emit for each raw word. Term maps a word to
// its term and must depend on the word alone. U+FFFD replaces bytes of a term that are not UTF-8, and empty terms
// are dropped. The index stores Name (at most 255 bytes) and Version.
type Analyzer interface {
	Name() string
	Version() int
	Words(s string, emit func(start, end int))
	Term(word string) (term string, ok bool)
}

// Builder builds an Index. Add the documents in ordinal order, then call Build.
type Builder struct {
	analyzer Analyzer
	emit     func(start, end int) // word
	words    table                // raw words, dropped or not
	termOf   []uint32             // by word: 1 + term, 0 if dropped
	terms    table
	s        string // the text being analysed

	// Of the document being added:
	seen       []uint32 // by term: 1 + the last document with it
	entryIndex []uint32 // by term: index in entries
	entries    []entry
	packed     []byte

	hasTitle bool     // some title was not empty
	blocks   [][]byte // the documents, packed
	dfs      []uint32 // by term
	lengths  [2][]uint32
	tokens   uint32
	field    int
}

// entry is a term of a document with its frequency overall and in the title.
type entry struct{ term, all, title uint32 }

// Documents are packed as they are added: the number of entries, then each entry as a varint of its term, shifted
// by two bits that encode its frequencies. Terms are numbered by first appearance, so frequent ones get small
// numbers. A posting takes about three bytes. Blocks never grow by copying, and no document spans two.
const (
	packedText  = iota // once, in the text
	packedTitle        // once, in the title
	packedTwice        // twice, in the text
	packedOther        // both frequencies follow as varints

	blockSize = 256 << 10
)

// NewBuilder returns a Builder that analyses with a.
func NewBuilder(a Analyzer) *Builder {
	b := &Builder{analyzer: a}
	b.emit = b.word
	return b
}

// Docs returns the number of documents added so far.
func (b *Builder) Docs() int { return len(b.lengths[0]) }

// Add adds a document; the first has ordinal 0. Its contents are the title, a space, and the text; either may be
// empty. Add panics beyond MaxDocs documents: readers must stop well before.
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
	b.hasTitle = b.hasTitle || inTitle > 0
	b.pack()
}

// pack appends the entries of the document to the last block.
func (b *Builder) pack() {
	p := binary.AppendUvarint(b.packed[:0], uint64(len(b.entries)))
	for _, e := range b.entries {
		b.dfs[e.term]++
		kind := uint32(packedOther)
		switch {
		case e.all == 1:
			kind = packedText + e.title
		case e.all == 2 && e.title == 0:
			kind = packedTwice
		}
		p = binary.AppendUvarint(p, uint64(e.term)<<2|uint64(kind))
		if kind == packedOther {
			p = binary.AppendUvarint(binary.AppendUvarint(p, uint64(e.all)), uint64(e.title))
		}
	}
	b.entries, b.packed = b.entries[:0], p
	last := len(b.blocks) - 1
	if last < 0 || len(b.blocks[last])+len(p) > cap(b.blocks[last]) {
		b.blocks = append(b.blocks, make([]byte, 0, max(blockSize, len(p))))
		last++
	}
	b.blocks[last] = append(b.blocks[last], p...)
}

// each calls f for the entries of each document, in the order of Add.
func (b *Builder) each(f func(doc uint32, e *entry)) {
	doc := uint32(0)
	var e entry
	for _, block := range b.blocks {
		next := func() uint32 {
			v, shift := uint32(0), 0
			for i, c := range block {
				v |= uint32(c&0x7f) << shift
				if c < 0x80 {
					block = block[i+1:]
					break
				}
				shift += 7
			}
			return v
		}
		for len(block) > 0 {
			for range next() {
				v := next()
				e.term = v >> 2
				switch kind := v & 3; kind {
				case packedText, packedTitle:
					e.all, e.title = 1, kind
				case packedTwice:
					e.all, e.title = 2, 0
				default:
					e.all, e.title = next(), next()
				}
				f(doc, &e)
			}
			doc++
		}
	}
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
				b.entryIndex = append(b.entryIndex, 0)
				b.dfs = append(b.dfs, 0)
			}
			t = id + 1
		}
		b.termOf = append(b.termOf, t)
	}
	t := b.termOf[w]
	if t == 0 {
		return
	}
	t--
	b.tokens++
	doc := uint32(len(b.lengths[0])) + 1
	if b.seen[t] != doc {
		b.seen[t] = doc
		b.entryIndex[t] = uint32(len(b.entries))
		b.entries = append(b.entries, entry{term: t})
	}
	e := &b.entries[b.entryIndex[t]]
	e.all++
	e.title += uint32(b.field)
}

// Build returns the index of the documents added so far. The Builder remains usable.
func (b *Builder) Build() *Index {
	all := make([]uint32, b.terms.len())
	for i := range all {
		all[i] = uint32(i)
	}
	return b.subset(all)
}

// Excerpt returns an index of the documents added so far with the terms of one query alone. It ranks the query as
// the full index would, in a hundredth of the time. The Builder remains usable.
func (b *Builder) Excerpt(query string) *Index {
	var some []uint32
	b.analyzer.Words(query, func(start, end int) {
		term, ok := b.analyzer.Term(query[start:end])
		if !ok {
			return
		}
		if id, known := b.terms.get(term); known && !slices.Contains(some, id) {
			some = append(some, id)
		}
	})
	return b.subset(some)
}

// subset returns the index of the added documents, restricted to terms.
func (b *Builder) subset(terms []uint32) *Index {
	x := &Index{analyzer: b.analyzer.Name(), version: b.analyzer.Version()}
	x.lengths[0] = slices.Clone(b.lengths[0])
	if x.lengths[0] == nil {
		x.lengths[0] = []uint32{}
	}

	// Sort terms by bytes: terms[new] = old, rank[old] = new + 1, 0 for excluded terms.
	slices.SortFunc(terms, func(i, j uint32) int { return strings.Compare(b.terms.at(i), b.terms.at(j)) })
	rank := make([]uint32, b.terms.len())
	var blob []byte
	x.ends = make([]uint32, len(terms))
	x.dfs = make([]uint32, len(terms))
	postings := uint32(0)
	for i, old := range terms {
		rank[old] = uint32(i) + 1
		blob = append(blob, b.terms.at(old)...)
		x.ends[i] = uint32(len(blob))
		x.dfs[i] = b.dfs[old]
		postings += b.dfs[old]
	}
	x.blob = string(blob)
	x.table = newTable(x.blob, x.ends)

	// Invert the lists by document into lists by term.
	x.placeLists()
	next := slices.Clone(x.starts)
	x.postings = make([]Posting, postings)
	if b.hasTitle {
		x.lengths[1] = slices.Clone(b.lengths[1])
		x.titles = make([]uint8, postings)
	}
	b.each(func(doc uint32, e *entry) {
		t := rank[e.term]
		if t == 0 {
			return
		}
		t--
		at := next[t]
		next[t]++
		x.postings[at] = Posting(doc<<8 | min(e.all, 255))
		if b.hasTitle {
			x.titles[at] = uint8(min(e.title, 255))
		}
		if e.all >= 255 {
			x.large = append(x.large, large{at: at, all: e.all, title: e.title})
		}
	})
	slices.SortFunc(x.large, func(a, b large) int { return cmp.Compare(a.at, b.at) })
	x.count()
	return x
}

// placeLists computes starts from dfs.
func (x *Index) placeLists() {
	most := uint32(0)
	for _, df := range x.dfs {
		most = max(most, df)
	}
	next := make([]uint32, most+2) // start of the next list with that df
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

// termOrder returns the terms in the order of their lists.
func (x *Index) termOrder() []uint32 {
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

// table numbers distinct strings by first appearance.
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

// get returns the number of s, if known.
func (t *table) get(s string) (n uint32, known bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	n, _, known = t.find(s, hashTerm(s))
	return n, known
}

// put returns the number of s and adds it if it is new.
func (t *table) put(s string) (n uint32, isNew bool) {
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	h := hashTerm(s)
	n, slot, known := t.find(s, h)
	if known {
		return n, false
	}
	n = uint32(len(t.ends))
	t.slots[slot] = n + 1
	t.hash = append(t.hash, h)
	t.blob = append(t.blob, s...)
	t.ends = append(t.ends, uint32(len(t.blob)))
	return n, true
}

// find returns the number of s with hash h or, if it is unknown, a free slot for it. The table must have one.
func (t *table) find(s string, h uint32) (n, slot uint32, known bool) {
	mask := uint32(len(t.slots) - 1)
	for slot = h & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if n = t.slots[slot] - 1; t.hash[n] == h && t.at(n) == s {
			return n, slot, true
		}
	}
	return 0, slot, false
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
