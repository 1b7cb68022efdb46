//go:build !first

package evaluation

import (
	"cmp"
	"slices"

	"github.com/rankbox/rankbox/core/measure"
)

// cut is a ranking that the policy's depth cuts in the middle of a tie: the order of the tied documents decides which
// are kept.
type cut struct {
	full     measure.Topic // the whole ranking
	from, to int           // places from the first of the tie to behind its last, from 0; from < depth < to
	depth    int
}

// cutOf returns where the policy's depth cuts a tie of a query; ok is false if it cuts none.
func cutOf(src Source, system, query int) (x cut, ok bool) {
	d := src.Cut()
	if d <= 0 {
		return x, false
	}
	var t measure.Topic
	src.Whole(&t, system, query)
	if len(t.Scores) <= d || t.Scores[d-1] != t.Scores[d] {
		return x, false
	}
	x = cut{from: d - 1, to: d + 1, depth: d}
	for x.from > 0 && t.Scores[x.from-1] == t.Scores[d] {
		x.from--
	}
	for x.to < len(t.Scores) && t.Scores[x.to] == t.Scores[d] {
		x.to++
	}
	t.Scores = slices.Clone(t.Scores[:x.to])
	t.Ranked = slices.Clone(t.Ranked[:x.to])
	for _, rows := range rankings(&t) {
		*rows = slices.Clone((*rows)[:x.to])
	}
	x.full = t
	return x, true
}

// rankings are what a topic has a row of for each document of its ranking besides the grades: its places in the other
// judgments.
func rankings(t *measure.Topic) (out []*[]int32) {
	if t.Subtopics != nil {
		out = append(out, &t.Subtopics.Ranked)
	}
	if t.Preferences != nil {
		out = append(out, &t.Preferences.Ranked)
	}
	return out
}

// keeping returns the topic that is left where the cut tie keeps the documents at these places.
func (x *cut) keeping(places []int) *measure.Topic {
	t := &measure.Topic{Query: x.full.Query, Judged: x.full.Judged, TopGrade: x.full.TopGrade,
		Scores: x.full.Scores[:x.depth]}
	if s := x.full.Subtopics; s != nil {
		t.Subtopics = &measure.Subtopics{Docs: s.Docs}
	}
	if p := x.full.Preferences; p != nil {
		t.Preferences = &measure.Preferences{Docs: p.Docs, Groups: p.Groups}
	}
	to := rankings(t)
	t.Ranked = keep(x, x.full.Ranked, places)
	for i, rows := range rankings(&x.full) {
		*to[i] = keep(x, *rows, places)
	}
	return t
}

// keep returns what is left of a row.
func keep[T any](x *cut, row []T, places []int) []T {
	out := append(make([]T, 0, x.depth), row[:x.from]...)
	for _, p := range places {
		out = append(out, row[p])
	}
	return out
}

// maxKept is up to how many ways of keeping documents of a cut tie are tried.
const maxKept = 500

// kept returns ways to keep as many documents of the tie as the depth leaves, one of each that measures can tell apart.
// If they are too many, all is false, and it returns those that keep the highest and lowest grades, and the most and
// fewest unjudged documents.
func (x *cut) kept() (ways [][]int, all bool) {
	type kind struct {
		grade float64
		rows  [2]int32
	}
	places := map[kind][]int{}
	var kinds []kind
	rows := rankings(&x.full)
	for p := x.from; p < x.to; p++ {
		k := kind{grade: x.full.Ranked[p]}
		for i := range rows {
			k.rows[i] = (*rows[i])[p]
		}
		if places[k] == nil {
			kinds = append(kinds, k)
		}
		places[k] = append(places[k], p)
	}
	room := x.depth - x.from
	all = true
	var now []int
	var choose func(i, left int)
	choose = func(i, left int) { // left is how many documents are of kind i or a later one
		switch {
		case !all:
		case len(now) == room:
			if all = len(ways) < maxKept; all {
				ways = append(ways, slices.Clone(now))
			}
		default:
			same, had := places[kinds[i]], len(now)
			left -= len(same)
			for n := max(0, room-had-left); n <= len(same) && had+n <= room; n++ { // the later kinds fill the room
				now = append(now[:had], same[:n]...)
				choose(i+1, left)
			}
			now = now[:had]
		}
	}
	choose(0, x.to-x.from)
	if all {
		return ways, true
	}
	ways = nil
	for _, key := range []func(g float64) float64{
		func(g float64) float64 { return g },
		func(g float64) float64 { return -g },
		func(g float64) float64 { // relevant, unjudged, the rest
			switch {
			case g > 0:
				return -g
			case g == measure.Unjudged:
				return 1
			}
			return 2
		},
		func(g float64) float64 { // the rest, unjudged, relevant
			switch {
			case g > 0:
				return g
			case g == measure.Unjudged:
				return 0
			}
			return -1
		},
		func(g float64) float64 { return min(max(g, -1), 0) },  // unjudged first
		func(g float64) float64 { return -min(max(g, -1), 0) }, // judged first
	} {
		order := make([]int, 0, x.to-x.from)
		for p := x.from; p < x.to; p++ {
			order = append(order, p)
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(key(x.full.Ranked[a]), key(x.full.Ranked[b]))
		})
		ways = append(ways, order[:room])
	}
	return ways, false
}

// ranges returns the smallest and largest value of every measure over all orders of tied documents, those behind the
// cut too.
func (x *cut) ranges(ms []measure.Measure) []measure.Range {
	ways, all := x.kept()
	out := make([]measure.Range, len(ms))
	for w, places := range ways {
		t := x.keeping(places)
		for i, m := range ms {
			r := m.TieRange(t)
			if w > 0 {
				r.Low, r.High, r.Exact = min(r.Low, out[i].Low), max(r.High, out[i].High), r.Exact && out[i].Exact
			}
			out[i] = r
			out[i].Exact = r.Exact && all
		}
	}
	return out
}
