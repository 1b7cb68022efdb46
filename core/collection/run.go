package collection

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Ties says how documents with equal scores are ordered. The order by score is always descending.
type Ties int

// The policies of DESIGN: trec_eval's, its opposite (MS MARCO's tools), and the order of the file (cwl_eval).
const (
	DocIDDescending Ties = iota // document id, compared as bytes, descending: trec_eval
	DocIDAscending
	InputOrder
)

// String returns the name by which a policy is written: "docid-desc", "docid-asc", "input".
func (t Ties) String() string {
	switch t {
	case DocIDDescending:
		return "docid-desc"
	case DocIDAscending:
		return "docid-asc"
	case InputOrder:
		return "input"
	}
	return "ties(" + strconv.Itoa(int(t)) + ")"
}

// Run is the ranked lists of one system: for every query, documents with scores. It does not change once it is made and may be read from several
// goroutines. It is kept compactly: 8 bytes for a score and 4 for an id that is a number below 2³² (else the id's length and one more), in rank order.
type Run struct {
	Tag      string   // the run's own name, from its last column
	Metadata Metadata // ir_metadata found at its head

	lists []list
	table []int32 // open addressing by hash of the query: 1 + place in lists
	n     int
	f     slabs[float64]
	u     slabs[uint32]
	b     slabs[byte]
}

// list is one query's documents, best first by DocIDDescending.
type list struct {
	query  string
	n      uint32
	nb     uint32 // bytes of ids
	flags  uint8  // numeric, moved, tied
	fs, fo uint32 // scores: slab and offset
	us, uo uint32 // n ids where numeric, then n places in the input where moved
	bs, bo uint32 // ids where not numeric: each after its length (one byte, or 255 and four more)
}

const (
	numeric = 1 << iota // every id is a number
	moved               // rank order is not the order of the input
	tied                // some scores are equal
)

// slabs holds many small slices in few allocations.
type slabs[T any] struct{ list [][]T }

// take returns room for n values and where it is.
func (s *slabs[T]) take(n, largest int) (slab, off uint32, room []T) {
	last := len(s.list) - 1
	if last < 0 || cap(s.list[last])-len(s.list[last]) < n {
		size := 256
		if last >= 0 {
			s.trim()
			size = min(2*len(s.list[last]), largest)
		}
		s.list = append(s.list, make([]T, 0, max(size, n)))
		last++
	}
	v := s.list[last]
	o := len(v)
	v = v[:o+n]
	s.list[last] = v
	return uint32(last), uint32(o), v[o : o+n : o+n]
}

// trim gives back what the last slab has left, where that is much.
func (s *slabs[T]) trim() {
	if k := len(s.list) - 1; k >= 0 {
		if v := s.list[k]; cap(v)-len(v) > len(v)/16+16 {
			s.list[k] = append(make([]T, 0, len(v)), v...)
		}
	}
}

func (s *slabs[T]) at(slab, off, n uint32) []T {
	if n == 0 {
		return nil
	}
	return s.list[slab][off : off+n : off+n]
}

// slabBytes is how large slabs become.
const slabBytes = 1 << 20

// Len returns the number of entries: documents of all queries.
func (r *Run) Len() int { return r.n }

// Queries returns the ids of the queries in order of first appearance.
func (r *Run) Queries() []string {
	ids := make([]string, len(r.lists))
	for i := range r.lists {
		ids[i] = r.lists[i].query
	}
	return ids
}

// NumQueries returns len(r.Queries()).
func (r *Run) NumQueries() int { return len(r.lists) }

// Query returns the place of a query in Queries, or -1.
func (r *Run) Query(id string) int { return r.find(view(id)) }

func (r *Run) find(id []byte) int {
	if len(r.table) == 0 {
		return -1
	}
	mask := uint64(len(r.table) - 1)
	for s := hashID(id) & mask; r.table[s] != 0; s = (s + 1) & mask {
		if i := int(r.table[s] - 1); r.lists[i].query == string(id) {
			return i
		}
	}
	return -1
}

