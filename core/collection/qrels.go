package collection

import (
	"math"
	"math/bits"
	"unsafe"
)

// text views b as a string; b must not change any more.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// view views s as bytes, which must not be written.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Unjudged is the grade of a document that has no judgment.
const Unjudged = math.MinInt32

// Qrels are graded judgments: query → document → grade. Queries, and the documents of each, keep the order in which
// they first appeared. A Qrels that is no longer added to may be read from several goroutines.
type Qrels struct {
	index  map[string]int
	topics []topic
	ids    arena
	n      int
	last   int // topic of the last Add
}

// topic is the judgments of one query.
type topic struct {
	query  string
	filter uint64 // bit h>>58 of the hash h of every judged document
	docs   []judgment
	table  []uint64 // once docs are more than scan: open addressing; the hash's high half, then 1 + place in docs
}

type judgment struct {
	hash  uint64
	doc   string
	grade float64
}

// scan is up to how many judgments are looked through one by one.
const scan = 8

// NewQrels returns Qrels without judgments.
func NewQrels() *Qrels { return &Qrels{index: map[string]int{}} }

// Add judges document doc for the query. A document that is judged already gets the new grade (as pytrec_eval and
// ir_measures, which read into a dictionary, have it). Grades beyond those of int32, and Unjudged itself, are drawn to
// the nearest allowed one.
func (q *Qrels) Add(query, doc string, grade float64) {
	q.add(view(query), view(doc), min(max(grade, Unjudged+1), math.MaxInt32))
}

// Touch makes the query known, with no judgment yet.
func (q *Qrels) Touch(query string) { q.topic(view(query)) }

// topic returns the place of the query, which is made where there is none.
func (q *Qrels) topic(query []byte) int {
	if q.last < len(q.topics) && q.topics[q.last].query == string(query) {
		return q.last
	}
	i, ok := q.index[string(query)]
	if !ok {
		i = len(q.topics)
		id := q.ids.str(query)
		q.topics = append(q.topics, topic{query: id})
		q.index[id] = i
	}
	q.last = i
	return i
}

// add judges a document and returns the grade that it had before.
func (q *Qrels) add(query, doc []byte, grade float64) (old float64, had bool) {
	t := &q.topics[q.topic(query)]
	h := hashID(doc)
	if i := t.find(h, doc); i >= 0 {
		old = t.docs[i].grade
		t.docs[i].grade = grade
		return old, true
	}
	t.docs = append(t.docs, judgment{h, q.ids.str(doc), grade})
	t.filter |= 1 << (h >> 58)
	q.n++
	if n := len(t.docs); n > scan {
		if 2*n > len(t.table) {
			t.table = make([]uint64, 1<<bits.Len(uint(2*n+scan)))
			for i := range t.docs {
				t.insert(i)
			}
		} else {
			t.insert(n - 1)
		}
	}
	return 0, false
}

func (t *topic) insert(i int) {
	mask := uint64(len(t.table) - 1)
	h := t.docs[i].hash
	for s := h & mask; ; s = (s + 1) & mask {
		if t.table[s] == 0 {
			t.table[s] = h>>32<<32 | uint64(i+1)
			return
		}
	}
}

// find returns the place of the document with hash h, or -1.
func (t *topic) find(h uint64, doc []byte) int {
	if t.filter>>(h>>58)&1 == 0 {
		return -1
	}
	if t.table == nil {
		for i := range t.docs {
			if t.docs[i].hash == h && t.docs[i].doc == string(doc) {
				return i
			}
		}
		return -1
	}
	mask := uint64(len(t.table) - 1)
	for s := h & mask; t.table[s] != 0; s = (s + 1) & mask {
		if (t.table[s]^h)>>32 == 0 {
			if i := int(uint32(t.table[s])) - 1; t.docs[i].hash == h && t.docs[i].doc == string(doc) {
				return i
			}
		}
	}
	return -1
}

// Len returns the number of judgments.
func (q *Qrels) Len() int { return q.n }

// Queries returns the ids of the queries in order of first appearance.
func (q *Qrels) Queries() []string {
	list := make([]string, len(q.topics))
	for i := range q.topics {
		list[i] = q.topics[i].query
	}
	return list
}

// Has reports whether the query is among Queries.
func (q *Qrels) Has(query string) bool { return q.find(query) != nil }

// find returns the judgments of a query, or nil.
func (q *Qrels) find(query string) *topic {
	if i, ok := q.index[query]; ok {
		return &q.topics[i]
	}
	return nil
}

// Grade returns the grade of a document for a query, and whether it was judged at all.
func (q *Qrels) Grade(query, doc string) (grade float64, judged bool) {
	if t := q.find(query); t != nil {
		d := view(doc)
		if i := t.find(hashID(d), d); i >= 0 {
			return t.docs[i].grade, true
		}
	}
	return 0, false
}

// Each calls f for every judgment of the query, in order of first appearance.
func (q *Qrels) Each(query string, f func(doc string, grade float64)) {
	if t := q.find(query); t != nil {
		for i := range t.docs {
			f(t.docs[i].doc, t.docs[i].grade)
		}
	}
}

// Grades appends the grades of all judged documents of the query to dst[:0], in order of first appearance.
func (q *Qrels) Grades(query string, dst []float64) []float64 {
	dst = dst[:0]
	if t := q.find(query); t != nil {
		for i := range t.docs {
			dst = append(dst, t.docs[i].grade)
		}
	}
	return dst
}
