package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/project/workspace"
)

func contents(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Passages that were labelled in one chunking are found in edited documents and graded in another chunking.
func TestLabelsAreReanchored(t *testing.T) {
	old, _ := notes(t)
	labels := file(t, "l.jsonl", `{"query":"q1","document":"a.md","quote":"A storm came up.","grade":2}
{"query":"q2","document":"a.md","quote":"The port was closed on Monday.","grade":1}
{"query":"q1","document":"b.md","quote":"A storm broke one.","grade":1}
{"query":"q1","document":"a.md","quote":"Cranes worked.","grade":1}
{"query":"q1","document":"a.md","quote":"It opened later.","grade":0}
`)
	new, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.md": "# Ferry\nNews of March. The ferry was very late. A storm came up. Nobody sailed.\n\n## Port\nThe " +
			"harbour was closed on Monday. It reopened soon.\n",
		"crane.md":    contents(t, filepath.Join(old, "b.md")), // renamed
		"queries.csv": contents(t, filepath.Join(old, "queries.csv")),
	} {
		if err := os.WriteFile(filepath.Join(new, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	runs := map[string]string{}
	for name, x := range map[string][2]string{"old": {old, "sentences(n=2,overlap=1)"}, "new": {new, "headings"}} {
		if code, _, errs := call("", "index", x[0], "-chunk", x[1], "-o", at(name), "-quiet"); code != 0 {
			t.Fatal(errs)
		}
		code, run, errs := call("", "search", at(name), "-s", "bm25", "-quiet")
		if code != 0 {
			t.Fatal(errs)
		}
		runs[name] = file(t, name+".run", run)
	}
	code, out, errs := call("", "reanchor", labels, "-old", old, "-new", new, "-old-chunks", at("old"), "-new-chunks",
		at("new"), "-o", at("found.jsonl"), "-qrels", at("found.qrels"), "-unsure", at("unsure.jsonl"), "-before",
		runs["old"],
		"-after", runs["new"], "-m", "P@1")
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{"moved         2", "edited        1", "unsure        1", "lost          1",
		"3 of 5 labels were found again.", "1 renamed document was found by the text.", "P@1 by chunk over 2 queries"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got, want := contents(t, at("found.qrels")), "q1 0 a.md#1 2\nq1 0 crane.md#1 1\nq2 0 a.md#2 1\n"; got != want {
		t.Errorf("grades %s", got)
	}
	if got := contents(t, at("found.jsonl")); !strings.Contains(got, `"document":"crane.md","start":30,"end":48,`) ||
		!strings.Contains(got, `"quote":"The harbour was closed on Monday."`) {
		t.Errorf("labels %s", got)
	}
	if got := contents(t, at("unsure.jsonl")); !strings.Contains(got, `"quote":"It opened later."`) {
		t.Errorf("unsure %s", got)
	}
	// The labels that were found fit the new documents, and are found there again, all in their places.
	if code, out, errs := call("", "reanchor", at("found.jsonl"), "-old", new, "-new", new); code != 0 ||
		!strings.Contains(out, "kept          3") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := call("", "reanchor", labels, "-old", old, "-new", new, "-before", runs["old"], "-after",
		runs["new"]); code != 3 || !strings.Contains(errs, "old.run ranks nothing that is there") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

// A change of a score in two steps, by hand. Of the judged a, b and c, b is renamed z, and c is gone. The earlier run
// ranks c, b, a: P@2 is 1. At the new places c is not judged: P@2 is 1/2. The new run ranks z, a: P@2 is 1.
func TestAChangeIsDividedBetweenLabelsAndRetriever(t *testing.T) {
	old := file(t, "old.jsonl", `{"_id":"a","text":"The ferry was late."}
{"_id":"b","text":"Cranes lift ships."}
{"_id":"c","text":"Fog hid the port."}
`)
	new := file(t, "new.jsonl", `{"_id":"a","text":"The ferry was very late."}
{"_id":"z","text":"Cranes lift ships."}
`)
	qrels := file(t, "qrels", "q 0 a 1\nq 0 b 1\nq 0 c 1\n")
	before := file(t, "before.run", "q Q0 c 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n")
	after := file(t, "after.run", "q Q0 z 1 3 t\nq Q0 a 2 2 t\n")
	code, out, errs := call("", "reanchor", qrels, "-old", old, "-new", new, "-before", before, "-after", after, "-m",
		"P@2",
		"-f", "json")
	want := `"kept":0,"moved":1,"edited":1,"unsure":0,"lost":1,"renamed_documents":1,` +
		`"change":{"measure":"P@2","queries":1,"unit":"document","before":1,"relabelled":0.5,"after":1}`
	if code != 0 || !strings.Contains(out, want) {
		t.Errorf("%d %s%s", code, out, errs)
	}
	_, out, _ = call("", "reanchor", qrels, "-old", old, "-new", new, "-before", before, "-after", after, "-m", "P@2")
	for _, want := range []string{"1.0000  earlier run, earlier labels", "0.5000  labels and passages moved",
		"+0.5000  the retriever changed"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// The grades that count in a workspace are labels too.
	w := workspace.New(workspace.Documents{Collection: "x", Name: "x", Count: 3})
	for _, e := range []workspace.Edit{{Kind: workspace.SetLayer, Layer: "mine", Origin: workspace.Person},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q", Document: "b", Grade: 2}} {
		e.Stamp = w.Next(1, "a")
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(t.TempDir(), "q")
	code, out, errs = call("", "reanchor", file(t, "w.zip", string(zip)), "-old", old, "-new", new, "-qrels", moved)
	if code != 0 || contents(t, moved) != "q 0 z 2\n" {
		t.Errorf("%d %s%s", code, out, errs)
	}
	for _, args := range [][]string{{qrels}, {qrels, "-new", new, "-before", before}, {qrels, "-new", new, "-f", "x"},
		{qrels, "-new", new, "-old-chunks", "x"}, {qrels, "-new", new, "-m", "x"}} {
		if code, _, errs := call("", append([]string{"reanchor"}, args...)...); code != 2 {
			t.Errorf("%v: %d %s", args, code, errs)
		}
	}
}
