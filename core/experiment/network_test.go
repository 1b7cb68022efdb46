package experiment_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
)

// A model's own network answers typed queries of dense stages from the vectors that are stored, judged queries keep
// theirs, and what goes wrong in the network is said of the list alone. Documents are (9,0) a, (8,1) b, (0,9) c, (1,1)
// d, e nothing.
func TestTypedQueriesAreEncodedByTheModelItself(t *testing.T) {
	s := session(t)
	var asked []string
	s.SetNetwork("minilm", "toy", func(text string) ([]float32, error) {
		asked = append(asked, text)
		if text == "break" {
			return nil, errors.New("the network ended")
		}
		return []float32{0, 1}, nil
	})
	list := func(spec experiment.Spec) *experiment.List {
		t.Helper()
		spec.Systems = []string{"dense", "rrf(bm25, dense)"}
		r, err := s.Search(spec)
		if err != nil {
			t.Fatal(err)
		}
		return &r.Lists[0]
	}
	l := list(experiment.Spec{Query: "thunder"})
	var ids []string
	for _, h := range l.Hits {
		ids = append(ids, h.ID)
	}
	if l.Problem != "" {
		t.Fatal(l.Problem)
	}
	if got := strings.Join(ids, ""); got != "cdb" { // 9, then 1 and 1; what scores nothing is not shown
		t.Errorf("order %s", got)
	}
	if math.Abs(l.Hits[0].Score-9) > 1e-6 || l.Note != "Typed query: encoded by toy in this tab." {
		t.Errorf("%v, %q", l.Hits[0].Score, l.Note)
	}
	if l := list(experiment.Spec{Query: "break"}); !strings.Contains(l.Problem,
		"oy did not encode this query: the network ended.") {
		t.Errorf("%q", l.Problem)
	}
	before := len(asked)
	if l := list(experiment.Spec{QueryID: "q1"}); l.Hits[0].ID != "a" || len(asked) != before {
		t.Error("a judged query was encoded anew")
	}
	// stored are (1,0), (0,1), (1,1): the lowest cosine with (0,1) is 0, of q1
	like, err := s.Liken("minilm", 8, func(string) ([]float32, error) { return []float32{0, 1}, nil })
	if err != nil || like.Tried != 3 || like.Lowest != 0 || like.Query != "dockers strike" {
		t.Errorf("%+v, %v", like, err)
	}
	if like, err = s.Liken("minilm", 2, func(text string) ([]float32, error) {
		return []float32{1, 1}, nil
	}); err != nil || like.Tried != 2 || math.Abs(like.Lowest-math.Sqrt(.5)) > 1e-15 {
		t.Errorf("%+v, %v", like, err)
	}
	s.SetNetwork("minilm", "", nil)
	if l := list(experiment.Spec{Query: "thunder"}); !strings.Contains(l.Problem, "no encoder is loaded") {
		t.Errorf("after it was taken back: %q", l.Problem)
	}
}