// insert makes list i findable, the last one.
func (r *Run) insert(i int) {
	from := i
	if 2*(i+1) > len(r.table) {
		r.table = make([]int32, 1<<bits.Len(uint(3*i+4)))
		from = 0
	}
	mask := uint64(len(r.table) - 1)
	for ; from <= i; from++ {
		s := hashID(view(r.lists[from].query)) & mask
		for r.table[s] != 0 {
			s = (s + 1) & mask
		}
		r.table[s] = int32(from + 1)
	}
}

// Size returns how many documents query i has.
func (r *Run) Size(i int) int { return int(r.lists[i].n) }

// Tied reports whether two documents of query i have the same score.
func (r *Run) Tied(i int) bool { return r.lists[i].flags&tied != 0 }

// Scores returns the scores of query i in rank order, which is the same under every policy for ties. The slice is the Run's own: it must not be
// written to.
func (r *Run) Scores(i int) []float64 {
	l := &r.lists[i]
	return r.f.at(l.fs, l.fo, l.n)
}

// Entry is one line of a run. Pos is its place among the lines of its query in the input, from 0.
type Entry struct {
	Doc   string
	Score float64
	Pos   int
}

// Ranked appends the entries of query i to dst[:0], best first, documents with equal scores by the policy.
func (r *Run) Ranked(i int, ties Ties, dst []Entry) []Entry { return r.Top(i, r.Size(i), ties, dst) }

// Top is Ranked, of the first n entries only: its work does not grow with the list.
func (r *Run) Top(i, n int, ties Ties, dst []Entry) []Entry {
	l := &r.lists[i]
	dst = dst[:0]
	scores := r.f.at(l.fs, l.fo, l.n)
	n = min(n, len(scores))
	last := n
	for 0 < last && last < len(scores) && scores[last] == scores[last-1] {
		last++
	}
	scores = scores[:last]
	ids, places := r.parts(l)
	var chunk arena
	var digits [10]byte
	b := r.bytesOf(l)
	for k, s := range scores {
		e := Entry{Score: s, Pos: k}
		if ids != nil {
			e.Doc = chunk.str(strconv.AppendUint(digits[:0], uint64(ids[k]), 10))
		} else {
			var id []byte
			id, b = cutID(b)
			e.Doc = text(id)
		}
		if places != nil {
			e.Pos = int(places[k])
		}
		dst = append(dst, e)
	}
	if l.flags&tied != 0 && ties != DocIDDescending {
		groups(scores, func(from, to int) {
			g := dst[from:to]
			if ties == DocIDAscending {
				slices.Reverse(g)
				return
			}
			old := slices.Clone(g)
			for i, k := range sorted(len(g), func(i, j int32) int { return old[i].Pos - old[j].Pos }) {
				g[i] = old[k]
			}
		})
	}
	return dst[:n]
}

// Each calls f for every entry of query i, best first, documents with equal scores by the policy, until f returns false.
func (r *Run) Each(i int, ties Ties, f func(rank int, e Entry) bool) {
	for k, e := range r.Ranked(i, ties, nil) {
		if !f(k, e) {
			return
		}
	}
}

// parts returns the numbers and the places in the input of a list, nil where it has none.
func (r *Run) parts(l *list) (ids, places []uint32) {
	at := l.uo
	if l.flags&numeric != 0 && l.n > 0 {
		ids = r.u.at(l.us, at, l.n)
		at += l.n
	}
	if l.flags&moved != 0 {
		places = r.u.at(l.us, at, l.n)
	}
	return ids, places
}

func (r *Run) bytesOf(l *list) []byte {
	if l.nb == 0 {
		return nil
	}
	return r.b.at(l.bs, l.bo, l.nb)
}

