package packed

import (
	"errors"
	"math"
	"testing"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

// number is one signed integer, as the packed form writes it.
type number int

func (n *number) Wire(c *wire.Codec) { c.Int((*int)(n)) }

type rising []int

func (r *rising) Wire(c *wire.Codec) { ascending(c, (*[]int)(r)) }

// Of numbers that grow a step of 2³¹ - 1 is read, from 2³¹ - 1 at most, and no larger one.
func TestStepsOfGrowingNumbersHaveABound(t *testing.T) {
	for _, c := range []struct {
		steps []number
		want  rising // nil where it is refused
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

// Two queries × one run, three judged documents and five of rankings cost 2·(900 + 700) + 3·220 + 5·100 = 4,360 bytes:
// with them it opens, with one less it does not.
func TestGradesOpenWithTheMemoryThatTheyCost(t *testing.T) {
	g := &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}, grades: []int{1}, queries: []gradedQuery{
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

// A million judged documents without a name are opened, a grade or another; one more is not.
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

// Where whole rankings are too long for a link and the measures end at rank 10, a link by grades ends there too; where
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
}
