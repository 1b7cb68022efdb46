package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

func TestAWorkspaceFromThePageIsOpened(t *testing.T) {
	w := workspace.New(workspace.Documents{Collection: "upload-0123456789abcdef", Name: "notes", Count: 30})
	for _, e := range []workspace.Edit{
		{Kind: workspace.SetQuery, Query: "q1-a", Text: "ferry"},
		{Kind: workspace.SetLayer, Layer: "mine", Origin: workspace.Person, Date: "2026-11-24"},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "a.md", Grade: 1},
		{Kind: workspace.SetLayer, Layer: "second", Origin: workspace.Second, Author: "Ada"},
		{Kind: workspace.SetGrade, Layer: "second", Query: "q1-a", Document: "a.md", Grade: 3},
		{Kind: workspace.SetGrade, Layer: "second", Query: "q1-a", Document: "b.md", Grade: 0},
	} {
		e.Stamp = w.Next(1, "a")
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	name := file(t, "notes.workspace.zip", string(zip))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "layer second: 2 grades, second, Ada"},
		{[]string{"-qrels"}, "q1-a 0 a.md 1\nq1-a 0 b.md 0\n"},
		{[]string{"-qrels", "-rule", "highest"}, "q1-a 0 a.md 3\nq1-a 0 b.md 0\n"},
		{[]string{"-qrels", "-layer", "second"}, "q1-a 0 a.md 3\nq1-a 0 b.md 0\n"},
		{[]string{"-queries"}, `{"_id": "q1-a", "text": "ferry"`},
	} {
		code, out, errs := call("", append([]string{"workspace", name}, c.args...)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d %s%s", c.args, code, out, errs)
		}
	}
	if code, _, errs := call("", "workspace", "-qrels", "-layer", "x", name); code != 3 ||
		!strings.Contains(errs, "the workspace has mine, second") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := call("", "workspace", file(t, "x.zip", string(zip[:200]))); code != 3 ||
		!strings.Contains(errs, "x.zip") {
		t.Errorf("%d %s", code, errs)
	}
}

// A workspace that was saved with its documents is a collection like any other, with the queries and grades that were
// made in it.
func TestAWorkspaceIsSearchedAsACollection(t *testing.T) {
	all := &collection.Collection{Qrels: collection.NewQrels(), Docs: []collection.Doc{
		{ID: "a.md", Title: "Port", Text: "the port was closed"}, {ID: "b.md", Title: "Storm", Text: "a storm came"},
	}}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "upload", Name: "notes", Collection: all},
		func(name string, data []byte) error {
			files[name] = data
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = m.JSON()
	w := workspace.New(workspace.Documents{Collection: "upload-" + m.Hash[:16], Name: "notes", Hash: m.Hash, Count: 2})
	for _, e := range []workspace.Edit{
		{Kind: workspace.SetQuery, Query: "q1-a", Text: "storm"},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "b.md", Grade: 1},
	} {
		e.Stamp = w.Next(1, "a")
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	bare, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	w.Bundle = files
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	name := file(t, "notes.workspace.zip", string(zip))
	code, out, errs := call("", "search", "-quiet", name, "-s", "bm25")
	if code != 0 || !strings.HasPrefix(out, "q1-a Q0 b.md 1 ") || strings.Count(out, "\n") != 1 {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// storm is found first: RR is 1, by hand
	folder := filepath.Join(t.TempDir(), "out")
	spec := file(t, "spec.json", `{"systems":["bm25","ql"],"measures":["RR"]}`)
	if code, out, errs = call("", "run", "-quiet", "-collection", name, spec, "-o", folder); code != 0 ||
		!strings.Contains(out, "1.0000") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	// the same as a folder: the ranking, score by score, and the judgments
	beir := filepath.Join(t.TempDir(), "beir")
	if code, out, errs := call("", "workspace", name, "-beir", beir); code != 0 || out != "" {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	_, want, _ := call("", "search", "-quiet", name, "-s", "bm25", "-t", "x")
	if _, got, errs := call("", "search", "-quiet", beir, "-s", "bm25", "-t", "x"); got != want {
		t.Errorf("%s%s\nwant %s", got, errs, want)
	}
	qrels, err := os.ReadFile(filepath.Join(beir, "qrels", "test.tsv"))
	if err != nil || !strings.HasSuffix(string(qrels), "\nq1-a\tb.md\t1\n") {
		t.Errorf("%q, %v", qrels, err)
	}
	code, _, errs = call("", "workspace", name, "-beir", beir)
	if code != 3 || !strings.Contains(errs, "is not empty") {
		t.Errorf("%d %s", code, errs)
	}
	code, _, errs = call("", "workspace", file(t, "bare.zip", string(bare)), "-beir", beir+"2")
	if code != 3 || !strings.Contains(errs, "bare.zip: it holds no documents") {
		t.Errorf("%d %s", code, errs)
	}
	code, _, errs = call("", "search", file(t, "bare.zip", string(bare)), "-s", "bm25")
	if code != 3 || !strings.Contains(errs, "holds no documents") {
		t.Errorf("%d %s", code, errs)
	}
}
