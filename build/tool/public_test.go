package main

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// knownAs sets up an empty cache, and a recipe "tiny" whose file a server of this test has. It returns how often that
// was asked.
func knownAs(t *testing.T, licence string) *int {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"tiny/corpus.jsonl": `{"_id":"a","title":"Ferry","text":"A ferry."}`,
		"tiny/queries.jsonl":  `{"_id":"q","text":"ferry"}`,
		"tiny/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\ta\t1\n"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	asked := new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		http.ServeContent(w, r, "tiny.zip", time.Time{}, bytes.NewReader(b.Bytes()))
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	text := fmt.Sprintf(`name: tiny
title: Tiny
sentence: One document.
domain: boats
language: en
analyzer: lucene-standard
layout: beir
file: tiny.zip %d %x %s/tiny.zip
documents: 1
split: test 1 1
licence: %s
licence-source: here
citation: none
judged: by hand
fault: it is small
source: s %s/ somebody
figure: bm25 | nDCG@10 | 0.5–0.75 | s | of another version
`, b.Len(), md5.Sum(b.Bytes()), s.URL, licence, s.URL)
	if err := os.WriteFile(filepath.Join(dir, "tiny"+recipe.Suffix), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(fetch.RecipesVariable, dir)
	t.Setenv(fetch.CacheVariable, filepath.Join(t.TempDir(), "cache"))
	return asked
}

func TestNamesOfPublicCollectionsStandBesideFolders(t *testing.T) {
	knownAs(t, "CC0 1.0")
	root := t.TempDir()
	write(t, root, map[string]string{"site/collections/harbour-wire/corpus.jsonl": "{}", "more/x/corpus.jsonl": "{}",
		"scifact/corpus.jsonl": "{}", "more/tiny/corpus.jsonl": "{}"})
	for _, c := range []struct{ collections, folders, public, says string }{
		{ownCollections, ownCollections, "", ""},
		{"tiny", ownCollections, "tiny", ""},
		{"tiny, nfcorpus", ownCollections, "tiny nfcorpus", ""},
		{"more,nfcorpus", "more", "nfcorpus", ""},
		{"scifact", "scifact", "", ""}, // a folder comes first
		{"tiny,tiny", "", "", "-collections names tiny twice"},
		{"nfcropus", "", "", `is no folder, and there is no collection "nfcropus"; did you mean nfcorpus?`},
		{"", "", "", "is no folder"},
	} {
		p := newProject(root, io.Discard)
		p.collections = c.collections
		folders, public, err := p.wanted()
		if err != nil || c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || c.says == "" {
				t.Errorf("%s: %v, want %s", c.collections, err, c.says)
			}
			continue
		}
		var names []string
		for _, r := range public {
			names = append(names, r.Name)
		}
		if strings.Join(folders, " ") != c.folders || strings.Join(names, " ") != c.public ||
			p.own() != (c.folders == ownCollections) {
			t.Errorf("%s: %q, %q", c.collections, folders, names)
		}
	}
	p := newProject(root, io.Discard)
	p.collections = "more,tiny"
	if _, err := p.sources(); err == nil || !strings.Contains(err.Error(), "are both called tiny") {
		t.Error(err)
	}
}

// A workspace that was saved on the page with its documents becomes a collection of the site.
func TestAWorkspaceIsACollectionOfTheSite(t *testing.T) {
	all := &collection.Collection{Qrels: collection.NewQrels(), Docs: []collection.Doc{{ID: "a", Text: "the port"}}}
	files := map[string][]byte{}
	src := bundle.Source{ID: "upload", Name: "notes", Collection: all}
	m, err := bundle.Build(src, func(name string, b []byte) error {
		files[name] = b
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = m.JSON()
	w := workspace.New(workspace.Documents{Collection: "upload-" + m.Hash[:16], Name: "notes", Hash: m.Hash, Count: 1})
	w.Bundle = files
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t.TempDir(), io.Discard)
	write(t, p.root, map[string]string{"my notes.zip": string(zip), "other.zip": "PK"})
	p.collections = "my notes.zip"
	for range 2 { // the second time it is there
		found, err := p.sources()
		if err != nil || len(found) != 1 || collectionID(found[0]) != "my-notes" {
			t.Fatalf("%q, %v", found, err)
		}
		one, err := collection.ReadBEIR(os.DirFS(found[0]), "", collection.Limits{})
		if err != nil || len(one.Docs) != 1 || one.Docs[0].Text != "the port" || one.Name != "notes" {
			t.Errorf("%+v, %v", one, err)
		}
	}
	p.collections = "other.zip"
	if _, err := p.sources(); err == nil || !strings.Contains(err.Error(), "workspaces saved on the page") {
		t.Error(err)
	}
}

func TestAPublicCollectionIsDownloadedOnce(t *testing.T) {
	asked := knownAs(t, "CC0 1.0")
	p := newProject(t.TempDir(), io.Discard)
	p.collections = "tiny"
	write(t, p.root, map[string]string{"site/collections/harbour-wire/corpus.jsonl": "{}"})
	_, public, err := p.wanted()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		dir, err := p.publicFolder(t.Context(), public[0])
		if err != nil || filepath.Base(dir) != "tiny" || *asked != 1 {
			t.Fatal(dir, err, *asked)
		}
		got, err := collection.ReadBEIR(os.DirFS(dir), "", collection.Limits{})
		if err != nil || len(got.Docs) != 1 || got.Name != "Tiny" || got.License != "CC0 1.0" {
			t.Errorf("%+v, %v", got, err)
		}
		var about struct{ Analyzer string }
		data, err := os.ReadFile(filepath.Join(dir, "collection.json"))
		if err != nil || json.Unmarshal(data, &about) != nil || about.Analyzer != "lucene-standard" {
			t.Error(string(data), err)
		}
	}
}

