package matrix

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// numbered is a ranker of as many documents as it is asked for, which counts how often.
type numbered struct {
	stage.Ranker
	asked int
	each  func() // may be nil
}

func (c *numbered) Rank(q rank.Query, depth int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	c.asked++
	if c.each != nil {
		c.each()
	}
	dst = dst[:0]
	for d := range depth {
		dst = append(dst, rank.Hit{Doc: uint32(d), Score: float64(-d)})
	}
	return dst, nil
}

// A ranking is kept while another run needs it, and is taken where it is as deep as it is asked for; rankings of a part
// that no run needs any more are dropped, and no others.
func TestRankingsAreKeptForOtherRuns(t *testing.T) {
	inner := &numbered{}
	s := &shelf{left: map[string]int{"bm25": 2, "dense": 1}, lists: map[request]kept{}}
	k := &keeper{Ranker: inner, s: s, part: "bm25", nested: true}
	for i, c := range []struct{ depth, asked int }{{10, 1}, {10, 1}, {5, 1}, {11, 2}, {11, 2}, {10, 2}} {
		hits, err := k.Rank(rank.Query{ID: "q"}, c.depth, nil, nil)
		if err != nil || len(hits) != c.depth || inner.asked != c.asked {
			t.Errorf("%d: %d hits, asked %d times, want %d and %d", i, len(hits), inner.asked, c.depth, c.asked)
		}
	}
	if s.made != 2 || s.reused != 4 {
		t.Errorf("%d made, %d taken", s.made, s.reused)
	}
	all := rank.Filter{^uint64(0)}
	if _, err := k.Rank(rank.Query{ID: "q"}, 10, all, nil); err != nil || inner.asked != 3 || len(s.lists) != 1 {
		t.Errorf("with a filter: asked %d times, %d kept", inner.asked, len(s.lists))
	}
	once := &keeper{Ranker: inner, s: s, part: "dense", nested: true}
	if _, err := once.Rank(rank.Query{ID: "q"}, 10, nil, nil); err != nil || len(s.lists) != 1 {
		t.Errorf("what only one run needs is kept: %d", len(s.lists))
	}
	s.lists[request{"ql", "q", 0}] = kept{}
	words, err := stage.Parse("bm25")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 1} {
		if s.done(words); len(s.lists) != want || (s.left["bm25"] == 1) != (i == 0) {
			t.Errorf("when %d runs are over: %d kept, %v left", i+1, len(s.lists), s.left)
		}
	}
	if _, ok := s.lists[request{"ql", "q", 0}]; !ok {
		t.Error("what another part ranked is dropped")
	}
}

// Of equally frequent categories the one that comes first in the alphabet is shown, in whatever order they come.
func TestTheCategoryOfAQueryIsTheMostFrequent(t *testing.T) {
	for written, want := range map[string]string{"ab": "a", "ba": "a", "abb": "b", "bba": "b", "": ""} {
		c := &collection.Collection{Qrels: collection.NewQrels()}
		for i, name := range written + "x" {
			id := "d" + strconv.Itoa(i)
			c.Docs = append(c.Docs, collection.Doc{ID: id, Text: fmt.Sprint("harbour ", name, i)})
			c.Qrels.Add("q", id, map[bool]float64{true: 1}[name != 'x'])
		}
		c.Queries = []collection.Query{{ID: "q", Text: "harbour"}}
		s := sessionOf(t, bundle.Source{ID: "toy", Name: "Toy", Collection: c})
		cards := s.Bundle().Cards
		for i := range cards {
			d, _ := strconv.Atoi(strings.TrimPrefix(cards[i].ID, "d"))
			cards[i].Category = (written + "x")[d : d+1]
		}
		got := Facets(s, &report.Report{Queries: []report.Query{{ID: "q", Text: "harbour"}}})
		if got[1].Values[0] != want {
			t.Errorf("%s: %q", written, got[1].Values[0])
		}
	}
}

// A kept list is of the collection where it names documents that are there, and has some where it says so.
func TestAKeptListIsOfTheCollection(t *testing.T) {
	last := []rank.Hit{{Doc: 9}}
	for _, c := range []struct {
		l    list
		want bool
	}{{list{state: Evaluated, hits: last}, true}, {list{state: Evaluated, hits: []rank.Hit{{Doc: 10}}}, false},
		{list{state: Evaluated}, false}, {list{state: Empty}, true}, {list{state: Empty, hits: last}, false}} {
		if c.l.fits(10) != c.want {
			t.Errorf("%+v fits: %v", c.l, !c.want)
		}
	}
}

// A document whose score is the threshold stays.
func TestTheThresholdIsTheLeastScore(t *testing.T) {
	s := session(t)
	q := s.Bundle().Queries[0]
	node, err := stage.Parse("bm25")
	if err != nil {
		t.Fatal(err)
	}
	r, err := stage.Build(s.Parts(), node)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, 10, nil, nil)
	if err != nil || len(hits) < 4 {
		t.Fatal(len(hits), err)
	}
	want := 3
	for want < len(hits) && hits[want].Score == hits[2].Score {
		want++
	}
	x := opened(t, s, fmt.Sprintf(`{"systems": ["bm25"], "thresholds": [%v], "measures": ["P@10"], "depth": 10}`,
		hits[2].Score), &Memory{})
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	if got := x.lists[0][slices.Index(x.queries, 0)].hits; len(got) != want {
		t.Errorf("%d documents reach the score of the third, want %d", len(got), want)
	}
}

// The journal names a run that asks backends by what they declare too, and any other by its hash alone. Either is found
// again.
func TestTheJournalNamesRunsByWhatTheirBackendsDeclare(t *testing.T) {
	s, edge, _ := withEdge(t)
	if edge.Identity("ce") == "" {
		t.Fatal("the backend declares nothing")
	}
	x := opened(t, s, `{"systems": ["bm25", "bm25 >> rerank(backend=ce,depth=5)"], "measures": ["P@10"]}`, &Memory{})
	for run, declared := range []bool{false, true} {
		key := x.key(run)
		hash, more, is := strings.Cut(key, "+")
		if hash != x.Plan.Runs[run].Hash || is != declared || declared && len(more) != 16 {
			t.Errorf("run %d is called %s", run, key)
		}
		if got := x.Plan.called(key); got != run {
			t.Errorf("%s is run %d, want %d", key, got, run)
		}
	}
	if x.Plan.called("nothing+0") != -1 {
		t.Error("a run of another plan is found")
	}
}

// What takes as long as it may is tried.
func TestWhatTakesAsLongAsItMayIsTried(t *testing.T) {
	still := Options{Clock: func() float64 { return 0 }}
	if r, err := Try(session(t), Spec{Systems: []string{"bm25"}, Measures: []string{"AP"}}, still, 0); r == nil ||
		err != nil {
		t.Errorf("%v, %v", r, err)
	}
}
