package packed

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// number is one signed integer in the packed form.
type number int

func (n *number) Wire(c *wire.Codec) { c.Int((*int)(n)) }

type rising []int

func (r *rising) Wire(c *wire.Codec) { codeAscending(c, (*[]int)(r)) }

// Ascending numbers may grow by 2³¹ - 1 and reach 2³¹ - 1, but no more.
func TestStepsOfGrowingNumbersHaveABound(t *testing.T) {
	for _, c := range []struct {
		steps []number
		want  rising // nil if refused
	}{
		{[]number{0, 0}, rising{0, 1}},
		{[]number{math.MaxInt32}, rising{math.MaxInt32}},
		{[]number{math.MaxInt32 + 1}, nil},
		{[]number{-1}, nil},
		{[]number{math.MaxInt32, math.MaxInt32}, rising{math.MaxInt32, 2*math.MaxInt32 + 1}},
		{[]number{math.MaxInt32, 0, 0}, nil},
	} {
		n := number(len(c.steps))
		b := []byte{byte(n)}
		for _, s := range c.steps {
			b = append(b, wire.Marshal(&s)...)
		}
		var got rising
		err := wire.Unmarshal(b, &got)
		if (err == nil) != (c.want != nil) {
			t.Fatalf("%v: %v, %v", c.steps, got, err)
		}
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%v: %v, want %v", c.steps, got, c.want)
			}
		}
	}
}

// Two queries of one run, three judged documents and five ranked ones cost 2·(900 + 700) + 3·220 + 5·100 = 4,360
// bytes. That much memory is enough; one byte less is not.
func TestGradesOpenWithTheMemoryThatTheyCost(t *testing.T) {
	g := &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}, grades: []float64{1}, queries: []gradedQuery{
		{id: "1", counts: []int{1}}, {id: "2", counts: []int{2}}},
		lists: [][]gradedList{{{there: true, size: 2}}, {{there: true, size: 3}}}}
	if _, err := g.open(4360); err != nil {
		t.Error(err)
	}
	limit := (*LimitError)(nil)
	if _, err := g.open(4359); !errors.As(err, &limit) || limit.What != "bytes of memory" || limit.Max != 4359 {
		t.Error(err)
	}
}

