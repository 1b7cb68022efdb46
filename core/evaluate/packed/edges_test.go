package packed

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Grades of unnamed documents are sorted, so that a comparison always has the same bytes.
func TestTheSameComparisonHasTheSameBytes(t *testing.T) {
	in := graded(t)
	first, err := Pack(File{Input: in}, Saving{Scores: true, Names: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		again, err := Pack(File{Input: in}, Saving{Scores: true, Names: true})
		if err != nil || string(again) != string(first) {
			t.Fatalf("other bytes, %v", err)
		}
	}
	_, payload, _, err := unseal(packedInput, plainVersion, first, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &packed{}
	if err := wire.Unmarshal(payload, p); err != nil {
		t.Fatal(err)
	}
	many := 0
	for _, q := range p.queries {
		if !slices.IsSortedFunc(q.extra, func(a, b report.Grade) int { return cmp.Compare(a.Grade, b.Grade) }) {
			t.Errorf("query %s: %+v", q.id, q.extra)
		}
		many = max(many, len(q.extra))
	}
	if many < 5 {
		t.Errorf("no query has more than %d grades", many)
	}
}

func TestLinksAndIDsHaveLimits(t *testing.T) {
	link, _, err := Link(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	empty, _ := WithView(link, View{B: 1, Find: "x"})
	for more, ok := range []bool{true, false} {
		v := View{B: 1, Find: strings.Repeat("x", 1+MaxLink-len(empty)+more)}
		s, fits := WithView(link, v)
		if fits != ok || ok && len(s) != MaxLink || !ok && s != link {
			t.Errorf("%d characters: %v", len(s), fits)
		}
		padded := link + strings.Repeat(" ", 4*MaxLink-len(link)+more)
		if _, _, err := SplitLink(padded); (err == nil) != ok {
			t.Errorf("%d characters with blanks: %v", len(padded), err)
		}
		in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"AP"}}
		id := strings.Repeat("d", maxID+more)
		in.Qrels.Add("q", id, 1)
		b := collection.NewRunBuilder("t")
		if err := b.Add("q", id, 1); err != nil {
			t.Fatal(err)
		}
		run, _ := b.Run()
		in.Runs = []compare.Named{{Name: "a", Run: run}}
		if _, err := Pack(File{Input: in}, Saving{}); (err == nil) != ok {
			t.Errorf("an id of %d bytes: %v", len(id), err)
		}
		r := &report.Report{Pairs: make([]report.Pair, linkablePairs+more)}
		if _, err := ReportLink(r); errors.Is(err, ErrTooLarge) && strings.Contains(err.Error(), "pairs") == ok {
			t.Errorf("%d pairs: %v", len(r.Pairs), err)
		}
	}
	if _, err := ReportLink(&report.Report{Pairs: make([]report.Pair, linkablePairs+1)}); !errors.Is(err,
		ErrTooLarge) || !strings.Contains(err.Error(), "601 pairs") {
		t.Errorf("%v", err)
	}
}

// Judgments of subtopics and preferences must refer to existing documents and subtopics.
func TestPlacesOfSubtopicsAndPreferencesAreThere(t *testing.T) {
	form := func(sub packedSub, doc, judged int) *packed {
		return &packed{measures: []string{"P@1"}, docs: []string{"c", "d"}, scores: true, diverse: true,
			preferred: true,
			queries: []packedQuery{{id: "q", docs: []int{0, 1}, judged: []float64{1, float64(judged)},
				topics: []string{"s", "t"},
				subs:   []packedSub{sub},
				users: []packedUser{{name: "u", subs: []packedSubgroup{{name: "s", docs: []int{doc},
					levels: []float64{1}}}}}}},
			runs: []packedRun{{name: "a", lists: []packedList{{there: true, docs: []int{0}, scores: []float64{1}}}}}}
	}
	for _, x := range []struct {
		name        string
		sub         packedSub
		doc, judged int
		ok          bool
	}{
		{"as they are", packedSub{1, 1, 1}, 1, 1, true},
		{"the first", packedSub{0, 0, 1}, 0, 1, true},
		{"no document", packedSub{2, 1, 1}, 1, 1, false},
		{"a document before the first", packedSub{-1, 1, 1}, 1, 1, false},
		{"no subtopic", packedSub{1, 2, 1}, 1, 1, false},
		{"a subtopic before the first", packedSub{1, -1, 1}, 1, 1, false},
		{"no document to prefer", packedSub{1, 1, 1}, 2, 1, false},
		{"one before the first to prefer", packedSub{1, 1, 1}, -1, 1, false},
		{"one without a judgment to prefer", packedSub{0, 1, 1}, 1, 0, false},
	} {
		if _, err := form(x.sub, x.doc, x.judged).open(prefsVersion); (err == nil) != x.ok {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	for _, x := range []struct {
		run        []int
		unanswered int
		ok         bool
	}{{[]int{0, 1}, 0, true}, {[]int{0, 2}, 0, false}, {[]int{0, -1}, 0, false}, {[]int{0, 0}, 0, false}, {[]int{1},
		1, false}} {
		p := form(packedSub{1, 1, 1}, 1, 1)
		p.runs[0].lists[0] = packedList{there: true, docs: x.run, scores: make([]float64, len(x.run))}
		p.runs[0].unanswered = []int{x.unanswered}
		if _, err := p.open(fellVersion); (err == nil) != x.ok {
			t.Errorf("documents %v, fell back for query %d: %v", x.run, x.unanswered, err)
		}
	}
}
