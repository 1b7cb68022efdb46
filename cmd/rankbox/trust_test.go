package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Qrels and a run that have no query in common say nothing of the run: every command ends with 3 and the reason, and
// nothing is written.
func TestNoQueryInCommonIsAnError(t *testing.T) {
	dir, qrels, alpha, _, _ := files(t)
	other := filepath.Join(dir, "other.run")
	if err := os.WriteFile(other, []byte("x1 Q0 d1 1 2 t\nx1 Q0 d2 2 1 t\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(dir, "saved.rbx")
	if code, _, errs := call("", "compare", qrels, alpha, "-save", saved); code != 0 {
		t.Fatal(errs)
	}
	for _, args := range [][]string{
		{"eval", qrels, other, "AP"},
		{"eval", qrels, other, "AP", "-as", "pytrec_eval"},
		{"eval", qrels, other, "-o", "trec_eval", "map"},
		{"compare", qrels, other},
		{"compare", qrels, other, "-o", "json"},
		{"compare", qrels, other, "-gate", "AP>=0.1"},
		{"compare", qrels, other, "-against", saved},
		{"compare", qrels, other, "-against", saved, "-gate", "AP>=-2%"},
	} {
		code, out, errs := call("", args...)
		if code != 3 || out != "" || !strings.Contains(errs, "quer") || strings.Contains(errs, "passed") {
			t.Errorf("%q: exit code %d, wrote %q, said %s", args, code, out, errs)
		}
	}
	// one of two runs: the report is written, a gate on the other run is none
	if code, _, errs := call("", "compare", qrels, alpha, other); code != 0 {
		t.Errorf("one of two runs: %d, %s", code, errs)
	}
	if code, _, errs := call("", "compare", qrels, alpha, other, "-gate", "AP>=0.1"); code != 3 ||
		!strings.Contains(errs, "no query of run other is judged") {
		t.Errorf("a gate on a run without queries: %d, %s", code, errs)
	}
}

// A snapshot may be any JSON of the same report; one that was edited is refused, and so is a file that goes on behind
// its end.
func TestSnapshotsAreReadAsWhatTheyAre(t *testing.T) {
	dir, qrels, alpha, beta, _ := files(t)
	_, text, _ := call("", "compare", qrels, alpha, beta, "-q", "-o", "json", "-quiet")
	saved := filepath.Join(dir, "saved.rbx")
	call("", "compare", qrels, alpha, beta, "-save", saved)
	packed, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(text), "\t", "  "); err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(members) // encoding/json sorts the keys
	if err != nil {
		t.Fatal(err)
	}
	delete(members, "digest")
	old, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(text, `"values":{"nDCG@10":[`) + len(`"values":{"nDCG@10":[`)
	end := first + strings.IndexByte(text[first:], ',')
	for _, c := range []struct {
		name, content string
		code          int
		want          string
	}{
		{"as it is", text, 0, "UNCHANGED"},
		{"indented", "\n" + indented.String(), 0, "UNCHANGED"},
		{"keys in another order", string(sorted), 0, "UNCHANGED"},
		{"of the first versions, without a digest", string(old), 0, "UNCHANGED"},
		{"an edited value", text[:first] + "0.25" + text[end:], 3, "edited after it was written"},
		{"no value for one", text[:first] + "null" + text[end:], 3, "edited after it was written"},
		{"an edited policy", strings.Replace(text, `"ties":"docid-desc"`, `"ties":"docid-asc"`, 1), 3,
			"edited after it was written"},
		{"another document", `{"format": "something"}`, 3, "its format is not"},
		{"two documents", text + text, 3, "after top-level value"},
		{"a saved file", string(packed), 0, "UNCHANGED"},
		{"a saved file that goes on", string(packed) + "x", 3, "damaged"},
	} {
		name := filepath.Join(dir, "snapshot")
		if err := os.WriteFile(name, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := call("", "compare", qrels, alpha, beta, "-quiet", "-against", name)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, want %d: %s", c.name, code, c.code, errs)
		}
	}
}
