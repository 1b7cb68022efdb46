package report

import (
	"slices"
	"testing"
)

// By eye: numbers by their size, other characters by their bytes, and equal numbers by how they are written.
func TestCompareIDsOrdersNumbersByTheirSize(t *testing.T) {
	ids := []string{"q10", "q2", "b", "q02", "10", "9", "a10b2", "a10b10", "", "q2x"}
	slices.SortFunc(ids, CompareIDs)
	want := []string{"", "9", "10", "a10b2", "a10b10", "b", "q02", "q2", "q2x", "q10"}
	if !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

// The same figures under other names, from another place and in another order of the queries and of the
// systems have the same hash.
func TestTheHashCoversWhatWasMeasured(t *testing.T) {
	build := func(change func(*Report)) string {
		r := &Report{Collection: Ref{Name: "x"}, Systems: []System{{Label: "a"}, {Label: "b"}},
			Measures: []string{"P@1"}}
		r.Queries = []Query{{ID: "q1", Relevant: 2}, {ID: "q2", Relevant: 1}, {ID: "q10", Relevant: 3}}
		r.Columns = []Column{{Measure: "P@1", Applied: "P@1", Values: [][]float64{{.1, .7, .2}, {.4, .3, .9}}}}
		r.Stats.Grades = []Grade{{Grade: 1, Count: 6}}
		change(r)
		if err := r.Conclude(r.Protocol(), nil); err != nil {
			t.Fatal(err)
		}
		return r.Hash
	}
	want := build(func(*Report) {})
	for name, change := range map[string]func(*Report){
		"other names": func(r *Report) {
			r.Collection.Name, r.Systems[0].Label, r.Systems[0].Notation, r.Letters = "y", "c", "bm25", Letters{1, 0}
		},
		"another order of the queries": func(r *Report) {
			for _, v := range r.Columns[0].Values {
				slices.Reverse(v)
			}
			slices.Reverse(r.Queries)
		},
		"another order of the systems": func(r *Report) {
			slices.Reverse(r.Columns[0].Values)
			slices.Reverse(r.Systems)
			r.Baseline = 1
		},
		"decisions at their defaults": func(r *Report) {
			r.Decisions = []Decision{{Name: "ties", Option: "docid-desc", Default: true}}
		},
	} {
		if got := build(change); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for name, change := range map[string]func(*Report){
		"another value":    func(r *Report) { r.Columns[0].Values[1][2] = .8 },
		"another query":    func(r *Report) { r.Queries[0].ID = "q3" },
		"another baseline": func(r *Report) { r.Baseline = 1 },
		"another measure":  func(r *Report) { r.Columns[0].Applied = "P(rel=2)@1" },
		"another grade":    func(r *Report) { r.Stats.Grades[0].Grade = 2 },
		"a decision":       func(r *Report) { r.Decisions = []Decision{{Name: "ties", Option: "docid-asc"}} },
		"a baseline exchanged with another system": func(r *Report) { slices.Reverse(r.Columns[0].Values) },
	} {
		if got := build(change); got == want {
			t.Errorf("%s has the same hash", name)
		}
	}
}
