package packed

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// An index beyond the end of its list in a packed file is refused.
func TestPlacesThatPointBehindTheEndAreDamage(t *testing.T) {
	for name, change := range map[string]func(p *packed){
		"as it is":          func(*packed) {},
		"a judged document": func(p *packed) { p.queries[0].docs[0] = 1 },
		"the baseline":      func(p *packed) { p.baseline = 1 },
		"a ranked document": func(p *packed) { p.runs[0].lists[0].docs[0] = 1 },
		"a query that fell": func(p *packed) { p.runs[0].unanswered = []int{1} },
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

// Reading the form needs exactly the sum of unpacking, decoding and opening, to the byte.
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

// Everything packed can be opened; otherwise there is no file.
func TestNothingIsPackedThatCannotBeOpened(t *testing.T) {
	limit := (*LimitError)(nil)
	b, err := Pack(File{Input: alike(5, 8, 150, 300)}, Saving{Scores: true, Names: true, Depth: 10})
	if b != nil || !errors.As(err, &limit) || !strings.Contains(err.Error(), "could not be opened again") {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// After the last judged document a ranking has no further data: a thousand documents cost no more than one.
func TestRankingsAreCodedUpToTheirLastJudgedDocument(t *testing.T) {
	work := func(size int) int {
		g := oneDocument()
		g.lists[0][0] = gradedList{there: true, size: size, at: []int32{0}, grade: []int32{0}}
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

// Four million counts of judged documents (query × grade) are read: with 256 grades those of 15,625 queries.
func TestQueriesTimesGradesHaveALimit(t *testing.T) {
	of := func(queries int) *LimitError {
		g := &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}}
		for i := range maxGradedGrades {
			g.grades = append(g.grades, float64(i))
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
	if l := of(maxGradedCounts / maxGradedGrades); l == nil || l.What == "queries" { // more values than this test needs
		t.Errorf("%+v", l)
	}
}

// Documents without ids are numbered from 1, by kind.
func TestDocumentsWithoutAnIDAreNumbered(t *testing.T) {
	p := small()
	p.queries[0].extra = []report.Grade{{Grade: 2, Count: 2}, {Grade: 0, Count: 1}}
	f, err := p.open(fellVersion)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"d": 1, compare.NotRetrieved + "1)": 2, compare.NotRetrieved + "2)": 2,
		compare.NotRetrieved + "3)": 0}
	got := map[string]float64{}
	f.Qrels.Each("q", func(doc string, grade float64) { got[doc] = grade })
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	g := oneDocument()
	g.lists[0][0] = gradedList{there: true, size: 2, at: []int32{1}, grade: []int32{0}}
	if f, err = g.open(1 << 20); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range f.Runs[0].Run.Ranked(0, collection.InputOrder, nil) {
		ids = append(ids, e.Doc)
	}
	if !slices.Equal(ids, []string{"(unjudged 1)", "(judged 1)"}) {
		t.Errorf("%q", ids)
	}
	g.baseline = 1
	if _, err := g.open(1 << 20); !errors.Is(err, errDamaged) {
		t.Errorf("the second of one run is the baseline: %v", err)
	}
}

// Letters of a view count from 1.
func TestLettersCountFromOne(t *testing.T) {
	if v := (View{}).WithLetters([]int{0, 25, -1}); v.Letters != "1.26.0" {
		t.Errorf("%q", v.Letters)
	}
}

// A field of a query is one of the values listed in the file, up to the last.
func TestFieldsAreAmongTheKnownValues(t *testing.T) {
	for field, ok := range map[int]bool{0: true, 1: true, 2: true, 3: false} {
		g := oneDocument()
		g.known = []string{"x", "y"}
		g.queries[0].fields[1] = field
		w := walker{coder: newCoder(false, nil, math.MaxInt), g: g, limits: Limits{Runs: 1, Measures: 1, Cells: 1,
			Memory: 1 << 20}}
		if w.walk() != ok {
			t.Errorf("value %d of 2: %v", field, !ok)
		}
	}
}

// Steps of orders by score range from -(2³¹ - 1) to 2³¹ - 1.
func TestStepsOfOrdersHaveBounds(t *testing.T) {
	for step, ok := range map[number]bool{math.MaxInt32: true, math.MaxInt32 + 1: false, -math.MaxInt32: true,
		-math.MaxInt32 - 1: false} {
		b := wire.Marshal(&step)
		got := make(ordered, 1)
		if err := wire.Unmarshal(b, &got); (err == nil) != ok || ok && got[0] != int(step) {
			t.Errorf("%d: %v, %v", step, got, err)
		}
	}
}

type ordered []int

func (o *ordered) Wire(c *wire.Codec) { codeSteps(c, (*[]int)(o), 1) }

// Memory limits are those requested, up to 16 MB and 64 times the input.
func TestMemoryIsLimited(t *testing.T) {
	const most = 16_000_000 + 64*10
	for asked, want := range map[int]int{0: most, -1: most, 1: 1, most - 1: most - 1, most: most, most + 1: most} {
		if got := (Limits{Memory: asked}).withDefaults(10).Memory; got != want {
			t.Errorf("%d: %d, want %d", asked, got, want)
		}
	}
}

// A text uses exactly its length of the room for texts.
func TestTextsTakeRoom(t *testing.T) {
	for room, ok := range map[int]bool{4: true, 3: true, 2: false} {
		left := room
		w := walker{coder: newCoder(false, nil, math.MaxInt)}
		if got := w.text("abc", kindText, &left); (got == "abc" && !w.failed()) != ok || ok && left != room-3 {
			t.Errorf("with room for %d: %q, %d left, failed: %v", room, got, left, w.failed())
		}
	}
}

// The report names a run with only unjudged queries by one of them, which the form by grades lacks; a run without
// queries is not named.
func TestARunOfForeignQueriesAloneHasNoGrades(t *testing.T) {
	run := func(query string) compare.Named {
		b := collection.NewRunBuilder("r")
		if query != "" {
			b.Add(query, "d", 1)
		}
		r, _ := b.Run()
		return compare.Named{Name: "of " + query, Run: r}
	}
	for query, ok := range map[string]bool{"q": true, "foreign": false, "": true} {
		in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"P@1"}}
		in.Qrels.Add("q", "d", 1)
		in.Runs = []compare.Named{run("q"), run(query)}
		_, err := gradesOf(File{Input: in}, reported(t, in), nil)
		if (err == nil) != ok || !ok && !errors.Is(err, errNoGrades) {
			t.Errorf("queries %q: %v", query, err)
		}
	}
}

// A payload that ends in a zero equals a shorter one, so it is refused: each comparison has one link.
func TestNoPayloadOfGradesEndsInZero(t *testing.T) {
	in := fixture(t)
	payload := grades(t, in, reported(t, in))[packHead:]
	for zeros := range 4 {
		p := append(slices.Clone(payload), make([]byte, zeros)...)
		if _, err := Unpack(append(head(packedInput, gradesVersion, p), p...)); (err == nil) != (zeros == 0) {
			t.Errorf("%d zeros: %v", zeros, err)
		}
	}
}
