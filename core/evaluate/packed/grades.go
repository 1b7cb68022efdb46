package packed

import (
	"math"
	"slices"
	"strconv"
)

// # A comparison by grades, version 5
//
// What a comparison by grades holds instead of documents: of every ranking the ranks of judged documents with their
// grades, and how many documents of a query have each grade. Head and checksum are those of the other versions. The
// payload is the coder's: name, policy, measures, baseline, depth, view, the hash of the report; the runs with their names
// and what was counted of them; the grades; the queries with their ids, fields and judgments; then the rankings,
// query by query and run by run. A ranking is a decision at each rank, "is it judged, and how", until no judged
// document of the query is left: measures see nothing else of it.

// byGrades is a comparison by grades.
type byGrades struct {
	name, policy, view string
	hash               string // of the report, 64 hexadecimal digits, "" for none
	former             bool   // the hash is that of an earlier version
	measures           []string
	baseline           int
	depth              int // depth at which rankings are cut, 0 for none
	runs               []gradedRun
	grades             []float64 // the distinct grades, ascending
	queries            []gradedQuery
	lists              [][]gradedList // by query, then run

	texts bool     // queries include texts
	known []string // types, difficulties and domains that queries use
}

type gradedRun struct {
	name, tag  string
	counted    [4]int // queries without judgments, documents, tied documents, queries with ties
	unanswered []bool // by query: the backend gave no answer
}

type gradedQuery struct {
	id     string
	text   string
	fields [3]int // type, difficulty, domain: indices in known, 0 for none
	counts []int  // by grade
}

// gradedList is a ranking.
type gradedList struct {
	there bool
	size  int
	at    []int32 // ranks of judged documents, from 0, ascending
	grade []int32 // by judged document: index in byGrades.grades
}

// Limits for reading a comparison by grades from any source.
const (
	maxGradedWork    = 64_000_000 // context lookups: one or two seconds
	maxGradedText    = 1 << 20    // bytes of names, ids and texts
	maxGradedQueries = 100_000
	maxGradedJudged  = 2_000_000 // judged documents
	maxGradedSize    = 1_000_000 // documents of one ranking
	maxGradedGrades  = 256       // different grades
	maxGradedCounts  = 4_000_000 // queries × grades
	// documents of all rankings; beyond, rankings end after their last judged document
	maxRebuilt   = 1_000_000
	leastRebuilt = 10 // report.Window: ranks that the report counts in every ranking
)

// Kinds of numbers and texts.
const (
	kindName = iota
	kindPolicy
	kindMeasure
	kindView
	kindRun
	kindTag
	kindID
	kindField
	kindText
	kindCount
	kindGrade
	kindStep
	kindJudged
	kindSize
	kindPlain
	kindTied
)

// walker writes or reads a comparison by grades.
type walker struct {
	*coder
	g      *byGrades
	room   int
	bad    bool
	limits Limits
	limit  *LimitError

	stop    func() bool // called once per query; may be nil
	stopped bool
}

// walk codes everything and reports success: no damage, and no limit exceeded.
func (w *walker) walk() bool {
	g := w.g
	w.room = maxGradedText
	g.name = w.text(g.name, kindName, &w.room)
	g.policy = w.text(g.policy, kindPolicy, &w.room)
	list(w, &g.measures, kindMeasure, w.limits.Measures, "measures", func(m *string) {
		*m = w.text(*m, kindMeasure,
			&w.room)
	})
	g.baseline = w.number(g.baseline, kindPlain)
	g.depth = w.number(g.depth, kindPlain)
	g.view = w.text(g.view, kindView, &w.room)
	w.hex(&g.hash)
	list(w, &g.runs, kindRun, w.limits.Runs, "runs", w.run)
	list(w, &g.grades, kindGrade, maxGradedGrades, "grades", w.grade())
	list(w, &g.known, kindField, maxGradedQueries, "values",
		func(v *string) { *v = w.text(*v, kindField, &w.room) })
	g.texts = w.flag(g.texts, context(20))
	most := maxGradedQueries
	if n := len(g.grades); n > 0 {
		most = min(most, maxGradedCounts/n)
	}
	list(w, &g.queries, kindID, most, "queries", w.query())
	if w.failed() {
		return false
	}
	if err := w.limits.check(len(g.runs), len(g.measures), len(g.queries)); err != nil {
		w.limit, _ = err.(*LimitError)
		return false
	}
	if cost := len(g.queries) * (costQuery + len(g.runs)*costTouch); cost > w.limits.Memory && w.reading {
		w.limit = &LimitError{"bytes of memory", 0, w.limits.Memory}
		return false
	}
	for i := range g.runs {
		w.unanswered(&g.runs[i])
	}
	if w.reading {
		g.lists = make([][]gradedList, len(g.queries))
	}
	m := newRankModel(w)
	for q := range g.queries {
		if w.reading {
			g.lists[q] = make([]gradedList, len(g.runs))
		}
		if w.stop != nil && w.stop() {
			w.stopped = true
			return false
		}
		m.begin(q)
		for s := range g.runs {
			if m.list(s, &g.lists[q][s]); w.failed() {
				return false
			}
		}
		m.end()
	}
	return !w.failed()
}

func (w *walker) failed() bool { return w.bad || w.spent || w.stopped || w.limit != nil }

// list codes the number of items, then each one.
func list[T any](w *walker, v *[]T, kind uint32, most int, what string, item func(*T)) {
	n := w.number(len(*v), 0x200+kind)
	if w.failed() {
		return
	}
	if n > most {
		w.limit = &LimitError{what, n, most}
		return
	}
	if w.reading {
		*v = make([]T, n)
	}
	for i := range *v {
		if item(&(*v)[i]); w.failed() {
			return
		}
	}
}

