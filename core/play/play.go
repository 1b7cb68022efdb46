// Package play is a ranking by hand: documents that are moved, put in, taken out and graded, in one list or two, and
// what any measure says of them. It is no editor (what is held under a finger is the page's) and it measures nothing
// itself: values, terms and what another order would give come from package measure.
//
// Order of the pipeline: [Read] a text or [Decode] a link → [Table] → moves → [Table.Topic] → measure → [Table.Link].
//
// A document's grade is the same in both lists, as qrels are. A document that was judged and is in neither list counts
// as one that was not retrieved.
package play

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/rankbox/rankbox/core/measure"
)

// Limits of a table.
const (
	MaxDocs     = 50 // of all lists together
	MaxMeasures = 6
	MaxGrade    = 4
	MaxTopics   = 8 // sub-topics, a to h
	// Of the scale, where no grade is higher: that of the demo collection, so that a move never changes the scale
	topGrade = 3
	maxLabel = 80 // bytes
)

// Doc is a document.
type Doc struct {
	Label  string
	Grade  int32 // 0 to MaxGrade or measure.Unjudged
	Topics uint8 // the sub-topics that it is about, a bit each
}

// Table is what is played with. The zero Table is empty.
type Table struct {
	Docs     []Doc
	Lists    [2][]int // places in Docs, best first
	Second   bool     // whether Lists[1] is there
	Measures []measure.Measure
	Chosen   int // the measure that is unfolded
}

// Clone returns a copy that shares nothing.
func (t *Table) Clone() *Table {
	c := *t
	c.Docs, c.Measures = slices.Clone(t.Docs), slices.Clone(t.Measures)
	for i := range c.Lists {
		c.Lists[i] = slices.Clone(t.Lists[i])
	}
	return &c
}

// Measure returns the measure that is unfolded; ok is false where there is none.
func (t *Table) Measure() (m measure.Measure, ok bool) {
	if t.Chosen < 0 || t.Chosen >= len(t.Measures) {
		return m, false
	}
	return t.Measures[t.Chosen], true
}

// ListCount is how many lists there are.
func (t *Table) ListCount() int {
	if t.Second {
		return 2
	}
	return 1
}

// Topic is a list as measures see it. Sub-topics stand for groups of judgments too; a higher grade is a preference.
func (t *Table) Topic(list int) *measure.Topic {
	p := &measure.Topic{}
	t.fill(p, t.Lists[list])
	return p
}

func (t *Table) fill(p *measure.Topic, list []int) {
	p.Reset()
	p.Query = "by hand"
	p.Ranked = make([]int32, len(list))
	for i, d := range list {
		p.Ranked[i] = t.Docs[d].Grade
	}
	p.TopGrade = topGrade
	width := 0
	for _, d := range t.Docs {
		if d.Grade != measure.Unjudged {
			p.Judged = append(p.Judged, d.Grade)
			p.TopGrade = max(p.TopGrade, d.Grade)
		}
		for j := range MaxTopics {
			if d.Topics>>j&1 != 0 {
				width = max(width, j+1)
			}
		}
	}
	number := make([]int32, len(t.Docs)) // among the judged
	prefs := &measure.Preferences{Ranked: make([]int32, len(list))}
	var group []measure.Preferred
	for i, d := range t.Docs {
		number[i] = -1
		if d.Grade == measure.Unjudged {
			continue
		}
		number[i] = int32(prefs.Docs)
		group = append(group, measure.Preferred{Doc: number[i], Level: float64(d.Grade)})
		prefs.Docs++
	}
	if len(group) > 0 {
		prefs.Groups = []measure.PreferenceGroup{{Subgroups: [][]measure.Preferred{group}}}
	}
	for i, d := range list {
		prefs.Ranked[i] = number[d]
	}
	p.Preferences = prefs
	if width == 0 {
		return
	}
	p.Subtopics = &measure.Subtopics{Ranked: prefs.Ranked}
	for _, d := range t.Docs {
		if d.Grade == measure.Unjudged {
			continue
		}
		row := make([]int32, width)
		for j := range row {
			if d.Topics>>j&1 != 0 {
				row[j] = max(1, d.Grade)
			}
		}
		p.Subtopics.Docs = append(p.Subtopics.Docs, row)
	}
}

// Value is what a measure says of a list.
func (t *Table) Value(m measure.Measure, list int) float64 { return m.Score(t.Topic(list)) }

// Swaps returns by how much the value of a list changes where the documents at ranks i+1 and i+2 change places, for
// each i.
func (t *Table) Swaps(m measure.Measure, list int) []float64 {
	order := slices.Clone(t.Lists[list])
	if len(order) < 2 {
		return nil
	}
	var p measure.Topic
	t.fill(&p, order)
	now := m.Score(&p)
	out := make([]float64, len(order)-1)
	for i := range out {
		order[i], order[i+1] = order[i+1], order[i]
		t.fill(&p, order)
		out[i] = m.Score(&p) - now
		order[i], order[i+1] = order[i+1], order[i]
	}
	return out
}

