package packed

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/wire"
)

// Places in a packed file point at what is there.
func TestPlacesThatPointBehindTheEndAreDamage(t *testing.T) {
	for name, change := range map[string]func(p *packed){
		"as it is":          func(*packed) {},
		"a judged document": func(p *packed) { p.queries[0].docs[0] = 1 },
		"the baseline":      func(p *packed) { p.baseline = 1 },
		"a ranked document": func(p *packed) { p.runs[0].lists[0].docs[0] = 1 },
		"a query that fell": func(p *packed) { p.runs[0].fell = []int{1} },
		"a ranked one twice": func(p *packed) {
			p.runs[0].lists[0].docs, p.runs[0].lists[0].class = []int{0, 0}, []int{0, 1}
		},
		"a grade of no number": func(p *packed) { p.queries[0].judged[0] = math.MaxInt32 + 1 },
	} {
		p := small()
		change(p)
		if _, err := p.open(fellVersion); (err == nil) != (name == "as it is") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The form is read with the memory that it takes to the byte: what unpacking, reading and opening cost.
func TestFormsAreReadWithTheMemoryThatTheyCost(t *testing.T) {
	payload := wire.Marshal(small())
	b := seal(packedInput, plainVersion, payload)
	room := costFixed + len(payload)
	if _, _, left, err := unseal(packedInput, plainVersion, b, room, nil); err != nil || left != 0 {
		t.Errorf("%d bytes left, %v", left, err)
	}
	limit := (*LimitError)(nil)
	if _, _, _, err := unseal(packedInput, plainVersion, b, room-1, nil); !errors.As(err, &limit) {
		t.Errorf("with a byte less: %v", err)
	}
	var p packed
	left, err := decode(payload, &p, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	room += 1<<20 - left + p.cost()
	l := Limits{Memory: room}.withDefaults(len(b))
	if _, _, err := unpackForm(b, l, nil); err != nil {
		t.Errorf("with %d bytes: %v", room, err)
	}
	l.Memory--
	if _, _, err := unpackForm(b, l, nil); !errors.As(err, &limit) || limit.Max != room-1 {
		t.Errorf("with a byte less: %v", err)
	}
}

// What is packed can be opened: otherwise there is no file, however it would be written.
func TestNothingIsPackedThatCannotBeOpened(t *testing.T) {
	limit := (*LimitError)(nil)
	b, err := Pack(File{Input: alike(5, 8, 150, 300)}, Saving{Scores: true, Names: true, Depth: 10})
	if b != nil || !errors.As(err, &limit) || !strings.Contains(err.Error(), "could not be opened again") {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// Behind the last judged document nothing more is said of a ranking: a thousand documents cost no more than one.
func TestRankingsAreCodedUpToTheirLastJudgedDocument(t *testing.T) {
	work := func(size int) int {
		g := &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}, grades: []int{1},
			queries: []gradedQuery{{id: "1", counts: []int{1}}},
			lists:   [][]gradedList{{{there: true, size: size, at: []int32{0}, grade: []int32{0}}}}}
		m := newRankModel(&walker{coder: newCoder(false, nil, math.MaxInt), g: g})
		m.sizes[0] = size // so that the size itself costs one flag
		m.begin(0)
		m.list(0, &g.lists[0][0])
		return math.MaxInt - m.work
	}
	if one, many := work(1), work(1000); one != many {
		t.Errorf("one document: %d steps, a thousand: %d", one, many)
	}
}

// Four million numbers of judged documents, a query and grade, are read: with 256 grades those of 15,625 queries.
func TestQueriesTimesGradesHaveALimit(t *testing.T) {
	of := func(queries int) *LimitError {
		g := &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}}
		for i := range maxGradedGrades {
			g.grades = append(g.grades, i)
		}
		q := gradedQuery{id: "1"}
		g.queries = slices.Repeat([]gradedQuery{q}, queries)
		w := walker{coder: newCoder(false, nil, math.MaxInt), g: g, limits: Limits{Runs: 1, Measures: 1, Cells: 1,
			Memory: 1}}
		w.walk()
		return w.limit
	}
	if l := of(maxGradedCounts/maxGradedGrades + 1); l == nil || l.What != "queries" {
		t.Errorf("%+v", l)
	}
	if l := of(maxGradedCounts / maxGradedGrades); l == nil || l.What == "queries" { // more values than are wanted here
		t.Errorf("%+v", l)
	}
}
