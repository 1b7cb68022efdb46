package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reality copies a case of inputs as people have them, whose README says what is right.
func reality(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared") // beside the checkout
	}
	from, dir := filepath.Join(root, "fixtures", "reality", "cases", name), t.TempDir()
	if !exists(from) {
		t.Skip("the reference data is not there")
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Case 26: a query that must not find a document passes and does not lower nDCG.
func TestUnwantedDocumentsAreInNoMeasure(t *testing.T) {
	code, out, errs := call("", "check", filepath.Join(reality(t, "26-require-none"), "g.yaml"))
	if code != 0 || !strings.Contains(out, "2 of 2 queries found what was expected") ||
		!strings.Contains(out, "nDCG@10  1.0000") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

// Case 25: a golden set can say that nothing is found, that A is before B, and a star forbids everything. BM25 finds
// pier.md for "zeppelin pier", so that these fail, and nothing for "zeppelin".
func TestNoAnswerAndOrder(t *testing.T) {
	dir := reality(t, "25-no-answer-and-order")
	for _, c := range []struct {
		file string
		code int
		want []string
	}{
		{"g2.yaml", 1, []string{"2 of 3 queries", `"zeppelin pier"  it should find nothing, but result 1 is`}},
		{"g3.yaml", 0, []string{"1 of 1 query"}},
		{"g4.yaml", 0, []string{"3 of 3 queries", "nDCG@10"}},
	} {
		code, out, errs := call("", "check", filepath.Join(dir, c.file))
		if code != c.code {
			t.Errorf("%s: %d %s\n%s", c.file, code, errs, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in %s\n%s", c.file, want, errs, out)
			}
		}
	}
	if _, out, errs := call("", "check", filepath.Join(dir, "g.yaml")); !strings.Contains(errs, "expects nothing yet") {
		t.Errorf("expect: []: %s\n%s", errs, out)
	}
}

// Case 21: one line of JSON Lines is a golden set as two are. RR of the relevant document at rank 2 is 1/2.
func TestOneLineOfJSONLines(t *testing.T) {
	dir := reality(t, "21-one-line-jsonl")
	for file, want := range map[string]string{"one.jsonl": "RR@10  0.5000", "two.jsonl": "RR@10  0.7500",
		"ragas1.jsonl": "RR@10  1.0000"} {
		code, out, errs := call("", "check", filepath.Join(dir, file))
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s\n%s", file, code, errs, out)
		}
	}
}

// Case 06: two values that differ have no interval of zero width, in the check or in its JSON.
func TestTwoQueriesHaveWidth(t *testing.T) {
	dir := reality(t, "06-ci-two-queries")
	set := putIn(t, dir, "g.yaml", "results: {file: r.run}\nmeasures: [nDCG@10]\nqueries:\n"+
		"  - {query: a, expect: [x]}\n  - {query: b, expect: [x]}\n")
	code, out, errs := call("", "check", set)
	if code != 0 || !strings.Contains(out, "nDCG@10  0.8155") || strings.Contains(out, "interval 0.8155 to 0.8155") ||
		!strings.Contains(out, "no loss could fail this build") || strings.Contains(out, "detect a change of") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

// Case 05: ids that differ only in how é is written are one document, and the warning says so.
func TestIDsInTwoUnicodeForms(t *testing.T) {
	_, out, errs := call("", "check", filepath.Join(reality(t, "05-nfc-nfd"), "g.yaml"))
	if strings.Contains(out, "does not exist") && !strings.Contains(out+errs, "another Unicode form") {
		t.Errorf("%s\n%s", errs, out)
	}
}

// Failures are annotations of GitHub at the lines of the golden set. What is special in them is escaped.
func TestGitHubAnnotations(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	dir := t.TempDir()
	putIn(t, dir, "r.jsonl", `{"query": "100% a", "results": ["y"]}`)
	set := putIn(t, dir, "g.yaml", "results: {file: r.jsonl}\nmeasures: [RR@10]\nqueries:\n  - query: \"100% a\"\n"+
		"    expect: [x]\n    forbid: [y]\n")
	_, _, errs := call("", "check", set, "-quiet", "-gate", "RR@10>=0.5")
	// no query finds what it expects and the ids share nothing: refused before any annotation
	if !strings.Contains(errs, "Are they the same ids?") {
		t.Errorf("%s", errs)
	}
	putIn(t, dir, "r.jsonl", `{"query": "100% a", "results": ["y", "x"]}`)
	_, _, errs = call("", "check", set, "-quiet", "-gate", "RR@10>=0.8")
	for _, want := range []string{"::error file=", ",line=4,title=Rankbox%3A \"100%25 a\"::FAILED  \"100%25 a\"  forbidden document",
		"%0A", "title=Rankbox%3A RR@10>=0.8%3A g::FAILED"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in %s", want, errs)
		}
	}
}

// The audit says what is doubtful, in text and JSON; the terminal takes a number without files.
func TestAuditAndNumber(t *testing.T) {
	code, out, errs := call("", "check", filepath.Join(reality(t, "26-require-none"), "g.yaml"), "-audit")
	for _, want := range []string{"Audit of the golden set", `1 query is the title of a document that it should find`,
		`"pier"`, "1.000 on every query", "The labels touch 1 document of 3", "No query says who labelled it"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %d %s\n%s", want, code, errs, out)
		}
	}
	code, out, errs = call("", "check", "-number", "200 0.713 0.694")
	if code != 0 || !strings.Contains(out, "exclude 200 queries") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	if code, _, errs := call("", "check", "-number", "what"); code != 2 {
		t.Errorf("%d %s", code, errs)
	}
}

// 20 runs of 1,000 queries, one better on all: its corrected p is a bound below a tenth of 5 %, and says of how many
// draws.
func TestFloorOfDrawnP(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := t.TempDir()
	var qrels strings.Builder
	args := []string{"compare", "-quiet", "-test", "randomisation", "-m", "RR@100", filepath.Join(dir, "q.qrels")}
	ids := make([]string, 1000)
	for q := range ids {
		ids[q] = "q" + strings.Repeat("x", q%3) + string(rune('a'+q%26)) + string(rune('a'+q/26%26)) + string(rune('a'+q/676))
		qrels.WriteString(ids[q] + " 0 d 1\n")
	}
	for r := range 20 {
		var run strings.Builder
		for q, id := range ids {
			if r > 0 {
				for k := range 2 + (q*r)%3 {
					run.WriteString(id + " Q0 n" + string(rune('0'+k)) + " 1 9 r\n")
				}
			}
			run.WriteString(id + " Q0 d 1 1 r\n")
		}
		args = append(args, putIn(t, dir, "r"+string(rune('a'+r))+".run", run.String()))
	}
	putIn(t, dir, "q.qrels", qrels.String())
	code, out, errs := call("", args...)
	if code != 0 || !strings.Contains(out, "p ≤ 0.005 (76,190 draws)") || strings.Contains(out, "p = 0.020") {
		t.Errorf("%d %s\n%s", code, errs, out[:min(len(out), 1500)])
	}
}
