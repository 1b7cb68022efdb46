package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// distantOf makes a copy of a collection of beir that has no documents.
func distantOf(t *testing.T, data string) string {
	t.Helper()
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "qrels"), 0o777)
	for _, name := range []string{"queries.jsonl", "qrels/test.tsv"} {
		b, err := os.ReadFile(filepath.Join(data, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// With queries and judgments alone every command gives what it gives with the documents here, as far as backends rank.
func TestDocumentsElsewhere(t *testing.T) {
	finds := []string{"d7", "d3"}
	for i := 20; i < 90; i++ {
		finds = append(finds, fmt.Sprintf("d%d", i))
	}
	service := &crossEncoder{searchFinds: finds}
	at, data := behindEdge(t, service), beir(t)
	far := distantOf(t, data)
	system := "rrf(search(backend=wire), search(backend=wire,depth=5))"
	for _, words := range [][]string{{far}, {"-queries", filepath.Join(far, "queries.jsonl"), "-qrels",
		filepath.Join(far, "qrels/test.tsv")}} {
		code, here, errs := call("", "search", data, "-edge", at, "-s", system, "-t", "tag")
		if code != 0 {
			t.Fatal(errs)
		}
		code, there, errs := call("", append([]string{"search", "-edge", at, "-s", system, "-t", "tag"}, words...)...)
		// by hand: 72 of the 400 documents are found, and nearly all 400 are judged by 1,200 draws
		if code != 0 || here != there || !strings.Contains(errs,
			"judged documents were found by no backend, such as d0, d1, d10") {
			t.Fatalf("%d %s; %d and %d bytes", code, errs, len(there), len(here))
		}
	}
	spec := writeSpec(t, fmt.Sprintf(`{"systems": ["search(backend=wire)", %q], "measures": ["nDCG@10"]}`, system))
	means := func(dir string) string {
		code, text, errs := call("", "run", spec, "-collection", dir, "-edge", at, "-quiet", "-f", "csv")
		if code != 0 {
			t.Fatal(errs)
		}
		return text
	}
	if here, there := means(data), means(far); here != there {
		t.Errorf("figures differ:\n%s\n%s", here, there)
	}
	weighed := "wsum(search(backend=wire), search(backend=wire,depth=5))"
	if code, text, errs := call("", "tune", far, "-edge", at, "-s", weighed, "-quiet"); code != 0 ||
		!strings.Contains(text, "weight") {
		t.Errorf("tune: %d %s %s", code, text, errs)
	}
	if code, text, errs := call("", "explain", far, "q0", "d7", "-edge", at, "-s", "search(backend=wire)",
		"-quiet"); code != 0 || !strings.HasPrefix(text, "100  search  (rank 1): The score is that of the backend "+
		"wire") {
		t.Errorf("explain: %d %s %s", code, text, errs)
	}
}

// A stage that needs documents is refused before anything is asked; so is a reranker whose texts nobody returns.
func TestStagesThatNeedDocumentsAreRefused(t *testing.T) {
	service := &crossEncoder{searchFinds: []string{"d7", "d3"}}
	at, data := behindEdge(t, service), beir(t)
	far := distantOf(t, data)
	for _, x := range []struct{ system, said string }{
		{"bm25", "bm25 needs the words of the documents"},
		{"rrf(search(backend=wire), bm25)", "bm25 needs the words"},
		{"search(backend=wire) >> mmr", "mmr needs vectors or words"},
		{"dense", "dense needs vectors of the documents"},
		{"search(backend=wire) >> rerank(backend=ce)", "wire returns no texts"},
		{"search(backend=wire) >> rerank", "rerank needs vectors"},
	} {
		code, _, errs := call("", "search", far, "-edge", at, "-s", x.system)
		if code != 3 || !strings.Contains(errs, x.said) {
			t.Errorf("%s: %d %s", x.system, code, errs)
		}
		spec := writeSpec(t, fmt.Sprintf(`{"systems": [%q]}`, x.system))
		if code, _, errs = call("", "run", spec, "-collection", far, "-edge", at); code != 3 ||
			!strings.Contains(errs, x.said) {
			t.Errorf("run %s: %d %s", x.system, code, errs)
		}
	}
	if n, _ := service.count(); n != 0 {
		t.Errorf("%d requests for systems that cannot be", n)
	}
	if code, _, errs := call("", "search", far, "-s", "search(backend=wire)"); code != 3 || !strings.Contains(errs,
		"-edge URL") {
		t.Errorf("%d %s", code, errs)
	}
}

// An index whose ids are not those of the judgments is another collection: no figure, and exit code 4.
func TestAnIndexOfOtherIDs(t *testing.T) {
	service := &crossEncoder{searchFinds: []string{"x7", "x3"}}
	at, data := behindEdge(t, service), beir(t)
	spec := writeSpec(t, `{"systems": ["search(backend=wire)"], "measures": ["RR"]}`)
	far := distantOf(t, data)
	want := map[string]string{far: "none of the 2 documents that the backend wire found is among the",
		data: "none of the 2 documents that the backend wire"}
	for dir, said := range want {
		code, text, errs := call("", "run", spec, "-collection", dir, "-edge", at, "-quiet")
		if code != 4 || !strings.Contains(errs, said) || !strings.Contains(errs, "x3") && !strings.Contains(errs,
			"x7") {
			t.Errorf("%s: %d %s %s", dir, code, text, errs)
		}
		code, text, errs = call("", "search", dir, "-edge", at, "-s", "search(backend=wire)", "-quiet")
		if code != 4 || text != "" || !strings.Contains(errs, said) {
			t.Errorf("search %s: %d %s %s", dir, code, text, errs)
		}
	}
}

// A reranker gets the texts from the search backend: the scores are those that it gives to documents that are here.
func TestTextsComeFromTheSearchBackend(t *testing.T) {
	service := &crossEncoder{texts: map[string][2]string{}}
	at, data := behindEdge(t, service), beir(t)
	lines, err := os.ReadFile(filepath.Join(data, "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		var d struct{ ID, Title, Text string }
		if err := json.Unmarshal([]byte(strings.Replace(line, "_id", "id", 1)), &d); err != nil {
			t.Fatal(err)
		}
		service.texts[d.ID] = [2]string{d.Title, d.Text}
	}
	for i := 100; i < 130; i++ {
		service.searchFinds = append(service.searchFinds, fmt.Sprintf("d%d", i))
	}
	system := "search(backend=told) >> rerank(backend=ce,depth=30)"
	code, here, errs := call("", "search", data, "-edge", at, "-s", system, "-t", "tag", "-quiet")
	if code != 0 || service.looked != 0 {
		t.Fatal(errs)
	}
	far := distantOf(t, data)
	code, there, errs := call("", "search", far, "-edge", at, "-s", system, "-t", "tag", "-quiet")
	// by hand: the 30 documents of all queries are the same, and are asked for once
	if code != 0 || here != there || service.looked != 1 {
		t.Errorf("%d %s, %d requests for texts; %d and %d bytes", code, errs, service.looked, len(here), len(there))
	}
	delete(service.texts, "d117")
	code, _, errs = call("", "search", far, "-edge", behindEdge(t, service), "-s", system, "-quiet")
	if code != 4 {
		t.Errorf("a text is missing: %d %s", code, errs)
	}
}

// A collection that the page made of queries and judgments, as a bundle or within a workspace, is one of them here too.
func TestACollectionOfThePageWithoutDocuments(t *testing.T) {
	at, data := behindEdge(t, &crossEncoder{searchFinds: []string{"d7", "d3", "d90"}}), beir(t)
	far := distantOf(t, data)
	c, err := collection.ReadBEIRWith(os.DirFS(far), "test", collection.Options{Elsewhere: true})
	if err != nil {
		t.Fatal(err)
	}
	experiment.Unread(c, nil)
	dir, files := t.TempDir(), map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "upload-1", Name: "far", Collection: c, Shard: 1 << 16,
		Elsewhere: &bundle.Elsewhere{Backend: "wire"}}, func(name string, b []byte) error {
		files[name] = b
		return os.WriteFile(filepath.Join(dir, name), b, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	w := workspace.New(workspace.Documents{Collection: m.ID, Hash: m.Hash})
	w.Bundle = files
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "far.workspace.zip")
	if err := os.WriteFile(file, zip, 0o666); err != nil {
		t.Fatal(err)
	}
	search := func(name string) string {
		code, text, errs := call("", "search", name, "-edge", at, "-s", "search(backend=wire)", "-t", "tag", "-quiet")
		if code != 0 {
			t.Fatalf("%s: %d %s", name, code, errs)
		}
		return text
	}
	want := search(far)
	for _, name := range []string{dir, file} {
		if got := search(name); got != want || strings.Count(got, "\n") != 900 { // 300 queries, 3 documents
			t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
		}
		if code, _, errs := call("", "search", name, "-s", "bm25"); code != 3 || !strings.Contains(errs,
			"bm25 needs the words of the documents") {
			t.Errorf("%s: %d %s", name, code, errs)
		}
	}
}
