package bundle_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

var update = flag.Bool("update", false, "write the frozen fixture where it does not exist yet")

// small is a collection with everything: an empty document, entities, an unjudged query, a judgment of a missing
// document, non-ASCII ids, vectors.
func small() bundle.Source {
	c := &collection.Collection{
		Docs: []collection.Doc{
			{ID: "d1", Title: "Ferry strike", Text: "The ferry crews struck over pay. No ferry sailed.",
				Date: "2024-03-01", Category: "business",
				Entities: []collection.Entity{{Name: "Dockers’ Union", Kind: "organisation", Confidence: 0.9}}},
			{ID: "d10", Title: "Storm", Text: "Lightning struck the harbour light.", Date: "2024-04-02",
				Category: "weather"},
			{ID: "d2", Title: "", Text: ""},
			{ID: "é3", Title: "Pay talks", Text: "Talks over pay go on.", Date: "2024-05-03", Category: "business"},
		},
		Queries: []collection.Query{{ID: "q1", Text: "ferry pay", Type: "factual"}, {ID: "q2", Text: "lightning"}},
		Qrels:   collection.NewQrels(),
	}
	c.Qrels.Add("q1", "d1", 3)
	c.Qrels.Add("q1", "é3", 1)
	c.Qrels.Add("q1", "gone", 2)
	return bundle.Source{ID: "small", Name: "Small", Licence: "CC0-1.0", Origin: "made for tests", Collection: c,
		Shard: 3,
		Vectors: []bundle.SourceVectors{{Model: bundle.Model{Name: "toy", Label: "toy-2", Normalised: true},
			Docs:     &dense.Vectors{Dim: 2, Rows: []int8{1, 2, 3, 4, 0, 0, 5, 6}, Scales: []float32{1, .5, 0, .25}},
			DocIDs:   []string{"d1", "d10", "d2", "é3"},
			Queries:  &dense.Vectors{Dim: 2, Rows: []int8{1, 0, 0, 1}, Scales: []float32{1, 1}},
			QueryIDs: []string{"q2", "q1"}}}}
}