// Move is a document that is taken from one place of a list to another, from 0.
type Move struct {
	From, To int
	Gain     float64 // of the value
}

// Best returns the single move that improves the measure most in a list: the shortest of those that are equally good,
// then the first. ok is false where none improves it by more than rounding. The cost is that of n² scores.
func (t *Table) Best(m measure.Measure, list int) (best Move, ok bool) {
	order := slices.Clone(t.Lists[list])
	var p measure.Topic
	t.fill(&p, order)
	now := m.Score(&p)
	sign := 1.0
	if m.Info().Lower {
		sign = -1
	}
	const rounding = 1e-12
	far := func(x Move) int { return max(x.From-x.To, x.To-x.From) }
	for from := range order {
		for to := range order {
			if from == to {
				continue
			}
			shift(order, from, to)
			t.fill(&p, order)
			x := Move{from, to, m.Score(&p) - now}
			shift(order, to, from)
			if gain := sign * x.Gain; gain > rounding &&
				(!ok || gain > float64(sign*best.Gain)+rounding || gain > float64(sign*best.Gain)-rounding &&
					far(x) < far(best)) {
				best, ok = x, true
			}
		}
	}
	return best, ok
}

// shift takes what stands at from to the place to.
func shift(list []int, from, to int) {
	x := list[from]
	if from < to {
		copy(list[from:], list[from+1:to+1])
	} else {
		copy(list[to+1:], list[to:from])
	}
	list[to] = x
}

// Shift moves a document of a list; a place beyond the ends is the end. It reports whether anything has changed.
func (t *Table) Shift(list, from, to int) bool {
	l := t.Lists[list]
	if from < 0 || from >= len(l) {
		return false
	}
	if to = max(0, min(len(l)-1, to)); to == from {
		return false
	}
	shift(l, from, to)
	return true
}

// Take takes the document at a place out of a list: it is then one that was not retrieved.
func (t *Table) Take(list, at int) {
	if at >= 0 && at < len(t.Lists[list]) {
		t.Lists[list] = slices.Delete(t.Lists[list], at, at+1)
	}
}

// Put puts a document that is not in a list at its end.
func (t *Table) Put(list, doc int) {
	if doc >= 0 && doc < len(t.Docs) && !slices.Contains(t.Lists[list], doc) {
		t.Lists[list] = append(t.Lists[list], doc)
	}
}

// Add makes a new document and puts it at the end of a list; false where there are MaxDocs.
func (t *Table) Add(list int, d Doc) bool {
	if len(t.Docs) >= MaxDocs {
		return false
	}
	t.Docs = append(t.Docs, d)
	t.Lists[list] = append(t.Lists[list], len(t.Docs)-1)
	return true
}

// Drop forgets a document altogether.
func (t *Table) Drop(doc int) {
	if doc < 0 || doc >= len(t.Docs) {
		return
	}
	t.Docs = slices.Delete(t.Docs, doc, doc+1)
	for i, l := range t.Lists {
		l = slices.DeleteFunc(slices.Clone(l), func(d int) bool { return d == doc })
		for j := range l {
			if l[j] > doc {
				l[j]--
			}
		}
		t.Lists[i] = l
	}
}

// Out returns the documents that are not in a list.
func (t *Table) Out(list int) []int {
	var out []int
	for i := range t.Docs {
		if !slices.Contains(t.Lists[list], i) {
			out = append(out, i)
		}
	}
	return out
}

// Ideal is the order of the documents that the qrels call best: every judged document with a grade above 0, retrieved
// or not, by grade, then the rest of the list. Equal ones keep their order.
func (t *Table) Ideal(list int) {
	l := t.Lists[list]
	for _, d := range t.Out(list) {
		if t.Docs[d].Grade > 0 {
			l = append(l, d)
		}
	}
	slices.SortStableFunc(l, func(a, b int) int { return cmp.Compare(t.Docs[b].Grade, t.Docs[a].Grade) })
	t.Lists[list] = l
}

// Worst is the documents of a list by grade, the lowest first, those without a judgment before all.
func (t *Table) Worst(list int) {
	slices.SortStableFunc(t.Lists[list], func(a, b int) int { return cmp.Compare(t.Docs[a].Grade, t.Docs[b].Grade) })
}

// Reverse turns a list round.
func (t *Table) Reverse(list int) { slices.Reverse(t.Lists[list]) }

// Shuffle puts a list into an order that a seed decides.
func (t *Table) Shuffle(list int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 16))
	l := t.Lists[list]
	rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
}

// Split makes the second list, the same as the first, or takes it away.
func (t *Table) Split(on bool) {
	if t.Second = on; on && len(t.Lists[1]) == 0 {
		t.Lists[1] = slices.Clone(t.Lists[0])
	}
	if !on {
		t.Lists[1] = nil
	}
}

// Place is the place of a document in a list, from 0, −1 where it is not in it.
func (t *Table) Place(list, doc int) int { return slices.Index(t.Lists[list], doc) }
