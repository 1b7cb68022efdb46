package state

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
)

func TestTheNearestJudgedQueryIsOffered(t *testing.T) {
	a, _ := start(t, "/search", "")
	a.Search.Type("the winter ferry")
	if q := a.Settings.NearestQuery(); q == nil || q.ID != "q2" {
		t.Errorf("%+v", q)
	}
	a.Search.Type("xyz")
	if q := a.Settings.NearestQuery(); q != nil {
		t.Errorf("%+v", q)
	}
}

// The parsed systems are those of now, also where one is changed in place, and are not parsed again while nothing
// changes.
func TestNodesAreThoseOfTheSystems(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	texts := func() (out []string) {
		for _, n := range a.Settings.Nodes() {
			out = append(out, n.String())
		}
		return out
	}
	if got := texts(); !slices.Equal(got, []string{"bm25", "dense"}) {
		t.Errorf("%q", got)
	}
	if n := testing.AllocsPerRun(100, func() { a.Settings.Nodes() }); n > 0 {
		t.Errorf("asked again, it allocates %v times", n)
	}
	a.Settings.Spec.Systems[0] = "bm25(k1=2)"
	if got := texts(); !slices.Equal(got, []string{"bm25(k1=2)", "dense"}) {
		t.Errorf("%q", got)
	}
	a.Settings.Spec.Systems = append(a.Settings.Spec.Systems, "no such stage")
	if n := a.Settings.Nodes(); len(n) != 3 || n[2] != nil {
		t.Errorf("%v", n)
	}
}

func TestPairIsTheBaselineAndTheFirstThatNeedsVectors(t *testing.T) {
	a, _ := start(t, "/", "")
	if base, other := a.Settings.Pair(); base != 0 || other != 2 {
		t.Errorf("%d and %d, want bm25 and dense", base, other)
	}
	a.Settings.Spec.Systems = []string{"bm25", "bm25(title=3)"}
	if base, other := a.Settings.Pair(); base != 0 || other != 1 {
		t.Errorf("%d and %d, want the two", base, other)
	}
	a.Settings.Spec.Systems = []string{"bm25"}
	if base, other := a.Settings.Pair(); base != 0 || other != 0 {
		t.Errorf("%d and %d, want the only one", base, other)
	}
}

func TestTheExampleIsAShortJudgedQuery(t *testing.T) {
	long := report.Query{ID: "long", Text: "what is known of flow behind a blunt body", Relevant: 3}
	for want, queries := range map[string][]report.Query{
		"long":  {long},
		"short": {long, {ID: "short", Text: "flow behind wings", Relevant: 1}, {ID: "none", Text: "a b c"}},
		"first": {{ID: "first", Text: "鉄道"}, {ID: "word", Text: "flow", Relevant: 2}},
	} {
		if id := ExampleOf(&message.Opened{Queries: queries}); id != want {
			t.Errorf("%q, want %q", id, want)
		}
	}
}
