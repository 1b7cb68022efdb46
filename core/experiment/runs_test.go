package experiment_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// A run that comes with the collection is fetched once it is named; a run that was given under its name goes before it;
// where it cannot be fetched the order stays, and the reason is said.
func TestRunsOfTheCollection(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q1", Text: "ferry"}},
		Docs: []collection.Doc{{ID: "a", Text: "ferry ferry"}, {ID: "b", Text: "the ferry"},
			{ID: "c", Text: "a ferry and a pier"}}}
	runs, err := bundle.ReadRuns(
		fstest.MapFS{"runs/cross-encoder.run": {Data: []byte("q1 Q0 c 1 .5 x\nq1 Q0 b 2 .25 x\nq1 Q0 a 3 -1 x\n")}},
		"runs")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "t", Name: "Test", Collection: c, Runs: runs},
		func(name string, data []byte) error {
			files[name] = data
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	cut := false
	fetch := func(f bundle.File) ([]byte, error) {
		if cut && strings.HasPrefix(f.Role, "run/") {
			return nil, errors.New("the line is cut")
		}
		return files[f.Name], nil
	}
	ask := func(s *experiment.Session, id string) (order, why string) {
		t.Helper()
		r, err := s.Search(experiment.Spec{QueryID: id, Query: map[string]string{"": "ferry"}[id],
			Systems: []string{"bm25 >> rerank(by=cross)"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Lists[0].Hits {
			order += h.ID
		}
		for _, step := range r.Lists[0].Steps() {
			why += step.Note
		}
		return order, why + r.Lists[0].Problem
	}
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.NewSession(b, fetch)
	if got, why := ask(s, "q1"); got != "cba" {
		t.Errorf("by the collection's run %s (%s), want cba", got, why)
	}
	if got, why := ask(s, ""); got != "abc" || !strings.Contains(why, "typed") {
		t.Errorf("a typed query: %s, %q", got, why)
	}
	given, _, err := collection.ReadRun(strings.NewReader("q1 Q0 b 1 3 x\nq1 Q0 a 2 2 x\n"), "given",
		collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.SetRun("cross-encoder", given)
	if got, why := ask(s, "q1"); got != "bac" {
		t.Errorf("by the run that was given %s (%s), want bac", got, why)
	}
	cut = true
	if got, why := ask(experiment.NewSession(b, fetch), "q1"); got != "abc" ||
		!strings.Contains(why, "the line is cut") {
		t.Errorf("a run that cannot be fetched: %s, %q", got, why)
	}
}