// cutID takes an id off the front of the ids of a list.
func cutID(b []byte) (id, rest []byte) {
	n := int(b[0])
	b = b[1:]
	if n == 255 {
		n = int(le32(b))
		b = b[4:]
	}
	return b[:n:n], b[n:]
}

// groups calls f for every stretch of two equal scores or more.
func groups(scores []float64, f func(from, to int)) {
	for i := 1; i < len(scores); i++ {
		if scores[i] == scores[i-1] {
			j := i + 1
			for j < len(scores) && scores[j] == scores[i] {
				j++
			}
			f(i-1, j)
			i = j
		}
	}
}

// Grades joins query i with its judgments: it appends the grade of every document in rank order, Unjudged where it has none, to ranked[:0], and the
// scores to scores[:0]. Where scores is nil the Run's own are returned, which must not be written to. A query without judgments has only
// Unjudged documents.
func (r *Run) Grades(query int, q *Qrels, ties Ties, ranked []int32, scores []float64) ([]int32, []float64) {
	l := &r.lists[query]
	n := int(l.n)
	if cap(ranked) < n {
		ranked = make([]int32, n)
	}
	ranked = ranked[:n]
	own := r.f.at(l.fs, l.fo, l.n)
	t := q.find(l.query)
	ids, places := r.parts(l)
	switch {
	case t == nil || len(t.docs) == 0:
		for k := range ranked {
			ranked[k] = Unjudged
		}
	case ids != nil:
		t.gradeNumbers(ids, ranked)
	default:
		b := r.bytesOf(l)
		for k := range ranked {
			var id []byte
			id, b = cutID(b)
			ranked[k] = Unjudged
			if j := t.find(hashID(id), id); j >= 0 {
				ranked[k] = t.docs[j].grade
			}
		}
	}
	if l.flags&tied != 0 && ties != DocIDDescending && t != nil {
		groups(own, func(from, to int) {
			g := ranked[from:to]
			if ties == DocIDAscending {
				slices.Reverse(g)
			} else if places != nil {
				byPlace(g, places[from:to])
			}
		})
	}
	if scores == nil {
		return ranked, own
	}
	return ranked, append(scores[:0], own...)
}

// gradeNumbers sets ranked to the grades of documents whose ids are numbers.
func (t *topic) gradeNumbers(ids []uint32, ranked []int32) {
	ranked = ranked[:len(ids)]
	filter, table := t.filter, t.table
	if table == nil {
		for k, v := range ids {
			h := hashNumber(v)
			ranked[k] = Unjudged
			if filter>>(h>>58)&1 != 0 {
				for i := range t.docs {
					// Two numbers never have the same hash.
					if j := &t.docs[i]; j.hash == h && j.num {
						ranked[k] = j.grade
						break
					}
				}
			}
		}
		return
	}
	mask := uint64(len(table) - 1)
	for k, v := range ids {
		h := hashNumber(v)
		grade := int32(Unjudged)
		for s := h & mask; ; s = (s + 1) & mask {
			e := table[s]
			if (e^h)>>32 == 0 && e != 0 {
				if j := &t.docs[uint32(e)-1]; j.hash == h && j.num {
					grade = j.grade
					break
				}
			} else if e == 0 {
				break
			}
		}
		ranked[k] = grade
	}
}

// byPlace orders the grades of a group of ties by the places of their lines in the input.
func byPlace(grades []int32, places []uint32) {
	old := slices.Clone(grades)
	for i, k := range sorted(len(grades), func(i, j int32) int { return int(places[i]) - int(places[j]) }) {
		grades[i] = old[k]
	}
}

// Bytes returns about how many bytes of memory the Run holds.
func (r *Run) Bytes() int64 {
	n := int64(len(r.lists))*int64(unsafe.Sizeof(list{})) + int64(len(r.table))*4
	for i := range r.lists {
		n += int64(len(r.lists[i].query))
	}
	for _, s := range r.f.list {
		n += int64(cap(s)) * 8
	}
	for _, s := range r.u.list {
		n += int64(cap(s)) * 4
	}
	for _, s := range r.b.list {
		n += int64(cap(s))
	}
	return n
}

