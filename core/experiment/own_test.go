package experiment_test

import (
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// In ArguAna and Quora queries are documents, which would find themselves first. By hand: three documents share the
// query's word; a is the query. Without it b, relevant, is first: RR 1; with it b is second: RR 1/2. q2 is no document,
// and keeps all of them.
func TestAQueryThatIsADocumentIsLeftOutOfItsRanking(t *testing.T) {
	for _, remove := range []bool{false, true} {
		c := &collection.Collection{RemoveQuery: remove, Qrels: collection.NewQrels(),
			Docs: []collection.Doc{{ID: "a", Text: "ferry ferry"}, {ID: "b", Text: "ferry train"},
				{ID: "c", Text: "ferry train road plane"}},
			Queries: []collection.Query{{ID: "a", Text: "ferry ferry"}, {ID: "q2", Text: "ferry"}}}
		c.Qrels.Add("a", "b", 1)
		c.Qrels.Add("q2", "a", 1)
		files := map[string][]byte{}
		m, err := bundle.Build(bundle.Source{ID: "t", Name: "T", Collection: c}, func(name string, data []byte) error {
			files[name] = data
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if m, err = bundle.ReadManifest(m.JSON()); err != nil || m.RemoveQuery != remove {
			t.Fatal(m, err)
		}
		fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
		b, err := bundle.Open(m, fetch)
		if err != nil {
			t.Fatal(err)
		}
		s := experiment.NewSession(b, fetch)
		spec := experiment.Spec{Systems: []string{"bm25"}, Measures: []string{"RR"}}
		r, err := s.Evaluate(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]float64{false: .5, true: 1}[remove]
		if v := r.Columns[0].Values[0]; v[0] != want || v[1] != 1 {
			t.Errorf("remove %v: RR %v, want %v and 1", remove, v, want)
		}
		spec.QueryID = "a"
		found, err := s.Search(spec)
		if err != nil {
			t.Fatal(err)
		}
		if first := found.Lists[0].Hits[0].ID; first != map[bool]string{false: "a", true: "b"}[remove] {
			t.Errorf("remove %v: %s is first", remove, first)
		}
		if f := s.FilterFor("a", nil); (f != nil) != remove || remove && (f.Has(2) || !f.Has(0) || !f.Has(1)) {
			t.Errorf("filter %b", f) // a is document 2: they stand by descending id
		}
	}
}
