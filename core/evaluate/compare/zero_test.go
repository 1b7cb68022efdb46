package compare

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// Where a query has nothing to divide by, the arithmetic says that, and not that there were one of it. Values: each
// measure is 0 by its definition in the registry.
func TestUnfoldWithNothingToDivideBy(t *testing.T) {
	q := collection.NewQrels()
	q.Add("1", "a", -2)
	q.Add("1", "b", 0)
	b := collection.NewRunBuilder("r")
	if err := b.Add("1", "a", 1); err != nil {
		t.Fatal(err)
	}
	run, _ := b.Run()
	c, err := Open(Input{Qrels: q, Runs: []Named{{Name: "r", Run: run}}, Measures: []string{"nDCG@10"}})
	if err != nil {
		t.Fatal(err)
	}
	for measure, what := range map[string]string{"nDCG@10": "IDCG@10", "AP": "relevant documents",
		"R@20": "relevant documents", "Bpref": "relevant documents", "Rprec": "relevant documents"} {
		u, err := c.Unfold(measure, 0, "1")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"no document adds anything", what + " = 0: there is nothing to divide by, and the value is 0"}
		if !slices.Equal(u.Steps, want) || u.By != "" || u.Value != 0 {
			t.Errorf("%s: %q, divided by %q, value %v; want %q", measure, u.Steps, u.By, u.Value, want)
		}
	}
}