// scratch is the entries of one query in the order of the input while they are read.
type scratch struct {
	scores   []float64
	nums     []uint32 // while every id is a number
	ids      []byte   // the ids one after another, once one is not
	ends     []uint32 // where each one ends
	numeric  bool
	line     int      // line of the first entry; the others follow it line by line
	lines    []uint32 // where they do not
	lastRank int64    // of the entry before; -1: unknown
	note     note     // what is known to be odd so far
}

func (s *scratch) reset() {
	s.scores, s.nums, s.ids, s.ends, s.lines = s.scores[:0], s.nums[:0], s.ids[:0], s.ends[:0], s.lines[:0]
	s.numeric, s.line, s.lastRank, s.note = true, 0, -1, noNote
}

// addID appends an id that follows those of the entries before.
func (s *scratch) addID(id []byte) {
	if s.numeric {
		if v, ok := number(id); ok {
			s.nums = append(s.nums, v)
			return
		}
		s.spell()
	}
	s.ids = append(s.ids, id...)
	s.ends = append(s.ends, uint32(len(s.ids)))
}

// spell writes out the numbers, as another id is none.
func (s *scratch) spell() {
	s.numeric = false
	for _, v := range s.nums {
		s.ids = strconv.AppendUint(s.ids, uint64(v), 10)
		s.ends = append(s.ends, uint32(len(s.ids)))
	}
	s.nums = s.nums[:0]
}

func (s *scratch) id(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.ids[from:s.ends[i]]
}

// spelt returns id i as text.
func (s *scratch) spelt(i int) string {
	if s.numeric {
		return strconv.FormatUint(uint64(s.nums[i]), 10)
	}
	return string(s.id(i))
}

// addLine notes the line of the entry that was just added.
func (s *scratch) addLine(line int) {
	n := len(s.scores)
	switch {
	case n == 1:
		s.line = line
	case len(s.lines) > 0:
		s.lines = append(s.lines, uint32(line))
	case line != s.line+n-1:
		for i := range n - 1 {
			s.lines = append(s.lines, uint32(s.line+i))
		}
		s.lines = append(s.lines, uint32(line))
	}
}

func (s *scratch) lineOf(i int) int {
	if len(s.lines) > 0 {
		return int(s.lines[i])
	}
	return s.line + i
}

// compare orders entries i and j: score descending, id descending, input.
func (s *scratch) compare(i, j int32) int {
	if c := cmp.Compare(s.scores[j], s.scores[i]); c != 0 {
		return c
	}
	c := 0
	if s.numeric {
		c = compareNumbers(s.nums[j], s.nums[i])
	} else {
		c = bytes.Compare(s.id(int(j)), s.id(int(i)))
	}
	if c != 0 {
		return c
	}
	return cmp.Compare(i, j)
}

// compareNumbers compares two numbers as the text of their digits.
func compareNumbers(a, b uint32) int {
	if a == b {
		return 0
	}
	x, y := uint64(a), uint64(b)
	dx, dy := digitsOf(a), digitsOf(b)
	if dx < dy {
		x *= upow10[dy-dx]
	} else {
		y *= upow10[dx-dy]
	}
	if x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(dx, dy) // one begins with the other
}

func digitsOf(v uint32) int {
	n := 1
	for n < 10 && uint64(v) >= upow10[n] {
		n++
	}
	return n
}

// RunBuilder makes a Run of entries in any order.
type RunBuilder struct {
	run    *Run
	file   string
	w      warner
	ids    arena
	cur    *scratch
	at     int // the current query's place; -1: none
	free   scratch
	open   map[int]*scratch // queries that came back after others
	first  []uint32         // the line at which each list begins
	notes  map[int]*note    // what is odd about lists
	set32  []uint32
	set64  []uint64
	order  []int32
	lim    Limits
	lined  bool // entries have lines
	reopen int  // line at which a query first came back; 0: none did
	back   int  // how often queries came back
}

