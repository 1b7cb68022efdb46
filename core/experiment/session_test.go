package experiment_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

const twin = "The strike at the container terminal ended on Friday when the dockers accepted an offer of four per " +
	"cent over two years after eleven days of talks. "

// missing is a part of the names of files that are not to be had; "" for none.
var missing string

func session(t testing.TB) *experiment.Session {
	t.Helper()
	c := &collection.Collection{
		Docs: []collection.Doc{
			{ID: "a", Title: "Strike ends", Text: twin + "Cranes move again.", Date: "2024-03-01", Category: "business",
				Entities: []collection.Entity{{Name: "Union", Kind: "organisation", Confidence: 0.9}}},
			{ID: "b", Title: "Update: strike ends", Text: twin + "Ships wait outside.", Date: "2024-03-02",
				Category: "business"},
			{ID: "c", Title: "Lightning strike",
				Text: "Lightning struck the light at the harbour mouth, a strike that killed nobody.",
				Date: "2024-06-05", Category: "weather"},
			{ID: "d", Title: "Striker signs", Text: "The striker signed for two years; the club paid well.",
				Date: "2025-01-09", Category: "sport"},
			{ID: "e", Title: "", Text: ""},
		},
		Queries: []collection.Query{{ID: "q1", Text: "dockers strike", Type: "factual"}, {ID: "q2", Text: "lightning"},
			{ID: "q3", Text: "nothing judged"}},
		Qrels: collection.NewQrels(),
	}
	c.Qrels.Add("q1", "a", 3)
	c.Qrels.Add("q1", "b", 2)
	c.Qrels.Add("q1", "c", 0)
	c.Qrels.Add("q2", "c", 2)
	turn := &bundle.Encoder{File: encoder.File{Name: "toy-static", Teacher: "toy", Dim: 2},
		Matrix: []float32{1, 0, 0, 1}}
	src := bundle.Source{ID: "t", Name: "Test", Collection: c, Shard: 2, Encoders: []*bundle.Encoder{turn},
		Vectors: []bundle.SourceVectors{{Model: bundle.Model{Name: "minilm", Label: "toy"},
			Docs: &dense.Vectors{Dim: 2, Rows: []int8{9, 0, 8, 1, 0, 9, 1, 1, 0, 0},
				Scales: []float32{1, 1, 1, 1, 0}},
			DocIDs:   []string{"a", "b", "c", "d", "e"},
			Queries:  &dense.Vectors{Dim: 2, Rows: []int8{1, 0, 0, 1, 1, 1}, Scales: []float32{1, 1, 1}},
			QueryIDs: []string{"q1", "q2", "q3"}}}}
	files := map[string][]byte{}
	m, err := bundle.Build(src, func(name string, data []byte) error { files[name] = data; return nil })
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) {
		if missing != "" && strings.Contains(f.Name, missing) {
			return nil, errors.New(f.Name + ": the server answered 404")
		}
		return files[f.Name], nil
	}
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	return experiment.NewSession(b, fetch)
}

// A typed query is answered by dense stages once there is an encoder, and says so; a judged one never needs it.
func TestTypedQueriesAreEncoded(t *testing.T) {
	s := session(t)
	ask := func(spec experiment.Spec) *experiment.List {
		t.Helper()
		spec.Systems = []string{"rrf(bm25, dense)", "dense"}
		r, err := s.Search(spec)
		if err != nil {
			t.Fatal(err)
		}
		return &r.Lists[1]
	}
	typed, judged := experiment.Spec{Query: "lightning"}, experiment.Spec{QueryID: "q2"}
	if l := ask(typed); !strings.Contains(l.Problem, "query has no vector") {
		t.Fatalf("%+v", l)
	}
	before := ask(judged)
	e, err := encoder.New(&encoder.File{Name: "toy-static", Teacher: "toy", Dim: 2,
		Vocabulary: "[UNK]\nlightning\nstrike\n", Scales: []float64{0, 1, 1}, Rows: "\x88\xf8\x8f"})
	if err != nil {
		t.Fatal(err)
	}
	s.SetEncoder(e)
	l := ask(typed) // (0, 1): nearest is c, (0, 9)
	if l.Problem != "" || len(l.Hits) == 0 || l.Hits[0].ID != "c" || !strings.Contains(l.Note, "toy-static") {
		t.Errorf("%+v", l)
	}
	if l := ask(experiment.Spec{Query: "strike"}); l.Hits[0].ID != "a" {
		t.Errorf("%+v", l.Hits[0])
	}
	if l := ask(experiment.Spec{Query: "unheard"}); len(l.Hits) != 0 || l.Problem != "" {
		t.Errorf("%+v", l)
	}
	if l := ask(judged); l.Note != "" || l.Hits[0].Score != before.Hits[0].Score {
		t.Errorf("%+v", l)
	}
}

