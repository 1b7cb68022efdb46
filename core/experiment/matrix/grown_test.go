package matrix

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func TestBeginnings(t *testing.T) {
	n, err := stage.Parse("rrf(bm25, dense) >> mmr >> cut(20)")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"rrf(bm25, dense)", "rrf(bm25, dense) >> mmr", "rrf(bm25, dense) >> mmr >> cut(20)"}
	if got := Beginnings(n); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A tried Spec is compared as an experiment of its own would be, and not begun where it takes too long.
func TestTry(t *testing.T) {
	s := session(t)
	now := 0.0
	clock := func() float64 { now += 10; return now }
	spec := Spec{Systems: []string{"bm25", "bm25 >> rm3"}, Measures: []string{"nDCG@10"}, Baseline: "bm25",
		Ablate: "bm25 >> rm3"}
	r, err := Try(s, spec, Options{Clock: clock}, 1e9)
	if err != nil || len(r.Systems) != 2 || r.Systems[1].Pipeline() != "bm25 >> rm3" {
		t.Fatalf("%+v, %v", r, err)
	}
	a, err := Ablate(r, "bm25 >> rm3", 0, nil)
	if err != nil || len(a.Stages) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if r, err := Try(s, spec, Options{Clock: clock}, 0); r != nil || err != nil {
		t.Errorf("it was begun: %v, %v", r, err)
	}
	if _, err := Try(s, spec, Options{Clock: clock, Cancel: func() bool { return true }}, 1e9); err != ErrCancelled {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Try(s, Spec{Systems: []string{"bm26"}}, Options{Clock: clock}, 1e9); err == nil {
		t.Error("an unknown stage is run")
	}
}