// note is what is odd about one list.
type note struct {
	sameDoc, differDoc   string
	lines                []uint32 // where the entries stand, if not line by line
	same, differ         int32    // repeated documents with the same score, with another
	sameLine, differLine int32
	tied, tiedLine       int32 // entries that share their score
	unsorted             int32 // line of the first entry with a higher score than the one before; -1: none
	clashes, clash       int32 // entries whose rank contradicts their score, line of the first
	garbled, garbledLine int32 // ids that are not UTF-8, line of the first
	garbledDoc           string
}

var noNote = note{unsorted: -1}

// nothing reports whether there is nothing to note.
func (n *note) nothing() bool {
	return n.lines == nil && n.same|n.differ|n.tied|n.clashes|n.garbled == 0 && n.unsorted < 0
}

// NewRunBuilder returns the builder of a run with a tag.
func NewRunBuilder(tag string) *RunBuilder {
	b := &RunBuilder{run: &Run{Tag: tag}, at: -1, open: map[int]*scratch{}, notes: map[int]*note{}, lim: Limits{}.withDefaults()}
	b.cur = &b.free
	b.cur.reset()
	return b
}

// Add adds a document with its score to a query. NaN and infinite scores are refused.
func (b *RunBuilder) Add(query, doc string, score float64) error {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return errors.New("collection: add to run: score of document " + strconv.Quote(doc) + " for query " + strconv.Quote(query) + " is not finite")
	}
	return b.add(view(query), view(doc), score, -1, 0)
}

// Touch makes the query known, though it may have no documents.
func (b *RunBuilder) Touch(query string) error {
	if b.at < 0 || b.run.lists[b.at].query != query {
		return b.turn(view(query), 0)
	}
	return nil
}

// add adds an entry that has a rank (-1: none) and a line (0: none).
func (b *RunBuilder) add(query, doc []byte, score float64, rank int64, line int) error {
	if b.at < 0 || b.run.lists[b.at].query != string(query) {
		if err := b.turn(query, line); err != nil {
			return err
		}
	}
	s := b.cur
	s.addID(doc)
	b.entry(s, score, rank, line)
	if b.run.n++; b.run.n > b.lim.Entries {
		return &LimitError{"Entries", "entries in a run", int64(b.lim.Entries), int64(b.run.n)}
	}
	return nil
}

// entry adds what an entry has beside its id.
func (b *RunBuilder) entry(s *scratch, score float64, rank int64, line int) {
	if n := len(s.scores); n > 0 && rank >= 0 && s.lastRank >= 0 {
		if last := s.scores[n-1]; rank > s.lastRank && score > last || rank < s.lastRank && score < last {
			if s.note.clashes == 0 {
				s.note.clash = int32(line)
			}
			s.note.clashes++
		}
	}
	s.lastRank = rank
	s.scores = append(s.scores, score)
	if line > 0 {
		s.addLine(line)
	}
}

// turn makes another query the current one.
func (b *RunBuilder) turn(query []byte, line int) error {
	b.leave()
	i := b.run.find(query)
	if i < 0 {
		i = len(b.run.lists)
		if i >= b.lim.Queries {
			return &LimitError{"Queries", "queries in a run", int64(b.lim.Queries), int64(i) + 1}
		}
		b.run.lists = append(b.run.lists, list{query: b.ids.str(query)})
		b.run.insert(i)
		b.first = append(b.first, 0)
		b.at, b.cur = i, &b.free
		b.cur.reset()
		return nil
	}
	if b.back++; b.reopen == 0 {
		b.reopen = line
	}
	b.at = i
	if b.open[i] == nil {
		s := &scratch{}
		s.reset()
		b.unseal(i, s)
		b.open[i] = s
	}
	b.cur = b.open[i]
	b.cur.lastRank = -1
	return nil
}