var four = []string{"bm25", "bm25(title=3)", "dense", "rrf(bm25, dense)"}

func TestSearchMeasuresWhatItShows(t *testing.T) {
	r, err := session(t).Search(experiment.Spec{Systems: four, QueryID: "q1",
		Measures: []string{"nDCG@10", "P@1", "RR"}})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Judged || r.Relevant != 2 || len(r.Lists) != 4 {
		t.Fatalf("%+v", r)
	}
	for _, l := range r.Lists {
		// both relevant documents come first in every system: nDCG = 1
		if l.Problem != "" || l.Scores[0] != 1 || l.Scores[1] != 1 || l.Scores[2] != 1 {
			t.Errorf("%s: %q, scores %v", l.Notation, l.Problem, l.Scores)
		}
		h := l.Hits[0]
		if h.Grade < 2 || len(h.Twins) != 1 || h.Twins[0].Grade < 2 {
			t.Errorf("%s: the near-duplicate is not folded: %+v", l.Notation, h)
		}
		for _, x := range l.Hits {
			if x.ID == "d" && x.Grade != experiment.NoGrade {
				t.Errorf("%s: document d is not judged, grade %v", l.Notation, x.Grade)
			}
			if x.ID == "e" {
				t.Errorf("%s: an empty document is shown", l.Notation)
			}
		}
	}
	text := ""
	marks := 0
	for _, s := range r.Lists[0].Hits[0].Snippet {
		text += s.Text
		if s.Mark {
			marks++
		}
	}
	if marks < 2 || !strings.Contains(text, "strike") {
		t.Errorf("snippet %q with %d marks", text, marks)
	}
}

