package collection

import (
	"math/bits"
	"slices"
	"strconv"
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

// Run is the ranked lists of one system: for every query, documents with scores. It does not change once it is made and
// may be read from several goroutines. It is kept compactly: 8 bytes for a score and 4 for an id that is a number below
// 2³² (else the id's length and one more), in rank order.
type Run struct {
	Tag      string   // the run's own name, from its last column
	Metadata Metadata // ir_metadata found at its head

	lists []list
	again map[int][]Entry // by list: entries that repeat a document and do not count; nil beyond maxAgain
	table []int32         // open addressing by hash of the query: 1 + place in lists
	n     int
	f     slabs[float64]
	u     slabs[uint32]
	b     slabs[byte]
}

const (
	numeric = 1 << iota // every id is a number
	moved               // rank order is not the order of the input
	tied                // some scores are equal
)

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

// Scores returns the scores of query i in rank order, which is the same under every policy for ties. The slice is the
// Run's own: it must not be written to.
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
			for i, k := range byPos(old) {
				g[i] = old[k]
			}
		})
	}
	return dst[:n]
}

// maxAgain bounds the entries of a run that are kept though they do not count.
const maxAgain = 1 << 17

// Repeats reports whether the run kept entries that repeat a document of their query.
func (r *Run) Repeats() bool { return len(r.again) > 0 }

// Listed returns the entries of query i as the input had them, with those that repeat a document and do not count.
// again says which those are, nil where there are none. A run with more than 131,072 of them keeps none.
func (r *Run) Listed(i int) (list []Entry, again []bool) {
	counted := r.Size(i)
	all := append(r.Ranked(i, DocIDDescending, nil), r.again[i]...)
	list = make([]Entry, len(all))
	if len(all) > counted {
		again = make([]bool, len(all))
	}
	for k, from := range byPos(all) {
		list[k] = all[from]
		if again != nil {
			again[k] = int(from) >= counted
		}
	}
	return list, again
}

// byPos returns the places of entries in the order of the input.
func byPos(list []Entry) []int32 {
	return sorted(len(list), func(i, j int32) int { return list[i].Pos - list[j].Pos })
}

// Each calls f for every entry of query i, best first, documents with equal scores by the policy, until f returns
// false.
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
	for _, list := range r.again {
		for _, e := range list {
			n += int64(unsafe.Sizeof(e)) + int64(len(e.Doc))
		}
	}
	return n
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
	// words behind the run tag, which are not read (trec_eval does not either)
	ExtraColumns = "extra-columns"
	FiveColumns  = "five-columns" // a run without "Q0", or without a tag
	SpaceInID    = "space-in-id"  // an id that holds a space, or a line that looks as if one did
)

// WithScores returns the run with every score replaced by f of it, and ranked again by the new ones: rounded to
// float32, as pytrec_eval keeps them, say. f must return finite numbers.
func (r *Run) WithScores(f func(float64) float64) *Run {
	b := NewRunBuilder(r.Tag)
	b.lim = noLimits()
	b.run.Metadata = r.Metadata
	var list []Entry
	for i := range r.lists {
		b.Touch(r.lists[i].query)
		list = r.Ranked(i, DocIDDescending, list)
		for _, k := range byPos(list) {
			e := list[k]
			b.add(view(r.lists[i].query), view(e.Doc), f(e.Score), noRank, 0)
		}
	}
	out, _ := b.Run()
	return out
}