// leave seals the current query unless it is open for more.
func (b *RunBuilder) leave() {
	if b.at >= 0 && b.open[b.at] == nil {
		b.seal(b.at, b.cur)
	}
}

// seal stores the entries of a query in rank order and notes what is odd about them.
func (b *RunBuilder) seal(at int, s *scratch) {
	n := len(s.scores)
	l := &b.run.lists[at]
	nt := s.note
	b.first[at], nt.lines = uint32(s.line), nil
	if len(s.lines) > 0 {
		nt.lines = slices.Clone(s.lines)
	}
	defer func() {
		if !nt.nothing() {
			b.notes[at] = &nt
		} else if len(b.notes) > 0 {
			delete(b.notes, at)
		}
	}()
	l.n, l.flags, l.nb = uint32(n), 0, 0
	if n == 0 {
		return
	}
	if !s.numeric && !utf8.Valid(s.ids) {
		for i := range n {
			if id := s.id(i); !utf8.Valid(id) {
				if nt.garbled++; nt.garbled == 1 {
					nt.garbledLine, nt.garbledDoc = int32(s.lineOf(i)), string(id)
				}
			}
		}
	}
	sorted, ties := true, false
	last := s.scores[0]
	for i, v := range s.scores[1:] {
		if v >= last {
			if v == last {
				ties = true
			} else if sorted {
				sorted = false
				nt.unsorted = int32(s.lineOf(i + 1))
			}
		}
		last = v
	}
	repeats := b.repeats(s)
	var order []int32 // nil: as in the input
	if !sorted || ties || repeats {
		order = b.order[:0]
		for i := range n {
			order = append(order, int32(i))
		}
		if !sorted {
			slices.SortFunc(order, s.compare)
		} else {
			groups(s.scores, func(from, to int) { slices.SortFunc(order[from:to], s.compare) })
		}
		b.order = order
		if repeats {
			order = b.dedupe(s, order, &nt)
			n = len(order)
		}
		tie := func(k int32) {
			if line := int32(s.lineOf(int(k))); nt.tied == 0 || line < nt.tiedLine {
				nt.tiedLine = line
			}
			nt.tied++
		}
		for i := 1; i < n; i++ {
			if s.scores[order[i]] == s.scores[order[i-1]] {
				if i == 1 || s.scores[order[i-1]] != s.scores[order[i-2]] {
					tie(order[i-1])
				}
				tie(order[i])
			}
		}
		if nt.tied > 0 {
			l.flags |= tied
		}
		same := n == len(s.scores)
		for i := 0; same && i < n; i++ {
			same = order[i] == int32(i)
		}
		if same {
			order = nil
		} else {
			l.flags |= moved
		}
	}
	b.run.n -= len(s.scores) - n
	l.n = uint32(n)

	var room []float64
	l.fs, l.fo, room = b.run.f.take(n, slabBytes/8)
	if order == nil {
		copy(room, s.scores)
	} else {
		for i, k := range order {
			room[i] = s.scores[k]
		}
	}
	words := 0
	if s.numeric {
		l.flags |= numeric
		words = n
	}
	if order != nil {
		words += n
	}
	if words > 0 {
		var u []uint32
		l.us, l.uo, u = b.run.u.take(words, slabBytes/4)
		if s.numeric {
			if order == nil {
				copy(u, s.nums)
			} else {
				for i, k := range order {
					u[i] = s.nums[k]
				}
			}
			u = u[n:]
		}
		for i, k := range order {
			u[i] = uint32(k)
		}
	}
	if !s.numeric {
		size := 0
		for i := range n {
			k := i
			if order != nil {
				k = int(order[i])
			}
			if size += len(s.id(k)) + 1; len(s.id(k)) >= 255 {
				size += 4
			}
		}
		var p []byte
		l.bs, l.bo, p = b.run.b.take(size, slabBytes)
		l.nb = uint32(size)
		for i := range n {
			k := i
			if order != nil {
				k = int(order[i])
			}
			id := s.id(k)
			if len(id) < 255 {
				p[0] = byte(len(id))
				p = p[1:]
			} else {
				p[0], p[1], p[2], p[3], p[4] = 255, byte(len(id)), byte(len(id)>>8), byte(len(id)>>16), byte(len(id)>>24)
				p = p[5:]
			}
			p = p[copy(p, id):]
		}
	}
}

