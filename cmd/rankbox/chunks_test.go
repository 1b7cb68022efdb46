package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// notes is a folder of two documents and two queries, and a file of labels for passages of one.
func notes(t *testing.T) (folder, labels string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range map[string]string{
		"a.md": "# Ferry\nThe ferry was late. A storm came up. Nobody sailed.\n\n## Port\nThe port was closed on " +
			"Monday. It opened later. Cranes worked.\n",
		"b.md":        "# Crane\n\nCranes lift. They lift ships. A storm broke one. It was mended.\n",
		"queries.csv": "id,query\nq1,storm at sea\nq2,port closed\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder, file(t, "labels.jsonl", `{"query":"q1","document":"a.md","quote":"A storm came up.","grade":2}
{"query":"q2","document":"a.md","quote":"The port was closed on Monday.","grade":1}
`)
}

func TestChunksAreIndexedSearchedAndCompared(t *testing.T) {
	folder, labels := notes(t)
	dir := t.TempDir()
	var systems []string
	for name, c := range map[string]struct{ chunking, said, chunks string }{
		"sentences": {"sentences(n=2,overlap=1)", "8 chunks of 2 documents by sentences(n=2), 2 queries",
			`{"chunk":"a.md#2","document":"a.md","start":20,"end":51}`},
		"headings": {"headings", "3 chunks of 2 documents by headings, 2 queries",
			`{"chunk":"a.md#2","document":"a.md","start":53,"end":120}`},
	} {
		b := filepath.Join(dir, name)
		code, out, errs := call("", "index", folder, "-chunk", c.chunking, "-labels", labels, "-o", b, "-quiet")
		if code != 0 || !strings.Contains(out, c.said) {
			t.Fatalf("%s: %d %s%s", name, code, out, errs)
		}
		if spans, err := os.ReadFile(filepath.Join(b, "chunks.jsonl")); err != nil ||
			!strings.Contains(string(spans), c.chunks) {
			t.Errorf("%s: %s, %v", name, spans, err)
		}
		code, run, errs := call("", "search", b, "-s", "bm25", "-quiet")
		if code != 0 || !strings.Contains(run, "q2 Q0 a.md#") {
			t.Fatalf("%s: %d %s%s", name, code, run, errs)
		}
		systems = append(systems, file(t, name+".run", run)+"="+b)
	}
	code, out, errs := call("", append([]string{"spans", labels, "-documents", folder, "-k", "2", "-q", "-quiet"},
		systems...)...)
	// Of q2, headings retrieves the section "Port The port was closed on Monday. It opened later. Cranes worked.": 12
	// words, 6 of them relevant.
	if code != 0 || !strings.Contains(out, "q2  recall 1.0000, precision 0.5000, IoU 0.5000: 6 relevant, 12 "+
		"retrieved") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, _ = call("", append([]string{"spans", labels, "-documents", folder, "-o", "json", "-quiet"},
		systems...)...)
	if code != 0 || !strings.Contains(out, `"chunking":"headings"`) {
		t.Errorf("%d %s", code, out)
	}
	run, _, _ := strings.Cut(systems[0], "=")
	qrels := file(t, "d.qrels", "q1 0 a.md 1\nq2 0 a.md 1\n")
	if code, out, errs := call("", "compare", qrels, run, "-chunks", "#", "-quiet"); code != 0 {
		t.Errorf("compare: %d %s%s", code, out, errs)
	}
}

// Grades of documents are those of all their chunks, and a chunking that does not fit says why.
func TestChunkingsOfIndexAreChecked(t *testing.T) {
	corpus := file(t, "corpus.jsonl", `{"_id":"d","text":"one two three"}`+"\n"+`{"_id":"d:1","text":"four"}`+"\n")
	queries := file(t, "queries.jsonl", `{"_id":"q","text":"two"}`+"\n")
	qrels := file(t, "qrels.txt", "q 0 d 1\nq 0 gone 1\n")
	all := []string{"index", "-corpus", corpus, "-queries", queries, "-qrels", qrels}
	b := filepath.Join(t.TempDir(), "b")
	code, out, errs := call("", append(all, "-chunk", "words(n=1,overlap=0)", "-o", b)...)
	if code != 0 || !strings.Contains(out, "4 chunks of 2 documents") ||
		!strings.Contains(errs, "1 label counts for no chunk: the first is for the document gone and the query q") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if m, err := os.ReadFile(filepath.Join(b, "manifest.json")); err != nil ||
		!strings.Contains(string(m), `"judgments": 3,`) { // each of the three chunks of d
		t.Errorf("%s, %v", m, err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-chunk", "sentence"}, 2, "did you mean sentences?"},
		{[]string{"-separator", "#"}, 2, "need -chunk"},
		{[]string{"-chunk", "whole", "-separator", ":"}, 3,
			`"d:1" would be both a document and chunk 1 of the document "d"`},
		{[]string{"-chunk", "whole", "-labels", file(t, "l.jsonl",
			`{"query":"q","document":"d","quote":"six","grade":1}`)}, 3,
			"l.jsonl: label 1: the document \"d\" has its quote nowhere"},
		{[]string{"-chunk", "whole", "-labels", file(t, "l.jsonl", `{"query":"q","document":"d","quote":"six"}`)}, 3,
			"l.jsonl: line 1: the label has no grade"},
	} {
		code, _, errs := call("", append(append(all, "-o", filepath.Join(t.TempDir(), "b")), c.args...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %s", c.args, code, errs)
		}
	}
}
