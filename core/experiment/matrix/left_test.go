package matrix

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// modelled is a collection of two documents, one query and the vectors of two models.
func modelled(t *testing.T, texts ...string) bundle.Source {
	t.Helper()
	c := &collection.Collection{Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q", Text: "harbour"}}}
	c.Qrels.Add("q", "d0", 1)
	source := bundle.Source{ID: "toy", Name: "Toy", Collection: c}
	for i, text := range texts {
		c.Docs = append(c.Docs, collection.Doc{ID: "d" + string(rune('0'+i)), Text: text})
	}
	for _, model := range []string{"minilm", "e5"} {
		v := bundle.SourceVectors{Model: bundle.Model{Name: model, Label: model + "-base", Revision: "r1"},
			Docs: &dense.Vectors{Dim: 1}, Queries: &dense.Vectors{Dim: 1, Rows: []int8{1}, Scales: []float32{1}},
			QueryIDs: []string{"q"}}
		for _, d := range c.Docs {
			v.DocIDs, v.Docs.Rows = append(v.DocIDs, d.ID), append(v.Docs.Rows, 1)
			v.Docs.Scales = append(v.Docs.Scales, 1)
		}
		source.Vectors = append(source.Vectors, v)
	}
	return source
}

// Only the models that a run names are said to be used.
func TestTheModelsOfAnExperimentAreThoseOfItsRuns(t *testing.T) {
	for system, want := range map[string][]string{"bm25": nil, "dense(model=e5)": {"e5"}, "dense": {"minilm"},
		"rrf(dense, dense(model=e5))": {"minilm", "e5"}} {
		out := finished(t, sessionOf(t, modelled(t, "harbour", "storm")),
			`{"systems": ["`+system+`"], "measures": ["AP"]}`, 1)
		var got []string
		for _, m := range out.Models {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", system, got, want)
		}
	}
}

// The mean length of documents is rounded up, and a whole number stays one.
func TestTheMeanLengthOfDocumentsIsRoundedUp(t *testing.T) {
	one, err := meanTokens(sessionOf(t, modelled(t, "harbour harbour", "harbour harbour")))
	if err != nil || one == 0 {
		t.Fatal(one, err)
	}
	longer, err := meanTokens(sessionOf(t, modelled(t, "harbour harbour", "harbour harbour harbour harbour")))
	if err != nil || longer <= one {
		t.Errorf("%d, then %d, %v", one, longer, err)
	}
	if again, err := meanTokens(sessionOf(t, modelled(t, "harbour harbour"))); err != nil || again != one {
		t.Errorf("one document: %d, two like it: %d, %v", again, one, err)
	}
}

// What a run is called by default is the pipeline that sets the fewest values, if there is one.
func TestTheDefaultOfAFamilySetsTheFewestValues(t *testing.T) {
	for _, c := range []struct {
		systems []string
		want    int
	}{{[]string{"bm25(k1=1)", "bm25", "bm25(b=1)"}, 1}, {[]string{"bm25(k1=1)", "bm25(k1=2)"}, -1},
		{[]string{"bm25(k1=1,b=1)", "bm25(k1=2,b=1)", "bm25(k1=1)"}, 2}, {[]string{"bm25(k1=1)", "bm25", "bm25"}, -1},
		{[]string{"bm25", "my run ("}, -1}, {[]string{"bm25(k1=3)"}, 0}} {
		r := &report.Report{}
		var runs []int
		for i, s := range c.systems {
			r.Systems, runs = append(r.Systems, report.System{Notation: s, Label: s}), append(runs, i)
		}
		if got := plainest(r, runs); got != c.want {
			t.Errorf("%q: %d, want %d", c.systems, got, c.want)
		}
	}
}

// Between families is chosen by all queries of the other folds, dealt out once more: one family has .5 on every query,
// the other 1 on every fourth.
func TestFamiliesAreChosenByAllQueriesOfTheOtherFolds(t *testing.T) {
	steady, jumpy := make([]float64, 42), make([]float64, 42)
	for q := range steady {
		steady[q] = .5
		if q%4 == 0 {
			jumpy[q] = 1
		}
	}
	r := tuned(t, false, [][]float64{steady, steady, jumpy})
	for seed := range 12 {
		f, err := tuneFamilies(r, [][]int{{0, 1}, {2}}, seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(f.Choices, 2) {
			t.Errorf("seed %d: %v", seed, f.Choices)
		}
	}
}

// An error about the first element of a list names the line of the element.
func TestTheLineOfAFirstElement(t *testing.T) {
	text := "{\"systems\": [\n\n\"bm25\",\n\"dense\"]}"
	for item, want := range []string{"line 3: wrong", "line 4: wrong", "line 1: wrong"} {
		if err := InText([]byte(text), aboutItem("systems", item, "wrong")); !strings.Contains(err.Error(), want) {
			t.Errorf("element %d: %v, want %s", item, err, want)
		}
	}
}

// What became of the runs is written down where not all of it went well, and of nothing else.
func TestWhatBecameOfRunsIsWritten(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25", "dense"], "measures": ["nDCG@10"]}`, 1)
	write := func() string {
		var b strings.Builder
		if err := out.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	head := func() string { before, _, _ := strings.Cut(write(), "\n\n"); return before }
	out.Status[0] = Status{State: Completed, Evaluated: 12}
	out.Status[1] = Status{State: Completed, Evaluated: 12}
	out.Reused = 0
	if got := head(); strings.Contains(got, "bm25") || strings.Contains(got, "taken from") {
		t.Errorf("all went well: %s", got)
	}
	out.Status[0].Empty, out.Status[0].Failed, out.Status[1].FellBack = 1, 1, 2
	out.Reused, out.Made = 1, 3
	for _, want := range []string{"  bm25: completed (12 evaluated, 1 empty, 1 failed, 0 not run)",
		"  dense: " + report.SayFell(2),
		"  1 ranking was taken from another run that begins alike; 3 were made for several."} {
		if !strings.Contains(head()+"\n", "\n"+want+"\n") {
			t.Errorf("%s\nwant %q", head(), want)
		}
	}
	out.Tuning, out.Families, out.Ablation, out.Analyses = nil, nil, nil, nil
	if text := write(); !strings.HasSuffix(text, ".\n") || strings.Contains(text, "\n\n\n") {
		t.Errorf("%q", text[max(0, len(text)-200):])
	}
}