// hex codes 64 hexadecimal digits or "".
func (w *walker) hex(s *string) {
	if !w.flag(*s != "", context(21)) {
		return
	}
	b := []byte(*s)
	if w.reading {
		b = make([]byte, 64)
	}
	for i := range b {
		v := 0
		if c := int(b[i]); c >= 'a' {
			v = c - 'a' + 10
		} else if c > 0 {
			v = c - '0'
		}
		x := 0
		for k := 3; k >= 0; k-- {
			x = x<<1 | w.raw(v>>k&1)
		}
		b[i] = "0123456789abcdef"[x]
	}
	*s = string(b)
}

// raw codes an unpredictable bit.
func (w *walker) raw(b int) int { return w.bit(b, 0) }

// run codes a run without its rankings.
func (w *walker) run(r *gradedRun) {
	r.name = w.text(r.name, kindRun, &w.room)
	if same := w.flag(r.tag == r.name, context(22)); same {
		r.tag = r.name
	} else {
		r.tag = w.text(r.tag, kindTag, &w.room)
	}
	for i := range r.counted {
		r.counted[i] = w.number(r.counted[i], kindTied+uint32(i))
	}
}

// grade codes the ascending grades: whole ones as their differences, and those of a list with decimals as 64 bits each.
// The sign and the size of the first grade tell: a list with decimals starts with -0.
func (w *walker) grade() func(v *float64) {
	first, before := true, 0.0
	decimals := slices.ContainsFunc(w.g.grades, func(g float64) bool { return g != math.Trunc(g) })
	return func(v *float64) {
		if first {
			negative := w.flag(*v < 0 || decimals, context(23))
			n := 0.0
			if !decimals {
				n = float64(w.number(int(math.Abs(*v)), kindGrade))
			} else {
				w.number(0, kindGrade)
			}
			if decimals = negative && n == 0; negative {
				n = -n
			}
			if !decimals {
				*v = n
			}
		} else if !decimals {
			*v = before + 1 + float64(w.number(int(*v-before)-1, kindGrade))
		}
		if decimals {
			b := math.Float64bits(*v)
			for i := range 64 {
				if w.raw(int(b>>i&1)) == 1 {
					b |= 1 << i
				} else {
					b &^= 1 << i
				}
			}
			*v = math.Float64frombits(b)
			w.bad = w.bad || !(math.Abs(*v) <= math.MaxInt32) || !first && *v <= before
		}
		first, before = false, *v
	}
}

// query codes ids, fields and judgments.
func (w *walker) query() func(q *gradedQuery) {
	before, total := "", 0
	last := make([]int, maxGradedGrades)
	return func(q *gradedQuery) {
		w.id(&q.id, before)
		before = q.id
		if w.g.texts {
			q.text = w.text(q.text, kindText, &w.room)
		}
		for i := range q.fields {
			if len(w.g.known) > 0 {
				if q.fields[i] = w.number(q.fields[i], 0x300+uint32(i)); q.fields[i] > len(w.g.known) {
					w.bad = true
					return
				}
			}
		}
		if w.reading {
			q.counts = make([]int, len(w.g.grades))
		}
		for i := range q.counts {
			q.counts[i] = w.number(q.counts[i], 0x400+uint32(i)<<4+uint32(min(last[i], 3)))
			last[i] = q.counts[i]
			if total += q.counts[i]; total > maxGradedJudged {
				w.limit = &LimitError{"judged documents", 0, maxGradedJudged}
				return
			}
		}
	}
}

// id codes an id: as the difference from a numeric predecessor, else as a text after the prefix shared with it.
func (w *walker) id(id *string, before string) {
	a, okA := plainNumber(before)
	b, okB := 0, false
	if !w.reading {
		b, okB = plainNumber(*id)
	}
	shared := 0
	if okA {
		if w.flag(okB && b > a, context(24)) {
			*id = strconv.Itoa(a + 1 + w.number(b-a-1, kindStep))
			return
		}
	}
	if !w.reading {
		for shared < len(before) && shared < len(*id) && before[shared] == (*id)[shared] {
			shared++
		}
		// A shared numeric ending is coded as a difference too.
		for shared > 0 && isDigit(before[shared-1]) {
			shared--
		}
	}
	if shared = w.number(shared, kindID); shared > len(before) {
		w.bad = true
		return
	}
	rest, tail := "", before[shared:]
	if !w.reading {
		rest = (*id)[shared:]
	}
	if a, okA = plainNumber(tail); okA {
		if b, okB = plainNumber(rest); w.flag(okB && b > a, context(25)) {
			*id = before[:shared] + strconv.Itoa(a+1+w.number(b-a-1, kindStep+1))
			return
		}
	}
	if w.room -= shared; w.room < 0 {
		w.spent = true
		return
	}
	*id = before[:shared] + w.text(rest, kindID, &w.room)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// plainNumber parses a number below 10⁹ without leading zeros.
func plainNumber(s string) (n int, ok bool) {
	if len(s) == 0 || len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, true
}

// unanswered codes the queries for which a run's backend gave no answer.
func (w *walker) unanswered(r *gradedRun) {
	if !w.flag(r.unanswered != nil, context(26)) {
		return
	}
	if w.reading {
		r.unanswered = make([]bool, len(w.g.queries))
	}
	for q := range r.unanswered {
		r.unanswered[q] = w.flag(r.unanswered[q], context(27))
	}
}
