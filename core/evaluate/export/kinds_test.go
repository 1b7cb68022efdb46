package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Without any field the queries are still grouped by how much is relevant to them, and by their words where they have a
// text, in the text, Markdown and JSON alike. By hand: q1 has 1 relevant document, found first; q2 four, of which the
// run has none.
func TestKinds(t *testing.T) {
	q, b := collection.NewQrels(), collection.NewRunBuilder("r")
	q.Add("q1", "a", 1)
	for _, d := range []string{"b", "c", "d", "e"} {
		q.Add("q2", d, 1)
	}
	for _, e := range []string{"q1", "q2"} {
		if err := b.Add(e, "a", 1); err != nil {
			t.Fatal(err)
		}
	}
	run, _ := b.Run()
	for _, texts := range [][]collection.Query{nil,
		{{ID: "q1", Text: "two words"}, {ID: "q2", Text: "five words are in this one"}}} {
		r, err := compare.Compare(compare.Input{Qrels: q, Queries: texts, Runs: []compare.Named{{Name: "r", Run: run}},
			Measures: []string{"RR"}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"relevant documents"}
		if texts != nil {
			want = append(want, "words")
		}
		kinds := r.Kinds()
		if len(kinds) != len(want) {
			t.Fatalf("%+v, want %q", kinds, want)
		}
		for i, k := range kinds {
			if k.Name != want[i] || len(k.Groups) != 2 || k.Groups[0].Value != "1 to 3" ||
				k.Groups[0].Means[0][0] != 1 || k.Groups[1].Value != "4 to 6" || k.Groups[1].Means[0][0] != 0 {
				t.Errorf("%+v, want %s in two ranges with means 1 and 0", k, want[i])
			}
		}
		for _, format := range []string{"text", "md", "json", "latex"} {
			var out strings.Builder
			if err := Write(&out, r, format, Detail{}); err != nil ||
				strings.Contains(out.String(), "by-relevant documents") ||
				!strings.Contains(out.String(), "relevant documents") || !strings.Contains(out.String(), "4 to 6") {
				t.Errorf("%s: %v\n%s", format, err, out.String())
			}
		}
	}
}

// The best runs by measure are named in every text, all of those that share the first place. By hand: x finds a first,
// y second, z first too; of two relevant documents x and y have both.
func TestBestRunByMeasure(t *testing.T) {
	q := collection.NewQrels()
	q.Add("q", "a", 1)
	q.Add("q", "b", 1)
	in := compare.Input{Qrels: q, Measures: []string{"RR", "R@5", "unj@5"}}
	for name, docs := range map[string]string{"x": "a n b", "y": "n a b", "z": "a n"} {
		b := collection.NewRunBuilder(name)
		for i, d := range strings.Fields(docs) {
			if err := b.Add("q", d, float64(9-i)); err != nil {
				t.Fatal(err)
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: name, Run: run})
	}
	slices.SortFunc(in.Runs, func(a, b compare.Named) int { return strings.Compare(a.Name, b.Name) })
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "md", "latex"} {
		var out strings.Builder
		if err := Write(&out, r, format, Detail{}); err != nil ||
			!strings.Contains(out.String(),
				"Best run by measure: RR: A x and C z (1.0000); R@5: A x and B y (1.0000).") {
			t.Errorf("%s: %v\n%s", format, err, out.String())
		}
	}
}
