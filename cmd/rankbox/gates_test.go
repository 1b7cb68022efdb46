package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A baseline that is committed is made by -update, holds the next call, and is made anew where a change is wanted.
func TestBaselineFileAndWhatBuildsRead(t *testing.T) {
	_, qrels, a, b, _ := files(t)
	dir := t.TempDir()
	base, junit, comment := filepath.Join(dir, "baseline.rankbox"), filepath.Join(dir, "junit.xml"),
		filepath.Join(dir, "comment.md")
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if code, _, errs := call("", "compare", "-quiet", "-update", qrels, a); code != 2 ||
		!strings.Contains(errs, "-update needs") {
		t.Errorf("without a file: %d %s", code, errs)
	}
	if code, _, errs := call("", "compare", "-quiet", "-m", "RR", "-against", base, "-update", qrels, a); code != 0 ||
		read(base) == "" {
		t.Fatalf("made: %d %s", code, errs)
	}
	first := read(base)
	if code, _, errs := call("", "compare", "-quiet", "-m", "RR", "-against", base, "-junit", junit, "-comment",
		comment, qrels, a); code != 0 || !strings.Contains(read(junit), `failures="0"`) ||
		!strings.HasPrefix(read(comment), "<!-- rankbox:comparison -->\n### Rankbox: passed") {
		t.Errorf("held: %d %s\n%s\n%s", code, errs, read(junit), read(comment))
	}
	if err := os.WriteFile(comment, []byte("above\n"+read(comment)+"below\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := call("", "compare", "-quiet", "-m", "RR", "-gate", "RR>=0.99999", "-junit", junit, "-comment",
		comment, qrels, a, b); code != 1 ||
		strings.Contains(read(junit), `failures="0">`+"\n"+`  <testsuite name="gates"`) {
		t.Errorf("a gate that fails: %d", code)
	}
	if text := read(comment); !strings.HasPrefix(text, "above\n<!-- rankbox:comparison -->\n### Rankbox: failed") ||
		!strings.HasSuffix(text, "-->\nbelow\n") || strings.Count(text, "### Rankbox") != 1 {
		t.Errorf("the comment is not in its place:\n%s", text)
	}
	if code, _, errs := call("", "compare", "-quiet", "-m", "RR", "-against", base, "-update", qrels, b); code != 0 ||
		read(base) == first {
		t.Errorf("made anew: %d %s", code, errs)
	}
	spec := writeSpec(t, `{"systems": ["bm25", "dense"], "measures": ["AP"]}`)
	if code, _, errs := call("", "run", spec, "-quiet", "-collection", wire, "-gate", "nDCG@10>=0.99", "-junit",
		junit); code != 1 || !strings.Contains(errs, "FAILED  nDCG@10>=0.99  dense") ||
		!strings.Contains(read(junit), "<failure") {
		t.Errorf("an experiment that is held: %d %s", code, errs)
	}
}