// A million unnamed judged documents are opened; one more is not.
func TestUnnamedDocumentsHaveBounds(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(q *packedQuery)
		opens  bool
	}{
		{"none", func(q *packedQuery) { q.extra[0].Count = 0 }, true},
		{"less than none", func(q *packedQuery) { q.extra[0].Count = -1 }, false},
		{"as many as there may be", func(q *packedQuery) { q.extra[0].Count = maxUnnamed }, true},
		{"one more", func(q *packedQuery) { q.extra[0].Count = maxUnnamed + 1 }, false},
		{"one more in two parts", func(q *packedQuery) {
			q.extra[0].Count = maxUnnamed
			q.extra = append(q.extra, q.extra[0])
			q.extra[1].Count = 1
		}, false},
		{"the highest grade", func(q *packedQuery) { q.extra[0].Grade = math.MaxInt32 }, true},
		{"a higher one", func(q *packedQuery) { q.extra[0].Grade = math.MaxInt32 + 1 }, false},
		{"the lowest grade", func(q *packedQuery) { q.extra[0].Grade = -math.MaxInt32 }, true},
		{"a lower one", func(q *packedQuery) { q.extra[0].Grade = -math.MaxInt32 - 1 }, false},
	} {
		p := small()
		p.queries[0].extra = append(p.queries[0].extra[:0], report.Grade{Grade: 1, Count: 1})
		c.change(&p.queries[0])
		_, err := p.open(1)
		if (err == nil) != c.opens {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// If whole rankings are too long for a link and the measures end at rank 10, a link by grades ends there too. If
// the comparison itself ends there, nothing is cut.
func TestLinksByGradesEndWhereTheMeasuresDo(t *testing.T) {
	in := alike(5, 8, 150, 300)
	in.Measures = []string{"nDCG@10"}
	want := reported(t, in)
	link, save, err := Link(in, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !save.Documents || save.Depth != 10 {
		t.Fatalf("%+v, %d characters", save, len(link))
	}
	f, err := ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	same(t, want, reported(t, f.Input))
	// One opened by grades that ends at rank 100 can end at 10.
	in.Measures = []string{"nDCG@100"}
	g, err := gradesOf(File{Input: in}, reported(t, in), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.cut(100).bytes(nil)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = Unpack(b); err != nil {
		t.Fatal(err)
	}
	f.Measures = []string{"nDCG@10"}
	if _, save, err = Link(f.Input, reported(t, f.Input), nil); err != nil || save.Depth != 10 || !save.Documents {
		t.Errorf("%d bytes that end at rank 100: %+v, %v", len(b), save, err)
	}
}

// The error gives the length of the shortest link tried.
func TestTheShortestLinkIsTold(t *testing.T) {
	x := &linking{}
	for _, n := range []int{MaxLink + 30, MaxLink, MaxLink + 60} {
		x.fits(make([]byte, n), Saving{})
	}
	if want := len(LinkPrefix) + (4*MaxLink+2)/3 + len(linkSum) + 8; x.length != want {
		t.Errorf("%d characters, want %d", x.length, want)
	}
}

// A coder with six steps takes six, and not a seventh.
func TestAllTheStepsAreTaken(t *testing.T) {
	c := newCoder(false, nil, 6)
	for _, spent := range []bool{false, false, true} {
		if c.bit(1, 0, 1, 2, 3); c.spent != spent {
			t.Errorf("%d steps are left, spent: %v", c.work, c.spent)
		}
	}
}

// The error for a limit has its numbers.
func TestALimitIsNamedWithItsNumbers(t *testing.T) {
	l := Limits{Runs: 3, Measures: 4, Cells: 100}
	for name, c := range map[string]struct {
		runs, measures, queries int
		want                    *LimitError
	}{
		"all there may be": {2, 4, 12, nil},
		"values":           {2, 4, 13, &LimitError{"values", 104, 100}},
		"runs":             {4, 1, 1, &LimitError{"runs", 4, 3}},
		"measures":         {1, 5, 1, &LimitError{"measures", 5, 4}},
		"no runs":          {0, 0, 100, nil},
	} {
		got, _ := l.check(c.runs, c.measures, c.queries).(*LimitError)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	g := oneDocument()
	g.measures = make([]string, maxMeasures+1)
	for i := range g.measures {
		g.measures[i] = fmt.Sprint("P@", i+1)
	}
	limit := (*LimitError)(nil)
	if _, err := g.bytes(nil); !errors.As(err, &limit) || limit.What != "measures" {
		t.Errorf("too many measures by grades: %v", err)
	}
}

// An id reads back after any other, even a prefix of it; shared bytes count exactly against the room.
func TestIDsComeBackBehindAnyOther(t *testing.T) {
	ids := []string{"", "a", "ab", "abc", "b12", "b2", "b13", "7", "12", "9", "007", "b"}
	for _, before := range ids {
		for _, id := range ids {
			w := walker{coder: newCoder(false, nil, math.MaxInt), room: 1 << 10}
			got := id
			w.id(&got, before)
			shared := 1<<10 - w.room
			r := walker{coder: newCoder(true, w.finish(), math.MaxInt), room: shared}
			r.reading = true
			var back string
			if r.id(&back, before); back != id || r.spent || r.bad {
				t.Errorf("%q behind %q: %q, spent %v", id, before, back, r.spent)
			}
		}
	}
}

// A report is compressed if it can be read again.
func TestReportsArePackedSmall(t *testing.T) {
	in := fixture(t)
	r := reported(t, in)
	if b, plain := PackReport(r), wire.Marshal((*snapshot2)(r)); len(b) >= len(plain) {
		t.Errorf("%d bytes of %d", len(b), len(plain))
	}
}

// In version 1 of a report the later additions to columns follow them; one more than there are columns is damage.
// Its warnings name no system.
func TestTheFirstVersionOfAReportHasBounds(t *testing.T) {
	b, err := os.ReadFile("testdata/frozen-1-report.rbx")
	if err != nil {
		t.Fatal(err)
	}
	r, err := UnpackReport(b)
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, w := range r.Warnings {
		if w.Kind == report.AsWritten {
			written++
			if w.System != -1 || w.Column != -1 {
				t.Errorf("%+v", w)
			}
		}
	}
	if written == 0 {
		t.Error("no warning")
	}
	payload := wire.Marshal(&snapshot1{Report: &report.Report{}})
	for i := range payload { // each of the lists has one entry, that of the columns' rest without a column
		bad := append(slices.Clone(payload), make([]byte, 100)...)
		bad[i] = 1
		if err := wire.Unmarshal(bad, &snapshot1{Report: &report.Report{}}); err == nil {
			t.Errorf("byte %d: nothing is refused", i)
		}
	}
}

// A head without payload is a damaged file of ours; one byte less is a foreign file.
func TestAHeadAloneIsDamaged(t *testing.T) {
	b := head(packedInput, fellVersion, nil)
	if len(b) != packHead {
		t.Fatalf("a head of %d bytes", len(b))
	}
	if _, err := Unpack(b); err == nil || errors.Is(err, ErrForeign) {
		t.Errorf("a head: %v", err)
	}
	if _, err := Unpack(b[:packHead-1]); !errors.Is(err, ErrForeign) {
		t.Errorf("less than a head: %v", err)
	}
	if g := head(packedInput, gradesVersion, nil); !isGrades(g) || isGrades(g[:packHead-1]) || isGrades(b) {
		t.Errorf("which head is of grades: %v, %v, %v", isGrades(g), isGrades(g[:packHead-1]), isGrades(b))
	}
	r := head(packedReport, 1, nil)
	if !IsReport(r) || IsReport(r[:packHead-1]) || IsReport(b) {
		t.Errorf("which head is a report's: %v, %v, %v", IsReport(r), IsReport(r[:packHead-1]), IsReport(b))
	}
}

// Rankings are cut to the requested depth, unless they are shorter.
func TestWhatIsSavedEndsAtItsDepth(t *testing.T) {
	for _, c := range []struct{ policy, save, want int }{{0, 0, 0}, {0, 2, 2}, {5, 2, 2}, {2, 5, 2}, {5, 0, 5},
		{2, 2, 2}} {
		in := fixture(t)
		in.Policy.Depth = c.policy
		b, err := Pack(File{Input: in}, Saving{Depth: c.save})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Unpack(b)
		if err != nil || f.Policy.Depth != c.want {
			t.Errorf("%+v: %+v, %v", c, f, err)
		}
	}
}

// An id may have 65,536 bytes, including those shared with the previous one, and sorts after it.
func TestIDsAreBounded(t *testing.T) {
	long := strings.Repeat("a", maxID)
	for _, c := range []struct {
		docs  []string
		opens bool
	}{{[]string{long}, true}, {[]string{long + "a"}, false}, {[]string{long[1:], long}, true},
		{[]string{"a", "a"}, false}, {[]string{"b", "a"}, false}, {[]string{"a", "ab"}, true}, {[]string{"", "a"},
			true},
		{[]string{long, long + "b"}, false}, {[]string{long[:maxID/2], long[:maxID/2] + long[:maxID/2]}, true}} {
		p := small()
		p.docs = c.docs
		var got packed
		if err := wire.Unmarshal(wire.Marshal(p), &got); (err == nil) != c.opens {
			t.Errorf("%d ids, the last of %d bytes: %v", len(c.docs), len(c.docs[len(c.docs)-1]), err)
		}
	}
}

// Rankings may have two million judged documents in total, and no more.
func TestJudgedDocumentsInRankingsHaveALimit(t *testing.T) {
	for before, most := range map[int]bool{maxGradedJudged - 1: false, maxGradedJudged: true} {
		g := oneDocument()
		g.lists[0][0].at, g.lists[0][0].grade = []int32{0}, []int32{0}
		m := newRankModel(&walker{coder: newCoder(false, nil, math.MaxInt), g: g})
		m.begin(0)
		m.rebuilt = before
		m.list(0, &g.lists[0][0])
		if (m.limit != nil) != most || m.rebuilt != before+1 {
			t.Errorf("after %d: %+v, %d", before, m.limit, m.rebuilt)
		}
	}
}

// Numbers of a view keep every digit, and a text of exactly the limit is read.
func TestViewsAreExact(t *testing.T) {
	v := View{B: 1, Over: 0.12345678901234567, Margin: 1. / 3}
	if got, err := ReadView(v.String()); err != nil || got != v {
		t.Errorf("%+v, %v", got, err)
	}
	text := "measure=1&pair=1-2&find="
	text += strings.Repeat("x", maxViewText-len(text))
	if _, err := ReadView(text); err != nil {
		t.Errorf("%d bytes: %v", len(text), err)
	}
	if _, err := ReadView(text + "x"); !errors.Is(err, wire.ErrDamaged) {
		t.Errorf("%d bytes: %v", len(text)+1, err)
	}
	for letters, want := range map[string]string{"": "[]", "1.3.2": "[0 2 1]", "1.x": "[0 -1]"} {
		if got := fmt.Sprint(View{Letters: letters}.Places()); got != want {
			t.Errorf("letters %q: %s, want %s", letters, got, want)
		}
	}
}

// Progress while opening grows and never exceeds the total.
func TestOpeningTellsWithinItsBounds(t *testing.T) {
	b, err := Pack(File{Input: fixture(t)}, Saving{})
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	if _, err := (Limits{Tell: func(done, total int) bool {
		if total != tellTotal || done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		return true
	}}).Unpack(b); err != nil || last < tellTotal/2 {
		t.Errorf("%d of %d, %v", last, tellTotal, err)
	}
}

// A payload may have at most 1 MiB plus 100 times its packed size.
func TestAPayloadOfExactlyTheLimitIsRead(t *testing.T) {
	found := false
	for n := 1<<20 + 100_000; n < 1<<20+120_000 && !found; n += 100 {
		b := seal(packedInput, plainVersion, make([]byte, n))
		most := 1<<20 + 100*len(b)
		if n != most {
			continue
		}
		found = true
		if _, payload, _, err := unseal(packedInput, plainVersion, b, 1<<30, nil); err != nil || len(payload) != most {
			t.Errorf("%d bytes from %d: %d, %v", most, len(b), len(payload), err)
		}
	}
	if !found {
		t.Fatal("no payload has the size")
	}
}

// A link has at most 8,192 characters, including the checksum.
func TestLinksFitToTheCharacter(t *testing.T) {
	seen := map[int]bool{}
	for n := range MaxLink {
		x := &linking{}
		fits := x.fits(make([]byte, n), Saving{})
		size := len(LinkPrefix) + (4*n+2)/3 + len(linkSum) + 8
		if fits != (size <= MaxLink) || fits && len(x.fragment) != size || !fits && x.length != size {
			t.Fatalf("%d bytes are %d characters: %v, %d, %d", n, size, fits, len(x.fragment), x.length)
		}
		seen[size] = true
	}
	if !seen[MaxLink] {
		t.Error("no link has exactly as many")
	}
}

// Numbers up to 2³⁰ read back.
func TestNumbersGoUpToABound(t *testing.T) {
	for _, v := range []int{0, 1, 1<<30 - 2, 1<<30 - 1, 1 << 30} {
		w := walker{coder: newCoder(false, nil, math.MaxInt)}
		w.number(v, kindPlain)
		w.number(7, kindPlain)
		r := newCoder(true, w.finish(), math.MaxInt)
		if a, b := r.number(0, kindPlain), r.number(0, kindPlain); a != v || b != 7 {
			t.Errorf("%d: %d, %d", v, a, b)
		}
	}
	steps := func(v int) int {
		c := newCoder(false, nil, math.MaxInt)
		c.number(v, kindPlain)
		return math.MaxInt - c.work
	}
	// 30 times that there is a bit more, and the 30 bits; of one bit less, also that there is no more
	if got := [2]int{steps(1 << 30), steps(1<<30 - 2)}; got != [2]int{60, 59} {
		t.Errorf("%v steps", got)
	}
}

// One query of one run costs 900 + 700 bytes before its ranking is looked at.
func TestGradesAreReadWithTheMemoryThatQueriesCost(t *testing.T) {
	g := oneDocument()
	limits := Limits{Runs: 1, Measures: 1, Cells: 1, Memory: 1600}
	w := walker{coder: newCoder(false, nil, math.MaxInt), g: g, limits: limits}
	if !w.walk() {
		t.Fatal(w.limit)
	}
	payload := w.finish()
	for memory, ok := range map[int]bool{1600: true, 1599: false} {
		limits.Memory = memory
		r := walker{coder: newCoder(true, payload, math.MaxInt), g: &byGrades{}, limits: limits}
		if r.walk() != ok || !ok && (r.limit == nil || r.limit.Max != memory) {
			t.Errorf("with %d bytes: %+v", memory, r.limit)
		}
	}
}