// unseal puts the entries of a query back into the order of the input.
func (b *RunBuilder) unseal(at int, s *scratch) {
	nt := noNote
	if p := b.notes[at]; p != nil {
		nt = *p
	}
	entries := b.run.Ranked(at, DocIDDescending, nil)
	for _, k := range sorted(len(entries), func(i, j int32) int { return entries[i].Pos - entries[j].Pos }) {
		e := entries[k]
		s.addID(view(e.Doc))
		s.scores = append(s.scores, e.Score)
		line := int(b.first[at]) + e.Pos
		if nt.lines != nil {
			line = int(nt.lines[e.Pos])
		}
		s.addLine(line)
	}
	nt.tied, nt.tiedLine, nt.unsorted, nt.lines, nt.garbled = 0, 0, -1, nil, 0 // found again when it is sealed again
	s.note = nt
}

// repeats reports whether a document is there twice.
func (b *RunBuilder) repeats(s *scratch) bool {
	n := len(s.scores)
	if n < 2 {
		return false
	}
	size := 1 << bits.Len(uint(2*n))
	shift := 64 - bits.Len(uint(size-1))
	if s.numeric {
		if len(b.set32) < size {
			b.set32 = make([]uint32, size)
		}
		set := b.set32[:size]
		clear(set)
		top := false // the largest number has no place in the set
		for _, v := range s.nums {
			if v == math.MaxUint32 {
				if top {
					return true
				}
				top = true
				continue
			}
			v++
			for i := int(uint64(v) * hashMul >> shift); ; i = (i + 1) & (size - 1) {
				if set[i] == 0 {
					set[i] = v
					break
				}
				if set[i] == v {
					return true
				}
			}
		}
		return false
	}
	if len(b.set64) < size {
		b.set64 = make([]uint64, size)
	}
	set := b.set64[:size]
	clear(set)
	from := uint32(0)
	for _, end := range s.ends {
		h := hashBytes(s.ids[from:end]) | 1
		from = end
		for i := int(h >> shift); ; i = (i + 1) & (size - 1) {
			if set[i] == 0 {
				set[i] = h
				break
			}
			if set[i] == h {
				return true // or a collision: dedupe looks closer
			}
		}
	}
	return false
}

// dedupe takes documents out of order that are in it before: the best-ranked one of each stays.
func (b *RunBuilder) dedupe(s *scratch, order []int32, nt *note) []int32 {
	first := make(map[string]int32, len(order))
	keep := order[:0]
	for _, k := range order {
		id := s.spelt(int(k))
		f, ok := first[id]
		if !ok {
			first[id] = k
			keep = append(keep, k)
			continue
		}
		line := int32(s.lineOf(int(max(k, f))))
		if s.scores[f] == s.scores[k] {
			if nt.same++; nt.same == 1 || line < nt.sameLine {
				nt.sameLine, nt.sameDoc = line, id
			}
		} else if nt.differ++; nt.differ == 1 || line < nt.differLine {
			nt.differLine, nt.differDoc = line, id
		}
	}
	return keep
}

// Run returns the finished run and what is odd about it. The builder is used up.
func (b *RunBuilder) Run() (*Run, []Warning) {
	b.leave()
	for i := range b.run.lists {
		if s := b.open[i]; s != nil {
			b.seal(i, s)
			delete(b.open, i)
		}
	}
	r := b.run
	r.f.trim()
	r.u.trim()
	r.b.trim()
	r.lists = slices.Clip(r.lists)
	b.report()
	list := b.w.list
	*b = RunBuilder{}
	return r, list
}