func TestVectorsComeWithAPublicCollection(t *testing.T) {
	knownAs(t, "CC0 1.0")
	p := newProject(t.TempDir(), io.Discard)
	p.collections = "tiny"
	write(t, p.root, map[string]string{"site/collections/harbour-wire/corpus.jsonl": "{}",
		"made/tiny/minilm/meta.json": "{}", "made/other/minilm/meta.json": "{}"})
	_, public, err := p.wanted()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		vectors string
		want    bool
	}{{"", false}, {"made", true}, {"", false}, {"made/other", false}} { // one build after the other
		p.vectors = tt.vectors
		dir, err := p.publicFolder(t.Context(), public[0])
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(filepath.Join(dir, "vectors", "minilm", "meta.json"))
		if got := err == nil; got != tt.want {
			t.Errorf("-vectors %q: vectors are there: %v", tt.vectors, got)
		}
	}
}

func TestACollectionWithoutALicenceIsNotPublished(t *testing.T) {
	asked := knownAs(t, "not stated by the source")
	p := newProject(t.TempDir(), io.Discard)
	r := recipe.Named(must(fetch.Recipes()), "tiny")
	if _, err := p.publicFolder(t.Context(), r); err == nil ||
		!strings.Contains(err.Error(), "tiny: its source states no licence (here)") || *asked != 0 {
		t.Error(err, *asked)
	}
	p.anyLicence = true
	if _, err := p.publicFolder(t.Context(), r); err != nil {
		t.Error(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestPublicCollectionsHaveABudget(t *testing.T) {
	knownAs(t, "CC0 1.0")
	r := recipe.Named(must(fetch.Recipes()), "tiny")
	p := newProject(t.TempDir(), io.Discard)
	p.budget = 100
	demo := bundled{ID: "demo", files: map[string][]byte{"a": make([]byte, 1000)}}
	tiny := bundled{ID: "tiny", public: r, files: map[string][]byte{"a": make([]byte, 60), "b": make([]byte, 40)}}
	if err := p.withinBudget([]bundled{demo, tiny}); err != nil {
		t.Error(err)
	}
	tiny.files["c"] = []byte("x")
	if err := p.withinBudget([]bundled{demo, tiny}); err == nil ||
		err.Error() != "the public collections have 101 bytes and may have 100 (-budget): tiny 101 bytes; leave some "+
			"out of -collections" {
		t.Error(err)
	}
	if onDemand("collections/harbour-wire/0123456789abcdef/manifest.json") ||
		!onDemand(publicPath+"tiny/0123456789abcdef/manifest.json") ||
		!hashed.MatchString(publicPath+"tiny/0123456789abcdef/manifest.json") {
		t.Error("a public collection is fetched when it is opened, the demo at once, and both have hashes in " +
			"their paths")
	}
}

func TestTheGalleryHasWhatItShows(t *testing.T) {
	knownAs(t, "CC0 1.0")
	all := &collection.Collection{Docs: []collection.Doc{{ID: "a", Text: "A ferry."}}, Qrels: collection.NewQrels(),
		Queries: []collection.Query{{ID: "q", Text: "ferry"}, {ID: "r", Text: "boat"}}}
	all.Qrels.Add("q", "a", 1)
	all.Qrels.Add("r", "a", 0)
	src := bundle.Source{ID: "tiny", Name: "Tiny", Licence: "CC0 1.0", Origin: "x", Analyzer: "lucene-standard",
		Collection: all}
	table := must(bundle.ReadEncoder(os.DirFS("../../site/encoders/minilm-static")))
	if err := src.Encode(must(encoder.New(&table.File)), func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	m := must(bundle.Build(src, func(string, []byte) error { return nil }))
	b := bundled{ID: "tiny", public: recipe.Named(must(fetch.Recipes()), "tiny"),
		files: map[string][]byte{"manifest.json": m.JSON()}}
	e, err := b.entry("/collections/public.tiny/1/", 70)
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "Tiny" || e.Documents != 1 || e.Queries != 2 || e.Judgments != 2 ||
		e.Models[0] != "static MiniLM" || e.Transfer != 70 || e.Bytes != len(b.files["manifest.json"]) ||
		e.Sentence != "One document." || e.Language != "en" || e.Licence != "CC0 1.0" ||
		e.LicenceSource != "here" || e.Faults[0] != "it is small" ||
		e.Figures[0].Value != "0.5–0.75" || e.Figures[0].About != "somebody" ||
		e.Figures[0].Note != "of another version" {
		t.Errorf("%+v", e)
	}
	b.public = nil
	if e, err = b.entry("/", 1); err != nil || e.Sentence != "x" || e.Figures == nil || e.Faults == nil {
		t.Errorf("%+v, %v", e, err)
	}
	b.files["manifest.json"] = []byte("{")
	if _, err := b.entry("/", 1); err == nil {
		t.Error("a damaged manifest")
	}
}