func TestATypedQueryIsComparedInsteadOfMeasured(t *testing.T) {
	r, err := session(t).Search(experiment.Spec{Systems: []string{"bm25", "bm25(b=0)", "dense"}, Query: "strike years"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Judged || r.Lists[0].Scores != nil {
		t.Errorf("measures of a query without judgments: %+v", r.Lists[0])
	}
	if r.Lists[1].Overlap != 1 || !(r.Lists[1].RBO > 0.5) {
		t.Errorf("overlap %v, RBO %v of nearly the same list", r.Lists[1].Overlap, r.Lists[1].RBO)
	}
	if !math.IsNaN(r.Lists[0].Overlap) {
		t.Error("the first list is compared with itself")
	}
	if l := r.Lists[2]; l.Problem == "" || len(l.Hits) != 0 {
		t.Errorf("dense answers without a vector: %+v", l)
	}
}

func TestFiltersHoldInEveryStage(t *testing.T) {
	s := session(t)
	cases := []struct {
		name string
		f    experiment.Filter
		want string
	}{
		{"category", experiment.Filter{Categories: []string{"weather"}}, "c"},
		{"two categories", experiment.Filter{Categories: []string{"weather", "sport"}}, "cd"},
		{"dates", experiment.Filter{From: "2024-03-02", To: "2024-12-31"}, "bc"},
		{"entity", experiment.Filter{Entities: []string{"Union"}}, "a"},
		{"all of them", experiment.Filter{Categories: []string{"weather"}, Entities: []string{"Union"}}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := s.Search(experiment.Spec{Systems: four, QueryID: "q1", Filter: c.f})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range r.Lists {
				for _, h := range l.Hits {
					for _, x := range append(h.Twins, h) {
						if !strings.Contains(c.want, x.ID) {
							t.Errorf("%s shows %s", l.Notation, x.ID)
						}
					}
				}
			}
		})
	}
}

func TestEveryExplanationSumsToTheScoreInTheList(t *testing.T) {
	s := session(t)
	spec := experiment.Spec{Systems: append(four[:4:4], "bm25(variant=bm25+)",
		"bm25(analyzer=whitespace) >> cut(3)")[1:5], QueryID: "q1"}
	r, err := s.Search(spec)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range r.Lists {
		for _, h := range l.Hits {
			w, err := s.Explain(spec, experiment.Focus{Document: h.ID, System: i})
			if err != nil {
				t.Fatal(err)
			}
			if w.Part.Score != h.Score || w.Rank == 0 || w.Grade != h.Grade {
				t.Errorf("%s %s: explained %v (rank %v, grade %v), listed %v", l.Notation, h.ID, w.Part.Score, w.Rank,
					w.Grade, h.Score)
			}
		}
	}
}

func TestEvaluateIsTheSameForTheSameSpec(t *testing.T) {
	a, err := session(t).Evaluate(experiment.Spec{Systems: four}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := session(t).Evaluate(experiment.Spec{Systems: four}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash != b.Hash || len(a.Hash) != 64 {
		t.Errorf("hashes %s, %s", a.Hash, b.Hash)
	}
	if len(a.Queries) != 2 {
		t.Errorf("%d queries, want the two that are judged", len(a.Queries))
	}
	c, err := session(t).Evaluate(experiment.Spec{Systems: four, Baseline: 1}, nil)
	if err != nil || c.Hash != a.Hash {
		t.Errorf("another baseline gives another hash, though nothing else is measured (%v)", err)
	}
	if len(a.Pairs) != 6 || !strings.HasPrefix(a.Sentence(say.Plain), "On ") || a.Note(say.Plain) == "" {
		t.Errorf("%d pairs, finding %q, note %q", len(a.Pairs), a.Sentence(say.Plain), a.Note(say.Plain))
	}
	for _, col := range a.Columns {
		for i := range a.Systems {
			if !(col.Low[i] <= col.Means[i] && col.Means[i] <= col.High[i]) {
				t.Errorf("%s of %s: %v is not in [%v, %v]", col.Measure, a.Systems[i].Label, col.Means[i], col.Low[i],
					col.High[i])
			}
		}
	}
}

func TestAFileThatIsMissingKeepsBackOnlyTheSystemsThatNeedIt(t *testing.T) {
	s := session(t)
	missing = "vectors"
	defer func() { missing = "" }()
	spec := experiment.Spec{Systems: []string{"bm25", "dense"}, QueryID: "q1"}
	r, err := s.Search(spec)
	if err != nil {
		t.Fatal(err)
	}
	if words := r.Lists[0]; len(words.Hits) == 0 || words.Problem != "" || words.Again {
		t.Errorf("words need no vectors: %+v", words)
	}
	if l := r.Lists[1]; len(l.Hits) > 0 || !strings.Contains(l.Problem, "404") || !l.Again {
		t.Errorf("dense: %+v", l)
	}
	if _, err := s.Evaluate(spec, nil); !experiment.NotFetched(err) {
		t.Errorf("a comparison over all queries does not count a missing file as zero: %v", err)
	}
	missing = ""
	if r, err = s.Search(spec); err != nil || len(r.Lists[1].Hits) == 0 || r.Lists[1].Again {
		t.Errorf("once it is there: %v, %+v", err, r)
	}
}

func TestWhatCannotBeIsAnErrorThatSaysWhy(t *testing.T) {
	s := session(t)
	cases := []struct {
		name, want string
		spec       experiment.Spec
	}{
		{"a stage that is not there", "bm52", experiment.Spec{Systems: []string{"bm52"}, Query: "x"}},
		{"a measure that is not there", "nDGC", experiment.Spec{Systems: four, Query: "x", Measures: []string{"nDGC"}}},
		{"a query that is not there", "q9", experiment.Spec{Systems: four, QueryID: "q9"}},
		{"an analyzer that is not there", "klingon", experiment.Spec{Systems: []string{"bm25(analyzer=klingon)"},
			Query: "x"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := s.Search(c.spec); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	if r, err := s.Search(experiment.Spec{Systems: []string{"dense(model=e5)"}, QueryID: "q1"}); err != nil ||
		!strings.Contains(r.Lists[0].Problem, "e5") {
		t.Errorf("a model that is not there: %v, %+v", err, r)
	}
	if _, err := s.Explain(experiment.Spec{Systems: four, QueryID: "q1"},
		experiment.Focus{Document: "zz"}); err == nil {
		t.Error("an unknown document is explained")
	}
	if _, err := s.Evaluate(experiment.Spec{}, nil); err == nil {
		t.Error("no system is evaluated")
	}
	if _, err := s.Evaluate(experiment.Spec{Systems: four}, func() bool { return true }); err == nil {
		t.Error("a cancelled evaluation ends well")
	}
}

func Example() {
	s := session(&testing.T{})
	r, err := s.Search(experiment.Spec{Systems: []string{"bm25"}, Query: "lightning"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Lists[0].Label, r.Lists[0].Hits[0].ID)
	// Output: BM25 c
}

// Oracle: a session that was never asked anything else. Rankers are set from step to step, and never one that another
// system of the same question needs.
func TestASliderGivesWhatANewSessionGives(t *testing.T) {
	used := session(t)
	for i, k1 := range []string{"0.5", "1.2", "0.5", "3", "0.9", "1.2"} {
		spec := experiment.Spec{Systems: []string{"bm25(k1=" + k1 + ")", "bm25(title=3,k1=" + k1 + ")",
			"rrf(bm25(k1=" + k1 + "), dense)", "bm25(variant=okapi)"}, QueryID: "q1"}
		if i%2 == 1 {
			spec.Systems = append(spec.Systems[1:], spec.Systems[0])
		}
		for _, q := range []string{"q1", "q2"} {
			spec.QueryID = q
			got, err1 := used.Search(spec)
			want, err2 := session(t).Search(spec)
			if err1 != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("k1 %s: %+v, %v; want %+v, %v", k1, got, err1, want, err2)
			}
		}
		got, err1 := used.Evaluate(spec, nil)
		want, err2 := session(t).Evaluate(spec, nil)
		if err1 != nil || err2 != nil || got.Hash != want.Hash {
			t.Errorf("k1 %s: report %v, %v; want %v, %v", k1, got.Hash, err1, want.Hash, err2)
		}
	}
}

// One step of a slider over four systems, one after another as a finger moves it.
func BenchmarkSlider(b *testing.B) {
	s := session(b)
	i := 0
	for b.Loop() {
		k1 := fmt.Sprintf("%.2f", float64(1+i%60)/20)
		i++
		if _, err := s.Search(experiment.Spec{Systems: []string{"bm25(k1=" + k1 + ")", "bm25(title=3,k1=" + k1 + ")",
			"dense", "rrf(bm25(k1=" + k1 + "), dense)"}, QueryID: "q1"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s := session(b)
	spec := experiment.Spec{Systems: four, QueryID: "q1"}
	for b.Loop() {
		if _, err := s.Search(spec); err != nil {
			b.Fatal(err)
		}
	}
}

// The curve says at every place what an evaluation of the systems set there says, whatever was asked before, and moves
// no system.
func TestTheCurveIsWhatEvaluateSaysAtEachPlace(t *testing.T) {
	s := session(t)
	spec := experiment.Spec{Systems: []string{"bm25(k1=0.5)", "dense", "rrf(bm25(k1=2), dense)"},
		Measures: []string{"AP"}, Filter: experiment.Filter{Categories: []string{"sport"}}}
	c, err := s.Curve(spec, "bm25", "k1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.At) != 61 || c.At[0] != 0 || c.At[11] != 0.55 || c.At[60] != 3 || len(c.Lines) != 2 || c.Line(1) != nil ||
		c.Queries != 2 || c.Measure != "AP" {
		t.Fatalf("%+v", c)
	}
	for _, i := range []int{0, 11, 37, 60} {
		k1 := strconv.FormatFloat(c.At[i], 'f', -1, 64)
		r, err := session(t).Evaluate(
			experiment.Spec{Systems: []string{"bm25(k1=" + k1 + ")", "dense", "rrf(bm25(k1=" + k1 + "), dense)"},
				Measures: []string{"AP"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range c.Lines {
			if got, want := l.Means[i], r.Columns[0].Means[l.System]; got != want {
				t.Errorf("system %d at k1 %s: %v, evaluated %v", l.System, k1, got, want)
			}
		}
	}
	if v, ok := c.Value(c.Line(0), 0.55); !ok || v != c.Lines[0].Means[11] {
		t.Errorf("at 0.55: %v, %v", v, ok)
	}
	asked := 0
	if _, err := s.Curve(spec, "bm25", "b", func() bool {
		asked++
		return asked > 3
	}); !errors.Is(err, experiment.ErrCancelled) || asked != 4 {
		t.Errorf("a newer question ends it after %d steps with %v", asked, err)
	}
}

// A search in the midst of an evaluation, of the same stages set otherwise, leaves the figures as they are.
func TestASearchInTheMidstOfAnEvaluation(t *testing.T) {
	measured := func(midst func(*experiment.Session)) string {
		s := session(t)
		asked := 0
		r, err := s.Evaluate(experiment.Spec{Systems: []string{"bm25 >> cut(5)", "bm25"}}, func() bool {
			if asked++; asked == 1 {
				midst(s)
			}
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Hash
	}
	search := func(s *experiment.Session) {
		if _, err := s.Search(experiment.Spec{Systems: []string{"bm25 >> cut(1)"}, QueryID: "q1"}); err != nil {
			t.Fatal(err)
		}
	}
	if alone, beside := measured(func(*experiment.Session) {}), measured(search); alone != beside {
		t.Errorf("hash %s, and %s with a search in its midst", alone, beside)
	}
}