func build(t testing.TB, src bundle.Source) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if _, err := bundle.Build(src, func(name string, data []byte) error {
		if _, twice := files[name]; twice {
			return fmt.Errorf("%s appears twice", name)
		}
		files[name] = bytes.Clone(data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// Freeing texts after they are written gives equal files.
func TestATextIsNotAskedForAfterItIsWritten(t *testing.T) {
	src := small()
	want := build(t, src)
	told := map[int]int{}
	src.Written = func(doc int) {
		told[doc]++
		src.Collection.Docs[doc].Text = "given up"
	}
	if got := build(t, src); !reflect.DeepEqual(got, want) {
		t.Error("other files")
	}
	if !reflect.DeepEqual(told, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}) {
		t.Errorf("told %v", told)
	}
}

func from(files map[string][]byte) bundle.Fetch {
	return func(f bundle.File) ([]byte, error) {
		b, ok := files[f.Name]
		if !ok {
			return nil, fmt.Errorf("not found")
		}
		return b, nil
	}
}

func open(files map[string][]byte) (*bundle.Bundle, error) {
	m, err := bundle.ReadManifest(files["manifest.json"])
	if err != nil {
		return nil, err
	}
	b, err := bundle.Open(m, from(files))
	if err != nil {
		return nil, err
	}
	for _, model := range m.Models {
		if _, _, err := b.Vectors(model.Name, from(files)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// holds checks that a bundle has the content of small.
func holds(t *testing.T, files map[string][]byte) {
	t.Helper()
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	src := small()
	var ids []string
	for _, c := range b.Cards {
		ids = append(ids, c.ID)
	}
	if want := []string{"é3", "d2", "d10", "d1"}; !reflect.DeepEqual(ids, want) {
		t.Fatalf("ordinals %q, want %q (ids descending, by bytes)", ids, want)
	}
	if d, ok := b.Ordinal("d10"); !ok || d != 2 {
		t.Errorf("Ordinal(d10) = %d, %v", d, ok)
	}
	if _, ok := b.Ordinal("d11"); ok {
		t.Error("Ordinal finds a document that is not there")
	}
	if !reflect.DeepEqual(b.Cards[3].Entities, src.Collection.Docs[0].Entities) || b.Cards[3].Date != "2024-03-01" ||
		b.Cards[2].Category != "weather" {
		t.Errorf("cards %+v", b.Cards)
	}
	if !reflect.DeepEqual(b.Queries, src.Collection.Queries) {
		t.Errorf("queries %+v", b.Queries)
	}
	if want := []bundle.Judgment{{0, "d1", 3}, {0, "é3", 1}, {0, "gone", 2}}; !reflect.DeepEqual(b.Judgments, want) {
		t.Errorf("judgments %+v", b.Judgments)
	}
	for d, want := range []string{"Talks over pay go on.", "", "Lightning struck the harbour light.",
		"The ferry crews struck over pay. No ferry sailed."} {
		texts, first, err := b.Texts(d, from(files))
		if err != nil || texts[d-first] != want {
			t.Errorf("text %d: %q, %v", d, texts, err)
		}
	}
	v, ok, err := b.Vectors("toy", from(files))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, _ := b.Vectors("other", from(files)); ok {
		t.Error("a model that is not there has vectors")
	}
	if !reflect.DeepEqual(v.Docs.Rows, []int8{5, 6, 0, 0, 3, 4, 1, 2}) ||
		!reflect.DeepEqual(v.Docs.Scales, []float32{.25, 0, .5, 1}) || v.Model.Dim != 2 {
		t.Errorf("vectors %+v", v)
	}
	r, err := bm25.New(b.Index, stage.BM25Params(stage.MustParse("bm25")))
	if err != nil {
		t.Fatal(err)
	}
	hits, err := r.Rank(rank.Query{Text: "ferry pay"}, 10, nil, nil)
	if err != nil || len(hits) != 2 || hits[0].Doc != 3 || hits[1].Doc != 0 {
		t.Errorf("search in the bundle: %v, %v", hits, err)
	}
}

func TestWhatIsBuiltIsOpened(t *testing.T) { holds(t, build(t, small())) }

func TestTheSameSourceGivesTheSameBytes(t *testing.T) {
	a, b := build(t, small()), build(t, small())
	if !reflect.DeepEqual(a, b) {
		t.Error("two builds differ")
	}
	// The order of the documents in the file does not matter, if the vectors follow it.
	src := small()
	d := src.Collection.Docs
	d[0], d[3] = d[3], d[0]
	if c := build(t, src); !reflect.DeepEqual(a, c) {
		t.Error("the order of the source's documents shows")
	}
}

// Version 1 stays readable for ever: testdata/v1 is never written again.
func TestVersion1StaysReadable(t *testing.T) {
	dir := "testdata/v1"
	if _, err := os.Stat(dir); os.IsNotExist(err) && *update {
		for name, data := range build(t, small()) {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, files)
}

func TestAnythingDamagedIsRefusedByTheNameOfTheFile(t *testing.T) {
	good := build(t, small())
	for name := range good {
		if name == "manifest.json" || strings.HasPrefix(name, "texts") {
			continue
		}
		stem, _, _ := strings.Cut(name, ".")
		for what, change := range map[string]func(b []byte) []byte{
			"a bit flipped": func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
			"cut off":       func(b []byte) []byte { return b[:len(b)-1] },
			"longer":        func(b []byte) []byte { return append(b, 0) },
			"empty":         func([]byte) []byte { return nil },
		} {
			files := map[string][]byte{}
			for n, b := range good {
				files[n] = bytes.Clone(b)
			}
			files[name] = change(files[name])
			if _, err := open(files); err == nil || !strings.Contains(err.Error(), stem) {
				t.Errorf("%s %s: error %v", name, what, err)
			}
		}
		files := map[string][]byte{}
		for n, b := range good {
			if n != name {
				files[n] = b
			}
		}
		if _, err := open(files); err == nil || !strings.Contains(err.Error(), stem) {
			t.Errorf("%s missing: error %v", name, err)
		}
	}
	b, err := open(good)
	if err != nil {
		t.Fatal(err)
	}
	for name := range good {
		if strings.HasPrefix(name, "texts-1") {
			good[name][3] ^= 1
		}
	}
	if _, _, err := b.Texts(3, from(good)); err == nil || !strings.Contains(err.Error(), "texts-1") {
		t.Errorf("a damaged shard: %v", err)
	}
}

func TestManifestsThatCannotBeAreRefused(t *testing.T) {
	good := string(build(t, small())["manifest.json"])
	cases := []struct{ name, old, new, want string }{
		{"newer format", `"format": 1`, `"format": 2`, "newer"},
		{"not a manifest", `"format": 1`, `"format": 0`, "not the manifest"},
		{"an id that is none", `"id": "small"`, `"id": "../x"`, "not the id"},
		{"a file outside the folder", `"name": "cards.`, `"name": "../cards.`, "not valid"},
		{"an absolute file", `"name": "cards.`, `"name": "/cards.`, "not valid"},
		{"an address", `"name": "cards.`, `"name": "http:cards.`, "not valid"},
		{"another content hash", `"hash": "`, `"hash": "0`, "content hash"},
		{"a role twice", `"role": "index"`, `"role": "cards"`, "not valid"},
		{"cut off", "\n}\n", "", "manifest.json"},
		{"negative count", `"documents": 4`, `"documents": -4`, "manifest.json"},
		{"mixed", `"documents": 4`, `"documents": 5`, "5 documents"},
	}
	files := build(t, small())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("the case changes nothing")
			}
			files["manifest.json"] = []byte(text)
			if _, err := open(files); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// noted is small with notes on some of its documents and queries.
func noted() bundle.Source {
	src := small()
	c := src.Collection
	c.Docs[0].News = &collection.News{Time: "09:40", Byline: "Rowan Ashdown", Story: "ferry"}
	c.Docs[3].News = &collection.News{Story: "ferry", Updates: []string{"d1"}, DuplicateOf: "d10"}
	c.Queries[1].Description, c.Queries[1].Narrative = "Where did lightning strike?", "3: says where. 0: anything else."
	return src
}

// Notes have files of their own: the files for search do not change, and a bundle without notes lacks these files.
func TestNotesAreCarried(t *testing.T) {
	files, plain := build(t, noted()), build(t, small())
	for name, data := range plain {
		if name != "manifest.json" && !bytes.Equal(files[name], data) {
			t.Errorf("%s is another file", name)
		}
	}
	if len(files) != len(plain)+2 {
		t.Errorf("%d files, want %d and two", len(files), len(plain))
	}
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	news, err := b.News(from(files))
	want := []collection.News{{Story: "ferry", Updates: []string{"d1"}, DuplicateOf: "d10"}, {}, {},
		{Time: "09:40", Byline: "Rowan Ashdown", Story: "ferry"}}
	if err != nil || fmt.Sprint(news) != fmt.Sprint(want) {
		t.Errorf("%+v, %v, want %+v (documents in descending order of their ids)", news, err, want)
	}
	needs, err := b.Needs(from(files))
	if err != nil || !reflect.DeepEqual(needs,
		[]bundle.Need{{}, {Description: "Where did lightning strike?",
			Narrative: "3: says where. 0: anything else."}}) {
		t.Errorf("%+v, %v", needs, err)
	}
	if b, err = open(plain); err != nil {
		t.Fatal(err)
	}
	if news, err := b.News(from(plain)); news != nil || err != nil {
		t.Errorf("%+v, %v of a bundle without", news, err)
	}
	if needs, err := b.Needs(from(plain)); needs != nil || err != nil {
		t.Errorf("%+v, %v of a bundle without", needs, err)
	}
}

func TestSourcesThatDoNotFitAreRefused(t *testing.T) {
	for name, change := range map[string]func(*bundle.Source){
		"a document twice":          func(s *bundle.Source) { s.Collection.Docs[1].ID = "d1" },
		"a document without vector": func(s *bundle.Source) { s.Vectors[0].DocIDs[0] = "other" },
		"a query without vector":    func(s *bundle.Source) { s.Vectors[0].QueryIDs[0] = "other" },
		"fewer ids than rows":       func(s *bundle.Source) { s.Vectors[0].DocIDs = s.Vectors[0].DocIDs[:3] },
		"an id that is none":        func(s *bundle.Source) { s.ID = "Not An Id" },
		"an unknown analyzer":       func(s *bundle.Source) { s.Analyzer = "lucene-klingon" },
	} {
		s := small()
		change(&s)
		if _, err := bundle.Build(s, func(string, []byte) error { return nil }); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzOpen(f *testing.F) {
	files := build(f, small())
	f.Add(files["manifest.json"])
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, manifest []byte) {
		m, err := bundle.ReadManifest(manifest)
		if err != nil {
			return
		}
		if again, err := bundle.ReadManifest(m.JSON()); err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("written and read again: %v", err)
		}
		if b, err := bundle.Open(m, from(files)); err == nil {
			_, _, _ = b.Vectors("toy", from(files))
		}
	})
}

// FuzzFiles reads damaged files with correct checksums, as an attacker would make them.
func FuzzFiles(f *testing.F) {
	bits := rich()
	if err := bits.Vectors[0].Keep(bundle.Signs); err != nil {
		f.Fatal(err)
	}
	ranked := small()
	ranked.Runs = readRun(f, "q1 Q0 d1 1 2.125 x\nq1 Q0 d2 2 -0.1 x\n")
	for _, src := range []bundle.Source{small(), rich(), bits, noted(), ranked} {
		for name, data := range build(f, src) {
			if name != "manifest.json" {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, role := range []string{"cards", "queries", "qrels", "texts", "vectors", "needs", "news", "tokens",
			"weights", "signs", "run"} {
			bundle.Decode(role, data)
		}
	})
}