// garbled warns about ids that are not UTF-8.
func garbled(w *warner, file string, line, n int, id []byte) {
	w.add(NotUTF8, file, line, n, id, func() string {
		return "id " + strconv.Quote(clip(id)) + " is not UTF-8: it is compared byte by byte; save run and qrels in the same encoding"
	})
}

// report turns the notes into warnings.
func (b *RunBuilder) report() {
	line := func(n int32) int {
		if b.lined {
			return int(n)
		}
		return 0
	}
	for i := range b.run.lists {
		q := b.run.lists[i].query
		if b.run.lists[i].n == 0 {
			b.w.add(EmptyQuery, b.file, 0, 1, view(q), func() string { return "query " + strconv.Quote(q) + " has no documents" })
		}
		if !utf8.ValidString(q) {
			garbled(&b.w, b.file, line(int32(b.first[i])), 1, view(q))
		}
		nt := b.notes[i]
		if nt == nil {
			continue
		}
		quoted := strconv.Quote(q)
		if nt.garbled > 0 {
			garbled(&b.w, b.file, line(nt.garbledLine), int(nt.garbled), view(nt.garbledDoc))
		}
		if nt.same > 0 {
			b.w.add(DuplicateDocument, b.file, line(nt.sameLine), int(nt.same), view(q+" "+nt.sameDoc), func() string {
				return "document " + strconv.Quote(nt.sameDoc) + " is there again for query " + quoted + " with the same score; one of them is kept"
			})
		}
		if nt.differ > 0 {
			b.w.add(ConflictingScore, b.file, line(nt.differLine), int(nt.differ), view(q+" "+nt.differDoc), func() string {
				return "document " + strconv.Quote(nt.differDoc) + " is there again for query " + quoted + " with another score; the highest one is kept"
			})
		}
		if nt.clashes > 0 {
			b.w.add(RankConflict, b.file, line(nt.clash), int(nt.clashes), view(q), func() string {
				return "rank and score contradict each other for query " + quoted + "; the score decides"
			})
		}
		if nt.unsorted >= 0 {
			b.w.add(UnsortedInput, b.file, line(nt.unsorted), 1, view(q), func() string {
				return "query " + quoted + " is not in the order of its scores, and is ranked by them"
			})
		}
		if nt.tied > 0 {
			b.w.add(TiedScores, b.file, line(nt.tiedLine), int(nt.tied), view(q), func() string {
				return "documents of query " + quoted + " share a score; their order is a matter of convention"
			})
		}
	}
	if b.back > 0 {
		b.w.add(InterleavedQueries, b.file, line(int32(b.reopen)), b.back, nil, func() string {
			return "queries come back after others; their lines are put together"
		})
	}
}

// Kinds of warnings about runs.
const (
	DuplicateDocument  = "duplicate-document"  // twice for a query, with the same score
	ConflictingScore   = "conflicting-score"   // twice for a query, with different scores; the highest is kept
	RankConflict       = "rank-conflict"       // a better rank with a lower score than the line before, or the reverse
	OddRank            = "odd-rank"            // ranks that are no numbers, or below 0; nothing depends on them
	UnsortedInput      = "unsorted-input"      // queries whose lines are not in the order of their scores
	TiedScores         = "tied-scores"         // entries that share their score with another of the query
	InterleavedQueries = "interleaved-queries" // queries whose lines do not stand together
	MixedTags          = "mixed-tags"          // lines with another run tag than the first
	ExtraColumns       = "extra-columns"       // words behind the run tag, which are not read (trec_eval does not either)
	FiveColumns        = "five-columns"        // a run without "Q0", or without a tag
	SpaceInID          = "space-in-id"         // an id that holds a space, or a line that looks as if one did
)
