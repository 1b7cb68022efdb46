// Package play is a ranking by hand: documents to move, add, remove and grade in one or two lists, with the values
// of any measure. The page handles dragging; package measure computes values, terms and the effect of another
// order.
//
// Order of the pipeline: [Read] a text or [Decode] a link → [Table] → moves → [Table.Topic] → measure →
// [Table.Link].
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
	// Highest grade of the scale unless a document has a higher one: that of the demo collection, so that moves
	// never change the scale.
	topGrade = 3
	maxLabel = 80 // bytes
)

// Doc is a document.
type Doc struct {
	Label  string
	Grade  int32 // 0 to MaxGrade or measure.Unjudged
	Topics uint8 // its subtopics, a bit each
}

// Table is the state of the game. Its zero value is empty. A document has the same grade in both lists, as in
// qrels. A judged document in neither list counts as not retrieved.
type Table struct {
	Docs     []Doc
	Lists    [2][]int // indices in Docs, best first
	Second   bool     // Lists[1] exists
	Measures []measure.Measure
	Chosen   int // index of the unfolded measure
}

// Clone returns a deep copy.
func (t *Table) Clone() *Table {
	c := *t
	c.Docs, c.Measures = slices.Clone(t.Docs), slices.Clone(t.Measures)
	for i := range c.Lists {
		c.Lists[i] = slices.Clone(t.Lists[i])
	}
	return &c
}

// Measure returns the unfolded measure; ok is false if there is none.
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

// Topic returns a list as input for measures. Subtopics also act as judgment groups, and higher grades as
// preferences.
func (t *Table) Topic(list int) *measure.Topic {
	p := &measure.Topic{}
	t.fill(p, t.Lists[list])
	return p
}

func (t *Table) fill(p *measure.Topic, list []int) {
	p.Reset()
	p.Query = "by hand"
	p.Ranked = make([]float64, len(list))
	for i, d := range list {
		p.Ranked[i] = float64(t.Docs[d].Grade)
	}
	p.TopGrade = topGrade
	width := 0
	for _, d := range t.Docs {
		if d.Grade != measure.Unjudged {
			p.Judged = append(p.Judged, float64(d.Grade))
			p.TopGrade = max(p.TopGrade, float64(d.Grade))
		}
		for j := range MaxTopics {
			if d.Topics>>j&1 != 0 {
				width = max(width, j+1)
			}
		}
	}
	number := make([]int32, len(t.Docs)) // number among the judged documents
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
		row := make([]float64, width)
		for j := range row {
			if d.Topics>>j&1 != 0 {
				row[j] = max(1, float64(d.Grade))
			}
		}
		p.Subtopics.Docs = append(p.Subtopics.Docs, row)
	}
}

// Value returns the value of a measure for a list.
func (t *Table) Value(m measure.Measure, list int) float64 { return m.Score(t.Topic(list)) }

// Swaps returns for each i how much the value of a list changes if the documents at ranks i+1 and i+2 are swapped.
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

// Move moves a document within a list, between positions from 0.
type Move struct {
	From, To int
	Gain     float64 // change of the value
}

// Best returns the single move that improves the measure most: of equally good ones the shortest, then the first.
// ok is false if none improves it beyond rounding. Cost: n² scores.
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
			moveElement(order, from, to)
			t.fill(&p, order)
			x := Move{from, to, m.Score(&p) - now}
			moveElement(order, to, from)
			if gain := sign * x.Gain; gain > rounding &&
				(!ok || gain > float64(sign*best.Gain)+rounding || gain > float64(sign*best.Gain)-rounding &&
					far(x) < far(best)) {
				best, ok = x, true
			}
		}
	}
	return best, ok
}

// moveElement moves the element at from to to.
func moveElement(list []int, from, to int) {
	x := list[from]
	if from < to {
		copy(list[from:], list[from+1:to+1])
	} else {
		copy(list[to+1:], list[to:from])
	}
	list[to] = x
}

// Shift moves a document within a list; positions beyond the ends mean the end. It reports whether anything
// changed.
func (t *Table) Shift(list, from, to int) bool {
	l := t.Lists[list]
	if from < 0 || from >= len(l) {
		return false
	}
	if to = max(0, min(len(l)-1, to)); to == from {
		return false
	}
	moveElement(l, from, to)
	return true
}

// Take removes the document at a position from a list, so that it counts as not retrieved.
func (t *Table) Take(list, at int) {
	if at >= 0 && at < len(t.Lists[list]) {
		t.Lists[list] = slices.Delete(t.Lists[list], at, at+1)
	}
}

// Put appends a document to a list that lacks it.
func (t *Table) Put(list, doc int) {
	if doc >= 0 && doc < len(t.Docs) && !slices.Contains(t.Lists[list], doc) {
		t.Lists[list] = append(t.Lists[list], doc)
	}
}

// Add creates a document and appends it to a list; it returns false if there are MaxDocs.
func (t *Table) Add(list int, d Doc) bool {
	if len(t.Docs) >= MaxDocs {
		return false
	}
	t.Docs = append(t.Docs, d)
	t.Lists[list] = append(t.Lists[list], len(t.Docs)-1)
	return true
}

// Drop deletes a document.
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

// Out returns the documents that a list lacks.
func (t *Table) Out(list int) []int {
	var out []int
	for i := range t.Docs {
		if !slices.Contains(t.Lists[list], i) {
			out = append(out, i)
		}
	}
	return out
}

// Ideal sorts a list ideally: every judged document with a positive grade by grade, retrieved or not, then the rest
// of the list. Ties keep their order.
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

// Worst sorts a list by ascending grade, unjudged documents first.
func (t *Table) Worst(list int) {
	slices.SortStableFunc(t.Lists[list], func(a, b int) int { return cmp.Compare(t.Docs[a].Grade, t.Docs[b].Grade) })
}

// Reverse reverses a list.
func (t *Table) Reverse(list int) { slices.Reverse(t.Lists[list]) }

// Shuffle shuffles a list with a seed.
func (t *Table) Shuffle(list int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 16))
	l := t.Lists[list]
	rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
}

// Split adds a second list, a copy of the first, or removes it.
func (t *Table) Split(on bool) {
	if t.Second = on; on && len(t.Lists[1]) == 0 {
		t.Lists[1] = slices.Clone(t.Lists[0])
	}
	if !on {
		t.Lists[1] = nil
	}
}

// Place returns the position of a document in a list, from 0, or −1.
func (t *Table) Place(list, doc int) int { return slices.Index(t.Lists[list], doc) }
