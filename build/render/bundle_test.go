package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	corebundle "github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/worker"
)

const ourEncoder = "../../site/encoders/minilm-static"

// TestACollectionWithoutVectorsGetsThoseOfTheStaticEncoder compares scores with dot products of what the encoder makes
// of the texts one by one, in float32: the bundle rounds each number to 1/127 of the largest of its vector.
func TestACollectionWithoutVectorsGetsThoseOfTheStaticEncoder(t *testing.T) {
	folder := t.TempDir()
	docs := [][2]string{{"a", "the ferry was cancelled by the storm"}, {"b", "a new teacher at the school"},
		{"c", "bad weather stopped the boats"}}
	corpus := ""
	for _, d := range docs {
		corpus += `{"_id": "` + d[0] + `", "title": "", "text": "` + d[1] + `"}` + "\n"
	}
	const asked = "ships in a gale"
	for name, text := range map[string]string{"corpus.jsonl": corpus,
		"queries.jsonl":  `{"_id": "q", "text": "` + asked + `"}`,
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\tc\t1\n"} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pack := func(encoders ...string) *experiment.Session {
		t.Helper()
		out := t.TempDir()
		if _, err := bundle(append([]string{folder, "boats", out}, encoders...)); err != nil {
			t.Fatal(err)
		}
		s, err := open(out)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if n := len(pack().Models.List()); n > 0 { // as of a language that the encoder does not know
		t.Errorf("%d models without an encoder", n)
	}
	s := pack(ourEncoder)
	if o := worker.Describe(s); !o.Lexical || !slices.Equal(o.Models, []string{"minilm", "minilm-static"}) ||
		!slices.Equal(state.DefaultsOf(o), state.Defaults[:2]) {
		t.Errorf("%+v opens with %q: nobody asked for vectors", o, state.DefaultsOf(o))
	}
	r, err := s.Search(experiment.Spec{QueryID: "q", Systems: []string{"dense", "rrf(bm25, dense)"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, label := range []string{"Dense (static MiniLM)", "Hybrid"} {
		l := r.Lists[i]
		if l.Label != label || l.Note != "The vectors are by minilm-static: the model’s own score higher." {
			t.Errorf("%q, %q", l.Label, l.Note)
		}
	}
	e, err := corebundle.ReadEncoder(os.DirFS(ourEncoder))
	if err != nil {
		t.Fatal(err)
	}
	x, err := encoder.New(&e.File)
	if err != nil {
		t.Fatal(err)
	}
	query := x.Encode(asked, nil)
	for _, h := range r.Lists[0].Hits {
		i := slices.IndexFunc(docs, func(d [2]string) bool { return d[0] == h.ID })
		want := 0.0
		for j, v := range x.Encode(docs[i][1], nil) {
			want += float64(v) * float64(query[j])
		}
		if math.Abs(h.Score-want) > 0.005 {
			t.Errorf("%s scores %v, want %v", h.ID, h.Score, want)
		}
	}
	if hits := r.Lists[0].Hits; len(hits) != 3 || hits[2].ID != "b" {
		t.Errorf("%+v", hits)
	}
	report, err := s.Evaluate(experiment.Spec{Systems: []string{"dense"}}, nil)
	if err != nil || report.Systems[0].Label != "Dense (static MiniLM)" {
		t.Errorf("%+v, %v", report, err)
	}
	s.SetEncoder(x)
	typed, err := s.Search(experiment.Spec{Query: asked, Systems: []string{"dense"}})
	if err != nil {
		t.Fatal(err)
	}
	if l := typed.Lists[0]; len(l.Hits) != 3 || l.Hits[0].Score != r.Lists[0].Hits[0].Score ||
		!strings.HasPrefix(l.Note, "Typed queries use a smaller encoder, minilm-static") ||
		!strings.HasSuffix(l.Note, "score higher.") {
		t.Errorf("typed, the same text has other scores: %+v", l)
	}
}

// Where a model's own vectors are, the static encoder makes none.
func TestAModelsOwnVectorsAreNotReplaced(t *testing.T) {
	out := t.TempDir()
	if _, err := bundle([]string{"../../site/collections/harbour-wire", "harbour-wire", out, ourEncoder}); err != nil {
		t.Fatal(err)
	}
	s, err := open(out)
	if err != nil {
		t.Fatal(err)
	}
	o := worker.Describe(s)
	if o.Lexical || slices.Contains(o.Models, "minilm-static") || !slices.Equal(state.DefaultsOf(o), state.Defaults) {
		t.Errorf("%q, %v", o.Models, state.DefaultsOf(o))
	}
	r, err := s.Search(experiment.Spec{QueryID: o.Queries[0].ID, Systems: []string{"dense"}})
	if err != nil || r.Lists[0].Label != "Dense (MiniLM)" || r.Lists[0].Note != "" {
		t.Errorf("%+v, %v", r, err)
	}
}
