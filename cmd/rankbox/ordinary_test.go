package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files as people have them, which index refused (issue 31, section 1).
func TestIndexTakesOrdinaryFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"goods.csv":  {"sku,name,description\nA1,Ferry,\"a boat, late\"\nA2,Crane,it lifts\n", "2 documents, 0 queries"},
		"body.jsonl": {`{"id":"A1","title":"Ferry","body":"a boat"}` + "\n", "1 document, 0 queries"},
		"text.jsonl": {`{"id":"A1","title":"Ferry","text":"a boat"}` + "\n", "1 document, 0 queries"},
		"array.json": {`[{"id":"A1","title":"Ferry","text":"a boat"},{"id":"A2","title":"Crane","text":"it lifts"}]`, "2 documents, 0 queries"},
		"lines.txt":  {"The ferry was late.\nA storm, at last.\n", "2 documents, 0 queries"},
		"notes.md":   {"# Ferry\n\nIt was late.\n", "1 document, 0 queries"},
		"page.html":  {"<title>Ferry</title><p>late", "1 document, 0 queries"},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, errs := call("", "index", "-quiet", "-o", filepath.Join(t.TempDir(), "b"), file)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d, %s%s", name, code, out, errs)
		}
	}
}

func TestIndexTakesAFolderOfNotes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "# Ferry\nlate", "sub/b.html": "<title>Crane</title><p>lifts", "sub/c.txt": "fog\nagain", "queries.csv": "id,query\n1,ferry\n", "picture.png": "\x89PNG", ".git/x.md": "no"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := call("", "index", "-quiet", "-o", filepath.Join(t.TempDir(), "b"), dir)
	if code != 0 || !strings.Contains(out, "3 documents, 1 query") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
}

func TestIndexRefusesATableOfScoresByWhatItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scores.csv")
	if err := os.WriteFile(file, []byte("run,query,measure,value\nbm25,q1,nDCG@10,0.5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call("", "index", "-o", filepath.Join(t.TempDir(), "b"), file); code != 3 || !strings.Contains(errs, "a table of scores (run, query, measure, value)") {
		t.Errorf("%d, %s", code, errs)
	}
}
